package form

import "github.com/parley-mcp/parley/rawjson"

// maxNumber is the most characters of a number that is a choice.
const maxNumber = 64

// values reads a const, or an enum: a value that is there again is shown once,
// because its elements SHOULD be unique (JSON Schema 2020-12 Validation, section
// 6.1.2). A null means that the field may be left empty and is no choice.
func (r *reader) values(n *node, span []byte, single bool) bool {
	list, ok := [][]byte{span}, true
	if !single {
		list, ok = r.elements(span)
	}
	if !ok {
		return false
	}
	options := make([]Option, 0, len(list))
	null := false
	for _, value := range list {
		if same(value, "null") && !r.strict() {
			null = true
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
	n.choose(options)
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
	case r.strict():
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

// add appends a choice if its value is not there. 1 and "1" are shown apart: the
// text in quotes.
func add(options []Option, o Option) (_ []Option, added bool) {
	for i := range options {
		before := &options[i]
		switch {
		case alike(before.Value, o.Value):
			return options, false
		case before.Title == o.Value:
			before.Title = before.Value
		case before.Value == o.Title:
			o.Title = o.Value
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
	both := options[:0]
	for _, o := range options {
		if n.option([]byte(o.Value)) >= 0 {
			both = append(both, o)
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
		r.unchecked(n.Field, word, nil)
		return true
	}
	list, ok := r.elements(span)
	if !ok {
		return false
	}
	var options []Option
	var others []*node
	nulls := 0
	for _, span := range list {
		kid := newNode(inOption, n.types)
		kid.typed = n.typed
		if !r.read(kid, span, depth) {
			return false
		}
		nulls += int(kid.types&aNull) / int(aNull)
		n.secret = n.secret || kid.secret
		if kid.chosen || kid.types&^aNull == 0 {
			n.Unchecked = append(n.Unchecked, kid.Unchecked...)
		}
		switch {
		case r.strict() && (!kid.chosen || kid.seen>>kwConst&1 == 0):
			return r.fail(Unsupported, "has a choice that is not text")
		case kid.chosen:
			if kid.fitting(); len(kid.Options) == 1 && kid.Title != "" {
				kid.Options[0].Title = kid.Title
			}
			for _, o := range kid.Options {
				added := false
				// No answer fits a oneOf twice.
				if options, added = add(options, o); !added && (word == kwOneOf || r.strict()) {
					return r.fail(Unsupported, "has the same choice twice")
				}
			}
		case kid.types&^aNull == 0: // nothing but null
		default:
			others = append(others, kid)
		}
	}
	if nulls == 0 || nulls > 1 && word == kwOneOf {
		n.types &^= aNull
	}
	switch {
	case len(others) == 0:
		n.choose(options)
		return true
	case len(others) == 1 && options == nil:
		null := n.types & aNull
		ok := r.read(n, others[0].span, depth)
		n.types |= null
		return ok
	case n.chosen: // they stay: which of them other types refuse, the server checks
		r.unchecked(n.Field, word, nil)
		return true
	case options != nil:
		kid := newNode(inOption, anyType)
		kid.choose(options)
		others = append(others, kid)
	}
	n.exclusive = word == kwOneOf && n.Field.Unchecked == nil
	for beside := range keyword(len(keywordNames)) { // the alternatives do not know of these
		if narrowing>>beside&1 == 1 && n.seen>>beside&1 == 1 {
			r.unchecked(n.Field, beside, nil)
		}
	}
	return r.split(n, others)
}

// enumNames reads the titles that older servers send beside an enum. They say
// nothing unless each choice has one.
func (r *reader) enumNames(span []byte, n *node) bool {
	titles, ok := elements(span)
	if !ok || len(titles) != len(n.Options) {
		return !r.strict() || r.fail(Unsupported, `has an "enumNames" that does not give each choice a title`)
	}
	for i, title := range titles {
		text, ok := r.text(title)
		if !ok && r.strict() {
			return r.fail(Malformed, "has a title or description that is not text")
		}
		if text != "" {
			n.Options[i].Title = text
		}
	}
	return true
}

// elements are those of a well-formed array of choices or schemas, 1,024 at most.
// They are compared with each other, so what all fields may have is bounded too.
func (r *reader) elements(span []byte) (list [][]byte, ok bool) {
	if list, ok = elements(span); !ok || len(list) == 0 {
		return nil, r.fail(Unsupported, "has no list of choices, or one of more than 1,024")
	}
	r.choices += len(list)
	return list, r.choices <= 2*maxOptions || r.fail(Unsupported, "has more than 2,048 choices, together with other properties")
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
