package form

import "github.com/parley-mcp/parley/rawjson"

// items reads the items of an array: what there is to choose from.
func (r *reader) items(f *Field, span []byte) bool {
	choice := Field{Kind: String}
	o := object{may: inItems}
	if !o.within(r, &choice, span) {
		return false
	}
	f.Options = choice.Options
	return f.Options != nil || r.freeList()
}

func (r *reader) freeList() bool {
	return r.fail(Unsupported, "has no choices, and a form cannot ask for a free list")
}

// options reads an enum or a list of titled constants. Whether that list is
// called oneOf or anyOf does not matter, because no value is in it twice; in an
// enum, one that is there again is shown once.
func (r *reader) options(f *Field, span []byte, plain bool) bool {
	if f.Options != nil {
		return r.fail(Unsupported, "has two lists of choices")
	}
	values, ok := list(span)
	if !ok || len(values) == 0 {
		return r.fail(Unsupported, "has no list of choices, or one that is too long")
	}
	// Choices are compared with each other, so what all may cost is bounded.
	if r.choices += len(values); r.choices > 2*maxOptions {
		return r.fail(Unsupported, "has too many choices, together with other properties")
	}
	f.Options = make([]Option, 0, len(values))
next:
	for _, value := range values {
		c := Field{Kind: String}
		if plain {
			c.Default, ok = r.text(value)
		} else {
			o := object{may: inOption}
			if !o.within(r, &c, value) {
				return false
			}
			ok = c.Kind == String && o.seen>>kwConst&1 == 1
		}
		if !ok {
			return r.notText()
		}
		if c.Title == "" {
			c.Title = c.Default
		}
		for i := range f.Options {
			switch {
			case f.Options[i].Value != c.Default:
			case plain: // JSON Schema: its elements SHOULD be unique. It means the same
				continue next
			default: // no answer fits a oneOf twice, and a person could not tell two titles apart in what is sent
				return r.fail(Unsupported, "has the same choice twice")
			}
		}
		f.Options = append(f.Options, Option{c.Default, c.Title})
	}
	return true
}

func (r *reader) notText() bool { return r.fail(Unsupported, "has a choice that is not text") }

// enumNames reads the titles that older servers send beside an enum.
func (r *reader) enumNames(span []byte, options []Option) bool {
	titles, ok := list(span)
	if !ok || len(titles) != len(options) {
		return r.fail(Unsupported, `has an "enumNames" that does not give each choice a title`)
	}
	for i, title := range titles {
		if !r.label(title, &options[i].Title) {
			return false
		}
	}
	return true
}

// list is the elements of a well-formed array that has at most [maxOptions].
func list(span []byte) (elements [][]byte, ok bool) {
	var e rawjson.Elements
	for e.StartChecked(span); e.Next(); {
		if len(elements) == maxOptions {
			return nil, false
		}
		elements = append(elements, e.Value)
	}
	return elements, e.Err == nil
}
