package form

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// node is what a schema says so far: by its own keywords, and by those of what
// it refers to. Each keyword narrows it.
type node struct {
	Field
	types  types
	typed  bool  // a type or a list of values was given
	chosen bool  // Options has all values that there are
	twice  bool  // that is said by two lists
	seen   words // the keywords that were there
	place  words // those the specification allows there

	items   *node
	initial []byte // the default
	secret  bool   // it must not be asked for in a form
}

// types is a set of JSON types.
type types uint8

const (
	aString types = 1 << iota
	aNumber
	anInteger
	aBoolean
	anArray
	anObject
	aNull
	anyType types = 1<<iota - 1
)

// typeNames are the names of types, in their order. A number may be an integer.
var typeNames = [...]string{"string", "number", "integer", "boolean", "array", "object", "null"}

// read narrows n by a schema, and by what that refers to. What is said nearer to
// the property goes before, such as a title beside $ref.
func (r *reader) read(n *node, span []byte, depth int) bool {
	switch {
	case depth > maxNesting:
		return r.fail(Unsupported, "refers to itself, or is nested more than 16 deep")
	case string(span) == "true" && !r.strict:
		return true
	case string(span) == "false":
		return r.fail(Unsupported, "allows no answer")
	}
	l := level{}
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		word := lookup(m.Name)
		if word < 0 || string(m.Value) == "null" && word != kwConst {
			continue // an annotation, or as good as absent
		}
		if l.seen>>word&1 == 1 {
			return r.fail(Unsupported, "has a keyword twice")
		}
		if r.strict && n.place>>word&1 == 0 && annotations>>word&1 == 0 {
			return r.unsupported(word)
		}
		l.seen |= 1 << word
		if !r.keyword(n, &l, word, m.Value, depth) {
			return false
		}
		n.seen |= 1 << word
	}
	if m.Err != nil {
		return r.fail(Malformed, sentence.Say("is not a JSON object: {0}", m.Err.Reason))
	}
	return r.rest(n, &l, depth+1)
}

// level is what has to wait until all keywords of an object are known.
type level struct {
	seen words

	ref, allOf, anyOf, oneOf, enumNames []byte

	types                types // of the keyword type
	nullable             bool
	options              []Option // of enum
	leastOnly, mostBelow bool     // the boolean exclusiveMinimum and exclusiveMaximum of draft 4
	minimum, maximum     string
}

func (r *reader) keyword(n *node, l *level, word keyword, span []byte, depth int) (ok bool) {
	f := &n.Field
	switch word {
	case kwType:
		if l.types = typesOf(span); r.strict && !rawjson.IsString(span) {
			return r.fail(Unsupported, "has several types")
		}
	case kwNullable:
		l.nullable = string(span) == "true"
	case kwDefault:
		if n.initial == nil {
			n.initial = span
		}
	case kwTitle:
		return r.label(span, &f.Title)
	case kwDescription:
		return r.label(span, &f.Description)
	case kwConst:
		return r.values(n, l, span, true)
	case kwEnum:
		return r.values(n, l, span, false)
	case kwEnumNames:
		l.enumNames = span
	case kwOneOf:
		l.oneOf = span
	case kwAnyOf:
		l.anyOf = span
	case kwAllOf:
		l.allOf = span
	case kwRef:
		l.ref = span
	case kwItems:
		if n.place == inSchema {
			return true
		}
		if n.items == nil {
			n.items = &node{place: inItems, types: anyType}
		}
		return r.read(n.items, span, depth+1)
	case kwProperties:
		return n.place != inSchema || r.properties(span, depth)
	case kwRequired:
		if n.place == inSchema && r.lists < len(r.needs) {
			r.needs[r.lists] = span
			r.lists++
		}
	case kwFormat:
		return r.format(f, span)
	case kwMinLength:
		return r.least(span, &f.MinLength)
	case kwMinItems:
		return r.least(span, &f.MinItems)
	case kwMaxLength:
		return r.most(span, &f.MaxLength, n.seen>>word&1 == 1)
	case kwMaxItems:
		return r.most(span, &f.MaxItems, n.seen>>word&1 == 1)
	case kwMinimum:
		return r.number(span, &l.minimum, 1)
	case kwMaximum:
		return r.number(span, &l.maximum, -1)
	case kwExclusiveMinimum:
		if l.leastOnly = string(span) == "true"; l.leastOnly || string(span) == "false" {
			return true
		}
		return r.number(span, &f.ExclusiveMinimum, 1)
	case kwExclusiveMaximum:
		if l.mostBelow = string(span) == "true"; l.mostBelow || string(span) == "false" {
			return true
		}
		return r.number(span, &f.ExclusiveMaximum, -1)
	case kwMultipleOf:
		return r.multipleOf(f, span)
	case kwUniqueItems:
		f.UniqueItems = f.UniqueItems || string(span) == "true"
	case kwReadOnly:
		f.ReadOnly = string(span) == "true"
	case kwDeprecated:
		f.Deprecated = string(span) == "true"
	case kwWriteOnly:
		n.secret = n.secret || string(span) == "true"
	case kwExamples:
		r.examples(f, span)
	case kwPrefixItems:
		return n.types&anArray == 0 || r.unsupported(word)
	case kwAdditionalProperties: // which only $ref and allOf can make refuse a property that was asked for
	default:
		r.unchecked(f, word, span)
	}
	return true
}

