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
	var c choices
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
		c.add(o)
	}
	if !null {
		n.types &^= aNull
	}
	n.choose(c.options)
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

// choices are options under way.
type choices struct {
	options []Option
	sums    []uint64 // nil of a few
}

// add appends a choice if its value is not there. 1 and "1" are shown apart: the
// text in quotes.
func (c *choices) add(o Option) bool {
	if len(c.options) == few+1 {
		c.sums = sums(c.options)
	}
	if find(c.options, c.sums, o.Value) >= 0 {
		return false
	}
	for i := range c.options {
		before := &c.options[i]
		switch isText := o.Value[0] == '"'; {
		case isText == (before.Value[0] == '"'):
		case isText && before.Value == o.Title:
			o.Title = o.Value
		case before.Title == o.Value:
			before.Title = before.Value
		}
	}
	c.options = append(c.options, o)
	if c.sums != nil {
		c.sums = append(c.sums, sum([]byte(o.Value)))
	}
	return true
}

// choose narrows the values of n to some of a list.
func (n *node) choose(options []Option) {
	if !n.chosen {
		n.Options, n.chosen, n.typed = options, true, true
		return
	}
	n.twice = true
	both := options[:0]
	sums := sums(n.Options)
	for _, o := range options {
		if find(n.Options, sums, o.Value) >= 0 {
			both = append(both, o)
		}
	}
	n.Options = both
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
	var c choices
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
				if !c.add(o) && (word == kwOneOf || r.strict()) { // no answer fits a oneOf twice
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
		n.choose(c.options)
		return true
	case len(others) == 1 && c.options == nil:
		null := n.types & aNull
		ok := r.read(n, others[0].span, depth)
		n.types |= null
		return ok
	case n.chosen: // they stay: which of them other types refuse, the server checks
		r.unchecked(n.Field, word, nil)
		return true
	case c.options != nil:
		kid := newNode(inOption, anyType)
		kid.choose(c.options)
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
