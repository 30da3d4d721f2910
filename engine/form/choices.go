package form

import "github.com/parley-mcp/parley/rawjson"

// maxNumber is the most characters of a number that is a choice.
const maxNumber = 64

// values reads a const, or an enum: a value that is there again is shown once,
// because its elements SHOULD be unique (JSON Schema 2020-12 Validation, section
// 6.1.2). A null means that the field may be left empty and is no choice.
func (r *reader) values(n *node, l *level, span []byte, single bool) bool {
	list, ok := [][]byte{span}, true
	if !single {
		list, ok = elements(span)
	}
	if !ok || len(list) == 0 {
		return r.noChoices()
	}
	if !r.countChoices(len(list)) {
		return false
	}
	options := make([]Option, 0, len(list))
	null := false
	for _, value := range list {
		if null = null || string(value) == "null"; string(value) == "null" && !r.strict {
			continue
		}
		o, ok := r.option(value)
		if !ok {
			return false
		}
		options, _ = add(options, o)
	}
	if !null {
		n.types &^= aNull
	}
	if single {
		n.choose(options)
	} else {
		l.options = options
	}
	return true
}

// option makes a choice of a value.
func (r *reader) option(value []byte) (o Option, ok bool) {
	switch c := value[0]; {
	case c == '"':
		if o.Title, ok = r.text(value); ok {
			o.Value = r.raw(value)
			if escaped(value) {
				o.Value = string(rawjson.AppendQuoted(nil, o.Title)) // to compare it as text
			}
		}
	case r.strict:
	case c == 't', c == 'f':
		ok = true
	case rawjson.IsNumber(value) && len(value) <= maxNumber:
		_, ok = rawjson.ParseDecimal(string(value))
	}
	if !ok {
		r.fail(Unsupported, "has a choice that is neither text nor a number nor true or false")
	} else if o.Value == "" {
		o.Value = r.raw(value)
		o.Title = o.Value
	}
	return o, ok
}

// add appends a choice if its value is not there.
func add(options []Option, o Option) (_ []Option, added bool) {
	for i := range options {
		if alike(options[i].Value, o.Value) {
			return options, false
		}
	}
	return append(options, o), true
}

// alike reports whether two values, of which strings are written alike, are the
// same one.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	return isNumeric(a) && isNumeric(b) && rawjson.Compare(a, b) == 0
}

func isNumeric(value string) bool { return value != "" && (value[0] == '-' || isDigit(value[0])) }

// choose narrows the values of n to some of a list.
func (n *node) choose(options []Option) {
	if !n.chosen {
		n.Options, n.chosen, n.typed = options, true, true
		return
	}
	n.twice = true
	both := make([]Option, 0, len(n.Options))
	for _, o := range n.Options {
		for i := range options {
			if alike(options[i].Value, o.Value) {
				if hasOwn := o.Title != o.text(); !hasOwn {
					o.Title = options[i].Title
				}
				both = append(both, o)
			}
		}
	}
	n.Options = both
}

// text is what an option's value says: a string's text, else the JSON text.
func (o *Option) text() string {
	if len(o.Value) > 0 && o.Value[0] == '"' {
		text, _ := rawjson.Unquote([]byte(o.Value))
		return text
	}
	return o.Value
}

// either reads an anyOf or a oneOf: null means that the field may be left empty,
// choices are one list, one schema is as if it were not in a list, and several
// are types that the person picks one of.
func (r *reader) either(n *node, span []byte, word keyword, depth int) bool {
	if n.place == inSchema || n.Alternatives != nil {
		r.unchecked(&n.Field, word, nil)
		return true
	}
	list, ok := elements(span)
	if !ok || len(list) == 0 {
		return r.noChoices()
	}
	if !r.countChoices(len(list)) {
		return false
	}
	var options []Option
	var others []node
	null := false
	for _, span := range list {
		kid := *n
		kid.place = inOption
		kid.Title, kid.Description, kid.initial, kid.Examples, kid.Unchecked = "", "", nil, nil, nil
		if !r.read(&kid, span, depth) {
			return false
		}
		null = null || kid.types&aNull != 0
		switch {
		case r.strict && (!kid.chosen || kid.seen>>kwConst&1 == 0):
			return r.fail(Unsupported, "has a choice that is not text")
		case kid.secret:
			return r.isSecret()
		case kid.chosen:
			fitting := kid.fitting()
			if len(fitting) == 1 && kid.Title != "" {
				fitting[0].Title = kid.Title
			}
			for _, o := range fitting {
				added := false
				// No answer fits a oneOf twice.
				if options, added = add(options, o); !added && (word == kwOneOf || r.strict) {
					return r.fail(Unsupported, "has the same choice twice")
				}
			}
		case kid.types&^aNull == 0: // nothing but null
		case len(others) == maxAlternatives:
			return r.fail(Unsupported, "has more than 16 types to choose from")
		default:
			others = append(others, kid)
		}
	}
	if !null {
		n.types &^= aNull
	}
	return r.together(n, options, others, word)
}

// together narrows n to what an anyOf or a oneOf has: choices, other types, or
// both.
func (r *reader) together(n *node, options []Option, others []node, word keyword) bool {
	null := n.types & aNull
	switch {
	case len(others) == 0:
		n.choose(options)
		return true
	case len(others) == 1 && options == nil:
		said := n.Field
		initial, seen := n.initial, n.seen
		place := n.place
		*n = others[0]
		n.place, n.seen, n.types = place, n.seen|seen, n.types&^aNull|null
		n.Unchecked = append(said.Unchecked[:len(said.Unchecked):len(said.Unchecked)], n.Unchecked...)
		if said.Title != "" {
			n.Title = said.Title
		}
		if said.Description != "" {
			n.Description = said.Description
		}
		if initial != nil {
			n.initial = initial
		}
		if said.Examples != nil {
			n.Examples = said.Examples
		}
		return true
	}
	if options != nil {
		kid := *n
		kid.Options, kid.chosen, kid.Unchecked, kid.initial = nil, false, nil, nil
		kid.choose(options)
		others = append(others, kid)
	}
	n.typed, n.exclusive = true, word == kwOneOf
	return r.split(n, others)
}

// enumNames reads the titles that older servers send beside an enum.
func (r *reader) enumNames(span []byte, options []Option) bool {
	titles, ok := elements(span)
	if !ok || len(titles) != len(options) {
		return !r.strict || r.fail(Unsupported, `has an "enumNames" that does not give each choice a title`)
	}
	for i, title := range titles {
		text, ok := r.text(title)
		if !ok && r.strict {
			return r.fail(Malformed, "has a title or description that is not text")
		}
		if text != "" {
			options[i].Title = text
		}
	}
	return true
}

func (r *reader) noChoices() bool {
	return r.fail(Unsupported, "has no list of choices, or one of more than 1,024")
}

// countChoices counts choices and alternatives. They are compared with each other, so
// what all may cost is bounded.
func (r *reader) countChoices(n int) bool {
	r.choices += n
	return r.choices <= 2*maxOptions || r.fail(Unsupported, "has more than 2,048 choices, together with other properties")
}

// elements are those of a well-formed array that has at most [maxOptions].
func elements(span []byte) (list [][]byte, ok bool) {
	var e rawjson.Elements
	for e.StartChecked(span); e.Next(); {
		if len(list) == maxOptions {
			return nil, false
		}
		list = append(list, e.Value)
	}
	return list, e.Err == nil
}
