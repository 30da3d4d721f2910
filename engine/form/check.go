package form

import (
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Check says what is wrong with an answer: the content of an accepted
// elicitation, a JSON object as text. No content is an empty object. At most
// one problem is told of each property: first those of properties that nobody
// asked for, [maxFields] at most, then the schema's in its order. An answer
// without problems may be sent.
func (s Schema) Check(content []byte) []Problem {
	var few [16]Code
	codes, problems, err := s.match(few[:0], content)
	if err != nil {
		return []Problem{{"", Malformed, sentence.Say("the answer is not a JSON object: {0}", err.Sentence())}}
	}
	for i, code := range codes {
		if f := &s.Fields[i]; code != 0 && (code != Missing || f.Required) {
			problems = append(problems, *f.problem(code))
		}
	}
	return problems
}

// match holds an answer against the schema: a code for each field, 0 where all
// is well, and problems for what is no field. The codes are in the memory given,
// if there is enough.
func (s Schema) match(codes []Code, content []byte) (_ []Code, unknown []Problem, err *rawjson.Error) {
	for range s.Fields {
		codes = append(codes, Missing)
	}
	if len(content) == 0 {
		return codes, nil, nil
	}
	var m rawjson.Members
	for m.Start(content); m.Next(); {
		switch i := s.find(m.Name); {
		case i >= 0 && codes[i] == Missing:
			codes[i] = s.Fields[i].check(m.Value)
		case i >= 0:
			codes[i] = Repeated
		case len(unknown) < maxFields:
			name, ok := text(m.Name)
			if !ok || len(name) > maxName {
				name = nil
			}
			unknown = append(unknown, Problem{string(name), Unknown, "is not part of the question"})
		}
	}
	return codes, unknown, m.Err
}

// find is the index of the field with the name that a token stands for, or -1.
func (s Schema) find(token []byte) int {
	if name, ok := unescaped(token); ok {
		for i := range s.Fields {
			if same(name, s.Fields[i].Name) {
				return i
			}
		}
	}
	return -1
}

// Check says what is wrong with a value for the field, JSON text, or nil. It is
// what [Schema.Check] says about this property.
func (f *Field) Check(value []byte) *Problem {
	span, err := rawjson.Value(value)
	if err != nil {
		return f.problem(Malformed)
	}
	return f.problem(f.check(span))
}

// check is the problem of a well-formed span, or 0.
func (f *Field) check(span []byte) Code {
	if f.Nullable && same(span, "null") {
		return 0
	}
	switch f.Kind {
	case String:
		return f.checkString(span)
	case Number, Integer:
		return f.checkNumber(span)
	case Boolean:
		if span[0] == 't' || span[0] == 'f' {
			return 0
		}
	case Choice:
		if f.option(span) >= 0 {
			return 0
		}
		return NoChoice
	case Choices:
		return f.checkChoices(span)
	case List:
		return f.checkList(span)
	case Union:
		return f.checkUnion(span)
	}
	return WrongKind
}

func (f *Field) checkString(span []byte) Code {
	if !rawjson.IsString(span) {
		return WrongKind
	}
	s, ok := text(span)
	if !ok {
		return NotText
	}
	n := utf8.RuneCount(s)
	switch {
	case n < f.MinLength:
		return TooShort
	case n > f.MaxLength && f.MaxLength > 0:
		return TooLong
	case !f.Format.fits(s):
		return BadFormat
	}
	return 0
}

func (f *Field) checkNumber(span []byte) Code {
	if !rawjson.IsNumber(span) {
		return WrongKind
	}
	s := string(span)
	d, ok := rawjson.ParseDecimal(s)
	switch {
	case !ok:
		return BadExponent
	case f.Kind == Integer && !d.IsInteger():
		return WrongKind
	}
	for i := range 4 {
		bound := f.bound(i)
		if bound == "" {
			continue
		}
		order := rawjson.Compare(s, bound)
		if i >= 2 {
			order = -order
		}
		if order < i&1 {
			return beyond[i]
		}
	}
	if f.MultipleOf == "" {
		return 0
	}
	is, ok := rawjson.Multiple(s, f.MultipleOf)
	switch {
	case !ok:
		return BadExponent
	case !is:
		return NotMultiple
	}
	return 0
}

func (f *Field) checkChoices(span []byte) Code {
	if !rawjson.IsArray(span) {
		return WrongKind
	}
	values, ok := elements(span)
	if !ok {
		return NoChoice // one of them must be twice in there
	}
	chosen := make([]bool, len(f.Options))
	sums := sums(f.Options)
	for _, value := range values {
		i := find(f.Options, sums, canonical(value))
		if i < 0 {
			return NoChoice
		}
		// JSON Schema would let one choice count twice towards minItems.
		if chosen[i] {
			return ChosenTwice
		}
		chosen[i] = true
	}
	switch {
	case len(values) < f.MinItems:
		return TooFew
	case len(values) > f.MaxItems && f.MaxItems > 0:
		return TooMany
	}
	return 0
}

// option is the index of the option with the value of a span, or -1.
func (f *Field) option(span []byte) int { return find(f.Options, nil, canonical(span)) }
