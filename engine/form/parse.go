package form

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Parse takes a requestedSchema apart. What would mislead the person, what asks
// for a secret and what cannot be drawn is refused, and the problem names the
// property and the cause. No schema, null, true and {} ask for a confirmation, and so
// does [], as some languages write an object that is empty.
// A form of more than 128 properties, 1,024 choices of one or 2,048 of all, or
// with names of more than 256 bytes is refused too: who should answer it?
//
// The Schema keeps nothing of requestedSchema itself.
func Parse(requestedSchema []byte) (Schema, *Problem) { return parse(requestedSchema, false) }

// ParseStrict is Parse for those who make forms: anything beyond the
// specification's subset is refused, because other clients refuse it.
func ParseStrict(requestedSchema []byte) (Schema, *Problem) { return parse(requestedSchema, true) }

func parse(requestedSchema []byte, strict bool) (Schema, *Problem) {
	r := reader{data: requestedSchema, asked: strict}
	if len(requestedSchema) <= maxKept {
		r.kept = string(requestedSchema)
	}
	if !r.schema() {
		if r.problem.Property == "" {
			r.problem.Message = sentence.Say("the schema {0}", r.problem.Message)
		}
		return Schema{}, r.problem
	}
	return r.made, nil
}

// maxKept is up to how many bytes a schema's text is kept for all strings of
// its fields to be pieces of. TinyGo's collector takes a step for every 16
// bytes that a pointer is away from where its memory begins.
const maxKept = 4096

// reader is a Parse under way. Its methods return whether all is well.
type reader struct {
	data    []byte
	kept    string // the same text, if it is short
	asked   bool   // to be strict
	made    Schema
	needs   [maxNesting + 1][]byte // lists of required names
	lists   int                    // how many of needs there are
	choices int                    // and alternatives, of all fields
	again   int                    // bytes that $ref had read again
	problem *Problem
}

// strict reports whether only the specification's subset is taken.
func (r *reader) strict() bool { return hasStrict && r.asked }

func (r *reader) fail(code Code, message sentence.Text) bool {
	r.problem = &Problem{Code: code, Message: message}
	return false
}

// schema reads all.
func (r *reader) schema() bool {
	span, err := rawjson.Value(r.data)
	switch {
	case err != nil && (len(r.data) > 0 || r.strict()):
		return r.notObject(err)
	case !r.strict() && (err != nil || same(span, "null") || message.IsEmptyArray(span)):
		return true
	}
	r.made.Fields = make([]Field, 0, 4)
	root := newNode(inSchema, anyType)
	if !r.read(root, span, 0) {
		return false
	}
	if root.types&anObject == 0 || r.strict() && (root.types != anObject || root.seen>>kwProperties&1 == 0) {
		return r.fail(Unsupported, `is not of type "object" with properties`)
	}
	r.made.Unchecked = root.Unchecked
	if len(r.made.Fields) == 0 && (root.seen>>kwAnyOf|root.seen>>kwOneOf)&1 == 1 {
		return r.fail(Unsupported, "asks for one of several forms, which cannot be shown")
	}
	for _, names := range r.needs[:r.lists] {
		if !r.required(names) {
			return false
		}
	}
	return true
}

// properties reads the fields.
func (r *reader) properties(span []byte, depth int) bool {
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		name, ok := r.text(m.Name)
		if !ok || len(name) > maxName || len(r.made.Fields) == maxFields {
			return r.fail(Unsupported, "has more than 128 properties, or one with a name that is longer than 256 bytes or not Unicode text")
		}
		if r.made.find(m.Name) >= 0 {
			ok = r.fail(Unsupported, "is there twice")
		} else {
			n := newNode(inProperty, anyType)
			n.Name = name
			if ok = r.read(n, m.Value, depth) && r.settle(n); ok {
				r.made.Fields = append(r.made.Fields, n.own...)
			}
		}
		if !ok {
			r.problem.Property = name
			return false
		}
	}
	if m.Err != nil && (r.strict() || !message.IsEmptyArray(span)) {
		return r.fail(Malformed, "has properties that are not an object")
	}
	return true
}

// required marks the fields that are required. A property that is required and
// does not exist could not be asked for, and no answer would do.
func (r *reader) required(span []byte) bool {
	var e rawjson.Elements
	for e.StartChecked(span); e.Next(); {
		name, ok := r.text(e.Value)
		if !ok {
			return r.fail(Malformed, "requires what is not a list of names")
		}
		i := r.made.find(e.Value)
		if i < 0 {
			r.fail(Unsupported, "is required, but is not one of the properties")
			if len(name) <= maxName {
				r.problem.Property = name
			}
			return false
		}
		r.made.Fields[i].require()
	}
	return e.Err == nil || r.fail(Malformed, "requires what is not a list of names")
}

// require marks a field that has to be in the answer, so it is asked for even if
// it is readOnly.
func (f *Field) require() {
	f.Required, f.ReadOnly = true, false
	for i := range f.Alternatives {
		f.Alternatives[i].Required = true
	}
}

func (r *reader) notObject(err *rawjson.Error) bool {
	return r.fail(Malformed, sentence.Say("is not a JSON object: {0}", err.Reason))
}

func (r *reader) unsupported(word keyword) bool {
	return r.fail(Unsupported, sentence.About(`uses "{0}", which a form cannot show`, keywordNames[word]))
}

// label reads a title or description, if there is something in it and none was
// read before.
func (r *reader) label(span []byte, into *string) bool {
	s, ok := r.text(span)
	if *into == "" {
		*into = s
	}
	return ok || r.fail(Malformed, "has a title or description that is not text")
}

// text is what a string token stands for. It fails on what is not a string or
// not Unicode text.
func (r *reader) text(token []byte) (string, bool) {
	if !rawjson.IsString(token) {
		return "", false
	}
	b, ok := text(token)
	if !ok {
		return "", false
	}
	return r.raw(b), true
}

// raw is b as a string: a piece of the text that is kept anyway, where b is a
// span of it. A span reaches to the end of the memory it was cut from, which
// tells where it begins.
func (r *reader) raw(b []byte) string {
	from := cap(r.data) - cap(b)
	if to := from + len(b); from >= 0 && to <= len(r.kept) && same(b, r.kept[from:to]) {
		return r.kept[from:to]
	}
	return string(b)
}
