package form

import (
	"math/bits"

	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Parse takes a requestedSchema apart. It is strict, so that nobody fills in a
// form whose answer cannot be checked: a keyword that could refuse an answer is
// known or the schema is refused, and the problem names the property and the
// cause. Annotations are tolerated. Nobody could answer a form of more than 128
// properties, 1,024 choices of one or 2,048 of all, or with names of more than
// 256 bytes, so that is refused too.
//
// The Schema keeps nothing of requestedSchema itself.
func Parse(requestedSchema []byte) (Schema, *Problem) {
	return parse(make([]Field, 0, 4), requestedSchema)
}

// parse is Parse with memory for the fields. That of Parse, which is inlined, is
// on the stack of a caller who keeps none of them.
func parse(fields []Field, requestedSchema []byte) (Schema, *Problem) {
	r := reader{data: requestedSchema}
	if len(requestedSchema) <= maxKept {
		r.kept = string(requestedSchema)
	}
	fields, ok := r.schema(fields)
	if !ok {
		if r.problem.Property == "" {
			r.problem.Message = sentence.Say("the schema {0}", r.problem.Message)
		}
		return Schema{}, r.problem
	}
	return Schema{fields}, nil
}

// maxKept is up to how many bytes a schema's text is kept for all strings of
// its fields to be pieces of. TinyGo's collector takes a step for every 16
// bytes that a pointer is away from where its memory begins.
const maxKept = 4096

// reader is a Parse under way. Its methods return whether all is well.
type reader struct {
	data    []byte
	kept    string // the same text, if it is short
	choices int    // of all fields
	problem *Problem
}

func (r *reader) fail(code Code, message sentence.Text) bool {
	r.problem = &Problem{Code: code, Message: message}
	return false
}

// schema reads all into the memory of fields, if there is enough. They are not
// the reader's, so that they need not be in the heap.
func (r *reader) schema(fields []Field) ([]Field, bool) {
	var f Field
	o := object{may: inSchema}
	var m rawjson.Members
	m.Start(r.data) // whatever is in it is well-formed from here on
	ok := o.read(r, &f, &m)
	if ok && o.properties != nil {
		fields, ok = r.properties(fields, o.properties)
	}
	if ok && (f.Kind != kindObject || o.properties == nil) {
		ok = r.fail(Unsupported, `is not of type "object" with properties`)
	}
	return fields, ok && (o.later == nil || r.required(fields, o.later))
}

// properties reads the fields.
func (r *reader) properties(fields []Field, span []byte) ([]Field, bool) {
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		name, ok := r.text(m.Name)
		if !ok || len(name) > maxName || len(fields) == maxFields {
			return nil, r.fail(Unsupported, "has too many properties, or one with a name that is too long or not Unicode text")
		}
		if (Schema{fields}).find(m.Name) >= 0 {
			ok = r.fail(Unsupported, "is there twice")
		} else {
			fields = append(fields, Field{})
			f := &fields[len(fields)-1]
			f.Name, f.Title = name, name
			o := object{may: inProperty}
			ok = o.within(r, f, m.Value)
		}
		if !ok {
			r.problem.Property = name
			return nil, false
		}
	}
	return fields, m.Err == nil || r.fail(Malformed, "has properties that are not an object")
}

// required marks the fields that are required. A property that is required and
// does not exist could not be asked for, and no answer would do.
func (r *reader) required(fields []Field, span []byte) bool {
	ok := true
	var e rawjson.Elements
	for e.StartChecked(span); ok && e.Next(); {
		var name string
		if name, ok = r.text(e.Value); !ok {
			break
		}
		i := Schema{fields}.find(e.Value)
		if i < 0 || fields[i].Required {
			r.fail(Unsupported, "is required twice, or is not one of the properties")
			if len(name) <= maxName {
				r.problem.Property = name
			}
			return false
		}
		fields[i].Required = true
	}
	return ok && e.Err == nil || r.fail(Malformed, "requires what is not a list of names")
}

// object is a schema object under way: the schema, a property, the items of an
// array, or a titled constant. The reader is not in it, so that it need not be
// in the heap.
type object struct {
	may  words // the keywords that may be there
	seen words // those that are

	// What has to wait for the rest: default; enumNames or required; properties.
	initial, later, properties []byte
}

// within reads an object that is in another one.
func (o *object) within(r *reader, f *Field, span []byte) bool {
	var m rawjson.Members
	m.StartChecked(span)
	return o.read(r, f, &m)
}

