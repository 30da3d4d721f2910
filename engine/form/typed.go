package form

import (
	"github.com/parley-mcp/parley/rawjson"
)

// Parse turns what a person typed into a value for the field, as JSON text, so
// that every host understands the same words in the same way. White space
// around the text counts only in a String without a format.
//
//   - A String is taken as it is.
//   - A Number or Integer keeps its digits: 1.50 stays 1.50. An Integer is
//     written without point and exponent, because not every server takes 1.0.
//   - A Boolean is yes, no, true, false, y or n in any case.
//   - A Choice is named by its value or its title; Choices are named in the
//     same way, with commas or line breaks between them.
//   - A List has one value a line. Empty lines are no values.
//   - A Union is refused: which of its Alternatives a person means is never
//     guessed from the text, so one of those has to be asked for its Parse.
//
// No text is no answer: the value is nil, and the property is left out. But if
// the field is Required and Nullable, or Nullable with a default that the server
// might put in its place, no text is null. Choices and a List of no values are an
// empty list, if the field is required or has a default and allows that. A String
// that is required has to have text: only [Field.Check] takes an empty one. A
// field that is ReadOnly is always left out.
func (f *Field) Parse(typed string) (value []byte, p *Problem) {
	if f.ReadOnly {
		return nil, nil
	}
	if f.Kind != List && (f.Kind != String || f.Format != "") {
		typed = trim(typed)
	}
	if typed == "" || f.Kind == List && trim(typed) == "" {
		return f.empty()
	}
	code := WrongKind
	switch f.Kind {
	case String, Number, Integer:
		value = f.scalar(typed)
	case Boolean:
		value = parseBoolean(typed)
	case Choice:
		code = NoChoice
		value = f.parseChoice(typed)
	case Choices:
		code = NoChoice
		value = f.parseChoices(typed)
	case List:
		code = BadValue
		if f.Items != nil {
			value = f.parseList(typed)
		}
	}
	if value != nil {
		code = f.check(value)
	}
	if code != 0 {
		return nil, f.problem(code)
	}
	return value, nil
}

// empty is what a field that was left empty stands for.
func (f *Field) empty() (value []byte, p *Problem) {
	may := f.Required || f.Default != ""
	switch {
	case !may:
		return nil, nil
	case f.Nullable:
		return []byte("null"), nil
	case f.Kind == Choices || f.Kind == List:
		code := f.check([]byte("[]"))
		if code == 0 {
			return []byte("[]"), nil
		}
		if f.Required {
			return nil, f.problem(code)
		}
	case f.Kind == Choice:
		value = f.parseChoice("")
	}
	if value == nil && f.Required {
		return nil, f.problem(Missing)
	}
	return value, nil
}

// scalar is the value of a String, Number or Integer, nil if the text is none.
func (f *Field) scalar(typed string) []byte {
	if f.Kind == String {
		return rawjson.AppendQuoted(nil, typed)
	}
	if (f.Kind == Integer && !isWhole(typed) && typed != f.Default) || !rawjson.Valid([]byte(typed)) {
		return nil
	}
	return []byte(typed)
}

// parseList takes values on lines, nil if one of them is none.
func (f *Field) parseList(s string) []byte {
	list := rawjson.NewWriter('[', 0)
	for s != "" {
		end := 0
		for end < len(s) && s[end] != '\n' {
			end++
		}
		line := s[:end]
		s = s[min(end+1, len(s)):]
		if f.Items.Kind != String || f.Items.Format != "" {
			line = trim(line)
		}
		if line != "" && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		if line == "" {
			continue
		}
		value := f.Items.scalar(line)
		if value == nil {
			return nil
		}
		list.Comma()
		list.Raw(value)
	}
	list.Put("]")
	return list.Dst
}

func isWhole(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

func parseBoolean(s string) []byte {
	lower := make([]byte, len(s))
	for i := range lower {
		lower[i] = s[i]
		if isLetter(s[i]) {
			lower[i] |= 0x20
		}
	}
	switch string(lower) {
	case "true", "yes", "y":
		return []byte("true")
	case "false", "no", "n":
		return []byte("false")
	}
	return nil
}

// parseChoices takes a list of what names choices, nil if something names none.
func (f *Field) parseChoices(s string) []byte {
	list := rawjson.NewWriter('[', 0)
	for s != "" {
		end := 0
		for end < len(s) && s[end] != ',' && s[end] != '\n' {
			end++
		}
		choice := f.parseChoice(trim(s[:end]))
		if choice == nil {
			return nil
		}
		list.Comma()
		list.Raw(choice)
		s = s[min(end+1, len(s)):]
	}
	list.Put("]")
	return list.Dst
}

// parseChoice is the value of the option that s names, nil if none is named.
func (f *Field) parseChoice(s string) []byte {
	if i := f.named(s); i >= 0 {
		return []byte(f.Options[i].Value)
	}
	return nil
}

// named is the index of the one option with a value or title, or -1: text that
// is the value of one and the title of another names neither, since nobody can
// know which of the two the person saw. An option that is shown as "1", beside
// the number, is not named by 1.
func (f *Field) named(s string) int {
	found := -1
	for i := range f.Options {
		o := &f.Options[i]
		switch {
		case o.Value == s, o.Title == s:
		case o.Title != o.Value && o.text() == s:
		case o.Title == o.Value && o.Value == string(parseBoolean(s)):
		default:
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