// rest reads what an object's other keywords had to wait for.
func (r *reader) rest(n *node, l *level, depth int) bool {
	f := &n.Field
	if l.seen>>kwType&1 == 1 {
		if l.nullable {
			l.types |= aNull
		}
		n.types, n.typed = n.types&l.types, true
	}
	if l.enumNames != nil && !r.enumNames(l.enumNames, l.options) {
		return false
	}
	if l.seen>>kwEnum&1 == 1 {
		n.choose(l.options)
	}
	if l.leastOnly {
		f.ExclusiveMinimum, l.minimum = larger(f.ExclusiveMinimum, l.minimum, 1), ""
	}
	if l.mostBelow {
		f.ExclusiveMaximum, l.maximum = larger(f.ExclusiveMaximum, l.maximum, -1), ""
	}
	f.Minimum, f.Maximum = larger(f.Minimum, l.minimum, 1), larger(f.Maximum, l.maximum, -1)

	if l.ref != nil && !r.follow(n, l.ref, depth) {
		return false
	}
	if l.allOf != nil && !r.allOf(n, l.allOf, depth) {
		return false
	}
	if (l.ref != nil || l.allOf != nil) && l.seen>>kwAdditionalProperties&1 == 1 {
		r.unchecked(f, kwAdditionalProperties, nil)
	}
	if l.anyOf != nil && !r.either(n, l.anyOf, kwAnyOf, depth) {
		return false
	}
	return l.oneOf == nil || r.either(n, l.oneOf, kwOneOf, depth)
}

// typesOf is the set that a type names, empty if it names none.
func typesOf(span []byte) (set types) {
	if rawjson.IsString(span) {
		for i, name := range typeNames {
			if rawjson.Is(span, name) {
				set = 1 << i
			}
		}
		if set == aNumber {
			set |= anInteger
		}
		return set
	}
	var e rawjson.Elements
	for e.StartChecked(span); e.Next(); {
		if rawjson.IsString(e.Value) {
			set |= typesOf(e.Value)
		}
	}
	return set
}

// format reads a format. One that is none of those that are known is for the
// server to check; a password must not be asked for.
func (r *reader) format(f *Field, span []byte) bool {
	s, ok := r.text(span)
	switch {
	case !ok:
		return r.fail(Malformed, "has a format that is not text")
	case s == "password":
		return r.isSecret()
	case Format(s).index() > 0 && (f.Format == "" || f.Format == Format(s)):
		f.Format = Format(s)
	case r.strict:
		return r.fail(Unsupported, "has a format that is none of email, uri, date and date-time")
	default:
		r.unchecked(f, kwFormat, span)
	}
	return true
}

// isSecret refuses what servers MUST NOT ask for in a form (client/elicitation,
// Safe URL Handling and Statefulness: sensitive information). Drafts and
// snapshots would keep it.
func (r *reader) isSecret() bool { return r.fail(Secret, secret) }

const secret sentence.Text = "asks for a secret, and a form must not: the server has to use a page of its own for that"

// unchecked notes a keyword that the server checks, once.
func (r *reader) unchecked(f *Field, word keyword, span []byte) {
	note := Unchecked{Keyword: keywordNames[word]}
	if word <= kwContentEncoding {
		note.Value, _ = r.text(span)
	}
	for _, before := range f.Unchecked {
		if before == note {
			return
		}
	}
	if len(f.Unchecked) < maxUnchecked {
		f.Unchecked = append(f.Unchecked[:len(f.Unchecked):len(f.Unchecked)], note)
	}
}

// examples keeps the first few examples, none of what is not a list.
func (r *reader) examples(f *Field, span []byte) {
	var e rawjson.Elements
	for e.StartChecked(span); len(f.Examples) < maxExamples && e.Next(); {
		f.Examples = append(f.Examples[:len(f.Examples):len(f.Examples)], r.raw(e.Value))
	}
}