// read reads a schema object into a field, which has a Kind already where the
// object needs no type.
func (o *object) read(r *reader, f *Field, m *rawjson.Members) bool {
	for m.Next() {
		word := lookup(m.Name)
		if word < 0 || string(m.Value) == "null" && word != kwConst {
			continue // an annotation, or as good as absent
		}
		if o.may>>word&1 == 0 {
			return r.unsupported(word)
		}
		if o.seen>>word&1 == 1 {
			return r.fail(Unsupported, "has a keyword twice")
		}
		o.seen |= 1 << word
		if !o.keyword(r, f, word, m.Value) {
			return false
		}
	}
	if m.Err != nil {
		return r.fail(Malformed, sentence.Say("is not a JSON object: {0}", m.Err.Reason))
	}
	return o.may == inSchema || o.agree(r, f)
}

func (o *object) keyword(r *reader, f *Field, word keyword, span []byte) (ok bool) {
	switch word {
	case kwType:
		f.Kind = 0
		for kind, s := range kindNames {
			if s != "" && rawjson.Is(span, s) {
				f.Kind = Kind(kind)
			}
		}
	case kwDefault:
		o.initial = span
	case kwEnumNames, kwRequired:
		o.later = span
	case kwProperties:
		o.properties = span
	case kwTitle:
		return r.label(span, &f.Title)
	case kwDescription:
		return r.label(span, &f.Description)
	case kwConst:
		f.Default, ok = r.text(span)
		return ok || r.notText()
	case kwItems:
		return r.items(f, span)
	case kwFormat:
		s, _ := r.text(span)
		f.Format = Format(s)
		return f.Format.index() > 0 || r.fail(Unsupported, "has a format that is none of email, uri, date and date-time")
	case kwMinLength:
		return r.count(span, &f.MinLength)
	case kwMaxLength:
		return r.count(span, &f.MaxLength)
	case kwMinItems:
		return r.count(span, &f.MinItems)
	case kwMaxItems:
		return r.count(span, &f.MaxItems)
	case kwMinimum:
		return r.number(span, &f.Minimum)
	case kwMaximum:
		return r.number(span, &f.Maximum)
	default: // enum, oneOf, anyOf
		return r.options(f, span, word == kwEnum)
	}
	return true
}

// agree settles the kind, and refuses keywords that do not go with it or with
// each other.
func (o *object) agree(r *reader, f *Field) bool {
	may := inString | 1<<kwConst
	switch f.Kind {
	case String:
		if f.Options != nil {
			f.Kind, may = Choice, inChoice
			if o.seen>>kwEnum&1 == 0 {
				may &^= 1 << kwEnumNames
			}
		}
	case Number, Integer:
		may = inNumber
	case Boolean:
		may = inAny
	case Choices:
		may = inChoices
		if f.Options == nil {
			return r.freeList()
		}
	default:
		return r.fail(Unsupported, "has no type that a form can ask for")
	}
	if not := o.seen &^ may; not != 0 { // the first one is told
		return r.unsupported(keyword(bits.TrailingZeros32(uint32(not))))
	}
	if f.MinItems > len(f.Options) ||
		o.seen>>kwMaxItems&1 == 1 && f.MaxItems < max(f.MinItems, 1) ||
		o.seen>>kwMaxLength&1 == 1 && f.MaxLength < max(f.MinLength, 1) ||
		f.Minimum != "" && f.Maximum != "" && rawjson.Compare(f.Minimum, f.Maximum) > 0 {
		return r.fail(Unsupported, "has a minimum or maximum that leaves nothing to answer")
	}
	if o.later != nil && !r.enumNames(o.later, f.Options) {
		return false
	}
	if o.initial != nil && f.check(o.initial) == 0 {
		f.Default = r.raw(o.initial)
	}
	return true
}

func (r *reader) unsupported(word keyword) bool {
	return r.fail(Unsupported, sentence.About(`uses "{0}" where a form cannot honor it`, keywordNames[word]))
}

// label reads a title or description, if there is something in it.
func (r *reader) label(span []byte, into *string) bool {
	s, ok := r.text(span)
	if s != "" {
		*into = s
	}
	return ok || r.fail(Malformed, "has a title or description that is not text")
}

// count reads minLength and its like.
func (r *reader) count(span []byte, into *int) bool {
	s, ok := r.isNumber(span)
	if ok {
		*into, ok = parseCount(s)
	}
	return ok || r.notNumber()
}

// number reads minimum or maximum.
func (r *reader) number(span []byte, into *string) bool {
	s, ok := r.isNumber(span)
	if ok {
		*into = s
		_, ok = rawjson.ParseDecimal(s)
	}
	return ok || r.notNumber()
}

func (r *reader) isNumber(span []byte) (string, bool) { return r.raw(span), rawjson.IsNumber(span) }

func (r *reader) notNumber() bool {
	return r.fail(Malformed, "has a minimum or maximum that is no number, or none to compare with")
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
