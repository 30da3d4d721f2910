package form

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// node is what a schema says so far: by its own keywords, and by those of what
// it refers to. Each keyword narrows it.
type node struct {
	*Field
	own    []Field // where that is: copying a slice is one instruction of a module, copying a Field hundreds
	types  types
	typed  bool  // a type or a list of values was given
	chosen bool  // Options has all values that there are
	twice  bool  // that is said by two lists
	secret bool  // it must not be asked for in a form
	seen   words // the keywords that were there
	place  words // those the specification allows there

	span    []byte // its own schema
	items   *node
	initial []byte // the default
}

func newNode(place words, types types) *node {
	own := make([]Field, 1)
	return &node{Field: &own[0], own: own, types: types, place: place}
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
	case same(span, "true") && !r.strict():
		return true
	case same(span, "false"):
		return r.fail(Unsupported, "allows no answer")
	}
	if n.span == nil {
		n.span = span
	}
	var spans [len(keywordNames)][]byte // by their constants
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		word := lookup(m.Name)
		switch {
		case word < 0 || same(m.Value, "null") && word != kwConst: // an annotation, or as good as absent
		case spans[word] != nil:
			return r.fail(Unsupported, "has a keyword twice")
		case r.strict() && (n.place|annotations)>>word&1 == 0:
			return r.unsupported(word)
		default:
			spans[word] = m.Value
		}
	}
	if m.Err != nil {
		return r.notObject(m.Err)
	}
	for word, span := range spans[:] {
		if span != nil && !r.keyword(n, keyword(word), span, spans[:], depth+1) {
			return false
		}
	}
	return true
}

// keyword narrows n by one keyword. Those beside it are in spans.
func (r *reader) keyword(n *node, word keyword, span []byte, spans [][]byte, depth int) bool {
	f := n.Field
	again := n.seen>>word&1 == 1
	n.seen |= 1 << word
	is := same(span, "true")
	switch word {
	case kwType:
		set := r.types(span)
		if same(spans[kwNullable], "true") {
			set |= aNull
		}
		n.types, n.typed = n.types&set, true
		return !r.strict() || rawjson.IsString(span) || r.fail(Unsupported, "has several types")
	case kwTitle, kwDescription:
		into := &f.Title
		if word == kwDescription {
			into = &f.Description
		}
		return r.label(span, into)
	case kwDefault:
		if n.initial == nil {
			n.initial = span
		}
	case kwConst, kwEnum:
		if n.place == inSchema { // of whole answers
			r.unchecked(f, word, nil)
			return true
		}
		return r.values(n, span, word == kwConst)
	case kwEnumNames:
		return r.enumNames(span, n)
	case kwFormat:
		return r.format(f, span)
	case kwMinLength, kwMaxLength, kwMinItems, kwMaxItems:
		into := [...]*int{&f.MinLength, &f.MaxLength, &f.MinItems, &f.MaxItems}[word-kwMinLength]
		count, ok := r.count(span)
		if !again || count > *into == (word == kwMinLength || word == kwMinItems) {
			*into = count
		}
		return ok
	case kwMinimum, kwMaximum, kwExclusiveMinimum, kwExclusiveMaximum:
		into := [...]*string{&f.Minimum, &f.Maximum, &f.ExclusiveMinimum, &f.ExclusiveMaximum}[word-kwMinimum]
		if word >= kwExclusiveMinimum && !rawjson.IsNumber(span) && spans[word-2] != nil { // the boolean of draft 4
			if span = spans[word-2]; !is {
				return true
			}
		}
		return r.number(span, into, word == kwMaximum || word == kwExclusiveMaximum)
	case kwMultipleOf:
		return r.multipleOf(f, span)
	case kwUniqueItems:
		f.UniqueItems = f.UniqueItems || is
	case kwReadOnly:
		f.ReadOnly = is
	case kwDeprecated:
		f.Deprecated = is
	case kwWriteOnly:
		n.secret = n.secret || is
	case kwExamples:
		r.examples(f, span)
	case kwItems:
		if n.place == inSchema {
			return true
		}
		if n.items == nil {
			n.items = newNode(inItems, anyType)
		}
		return r.read(n.items, span, depth)
	case kwProperties:
		return n.place != inSchema || r.properties(span, depth)
	case kwRequired:
		if n.place == inSchema && r.lists < len(r.needs) {
			r.needs[r.lists] = span
			r.lists++
		}
	case kwRef:
		return r.follow(n, span, depth)
	case kwAllOf:
		return r.allOf(n, span, depth)
	case kwAnyOf, kwOneOf:
		return r.either(n, span, word, depth)
	case kwPrefixItems:
		return n.types&anArray == 0 || r.unsupported(word)
	case kwNullable: // is read with the type
	case kwAdditionalProperties:
		if spans[kwRef] != nil || spans[kwAllOf] != nil { // it may refuse what these ask for
			r.unchecked(f, word, span)
		}
	default:
		r.unchecked(f, word, span)
	}
	return true
}

// types is the set that a type names, empty if it names none.
func (r *reader) types(span []byte) (set types) {
	if rawjson.IsArray(span) {
		var e rawjson.Elements
		for e.StartChecked(span); e.Next(); {
			if rawjson.IsString(e.Value) {
				set |= r.types(e.Value)
			}
		}
		return set
	}
	named, _ := r.text(span)
	for i, name := range typeNames {
		if named == name {
			set = 1 << i
		}
	}
	if set == aNumber {
		set |= anInteger
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
	case r.strict():
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

// unchecked notes a keyword that the server checks.
func (r *reader) unchecked(f *Field, word keyword, span []byte) {
	note := Unchecked{Keyword: keywordNames[word]}
	if word == kwFormat || word >= kwPattern && word <= kwContentMediaType {
		note.Value, _ = r.text(span)
	}
	if len(f.Unchecked) < maxUnchecked {
		f.Unchecked = append(f.Unchecked, note)
	}
}

// examples keeps the first few examples, none of what is not a list.
func (r *reader) examples(f *Field, span []byte) {
	var e rawjson.Elements
	for e.StartChecked(span); len(f.Examples) < maxExamples && e.Next(); {
		f.Examples = append(f.Examples, r.raw(e.Value))
	}
}
