package form

import "github.com/parley-mcp/parley/rawjson"

func (r *reader) count(span []byte) (n int, ok bool) {
	if ok = rawjson.IsNumber(span); ok {
		n, ok = parseCount(r.raw(span))
	}
	return n, ok || r.notNumber()
}

// number reads a bound of numbers. Of two the narrower one counts: the smaller of
// those that are upper ones.
func (r *reader) number(span []byte, into *string, upper bool) bool {
	s := r.raw(span)
	ok := rawjson.IsNumber(span)
	if ok {
		_, ok = rawjson.ParseDecimal(s)
	}
	if !ok {
		return r.notNumber()
	}
	if *into == "" || rawjson.Compare(s, *into) < 0 == upper {
		*into = s
	}
	return true
}

func (r *reader) notNumber() bool {
	return r.fail(Malformed, "has a minimum or maximum that is no number, or none to compare with")
}

// multipleOf reads a divisor. A second one, and one of more digits than can be
// divided by, are for the server.
func (r *reader) multipleOf(f *Field, span []byte) bool {
	s := r.raw(span)
	d, ok := rawjson.ParseDecimal(s)
	if !rawjson.IsNumber(span) || s[0] == '-' || ok && d == (rawjson.Decimal{}) {
		return r.fail(Malformed, "has a multipleOf that is not a number above 0")
	}
	if _, ok := rawjson.Multiple("1", s); !ok || f.MultipleOf != "" && f.MultipleOf != s {
		r.unchecked(f, kwMultipleOf, nil)
	} else {
		f.MultipleOf = s
	}
	return true
}

// bound is one of the four of numbers: two lower ones, then two upper ones, of
// which the second does not take the bound itself.
func (f *Field) bound(i int) string {
	switch i {
	case 0:
		return f.Minimum
	case 1:
		return f.ExclusiveMinimum
	case 2:
		return f.Maximum
	}
	return f.ExclusiveMaximum
}

// beyond are the codes of a number that a bound refuses.
var beyond = [...]Code{TooSmall, NotAbove, TooLarge, NotBelow}

// isEmpty reports whether bounds leave nothing to answer.
func (n *node) isEmpty() bool {
	f := n.Field
	switch f.Kind {
	case String, Choice:
		return n.seen>>kwMaxLength&1 == 1 && f.MaxLength < max(f.MinLength, 1)
	case Choices, List:
		return n.seen>>kwMaxItems&1 == 1 && f.MaxItems < max(f.MinItems, 1) || f.Kind == Choices && f.MinItems > len(f.Options)
	case Number, Integer:
		for i := range 4 {
			low, high := f.bound(i&1), f.bound(2+i/2)
			if low != "" && high != "" && rawjson.Compare(low, high) > -(i&1|i/2) {
				return true
			}
		}
	}
	return false
}
