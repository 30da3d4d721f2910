package form

import (
	"github.com/parley-mcp/parley/internal/writer"
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
//
// No text is no answer: the value is nil, and the property is left out. But if
// the field is required, or has a default that the server might put in its
// place, no text means the empty String or no Choices, if the field allows
// that.
func (f *Field) Parse(typed string) (value []byte, p *Problem) {
	if f.Kind != String || f.Format != "" {
		typed = trim(typed)
	}
	code := WrongKind
	switch f.Kind {
	case String:
		value = rawjson.AppendQuoted(nil, typed)
	case Number, Integer:
		if f.Kind == Number || isWhole(typed) || typed == f.Default {
			value = []byte(typed)
		}
		if !rawjson.Valid(value) {
			value = nil
		}
	case Boolean:
		value = parseBoolean(typed)
	case Choice:
		code = NoChoice
		value = f.parseChoice(typed)
	case Choices:
		code = NoChoice
		value = f.parseChoices(typed)
	}
	if value != nil {
		code = f.check(value)
	}
	if typed == "" {
		if !f.Required && (code != 0 || f.Default == "") {
			return nil, nil
		}
		if value == nil {
			code = Missing
		}
	}
	if code != 0 {
		return nil, f.problem(code)
	}
	return value, nil
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
	for i, word := range [...]string{"true", "yes", "y", "false", "no", "n"} {
		if len(s) == len(word) && shaped(s, word) {
			if i < 3 {
				return []byte("true")
			}
			return []byte("false")
		}
	}
	return nil
}

// parseChoices takes a list of what names choices, nil if something names none.
func (f *Field) parseChoices(s string) []byte {
	list := writer.With('[', 0)
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
		return rawjson.AppendQuoted(nil, f.Options[i].Value)
	}
	return nil
}

// named is the index of the one option with a value or title, or -1: text that
// is the value of one and the title of another names neither, since nobody can
// know which of the two the person saw.
func (f *Field) named(s string) int {
	found := -1
	for i := range f.Options {
		if o := &f.Options[i]; o.Value == s || o.Title == s {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
