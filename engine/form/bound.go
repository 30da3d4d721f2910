package form

import "github.com/parley-mcp/parley/rawjson"

// least reads minLength or minItems: of two the larger counts.
func (r *reader) least(span []byte, into *int) bool {
	n, ok := r.count(span)
	*into = max(*into, n)
	return ok
}

// most reads maxLength or maxItems: of two the smaller counts.
func (r *reader) most(span []byte, into *int, again bool) bool {
	n, ok := r.count(span)
	if again {
		n = min(*into, n)
	}
	*into = n
	return ok
}

func (r *reader) count(span []byte) (n int, ok bool) {
	if ok = rawjson.IsNumber(span); ok {
		n, ok = parseCount(r.raw(span))
	}
	return n, ok || r.notNumber()
}

// number reads a bound of numbers: of two the larger counts, with order -1 the
// smaller.
func (r *reader) number(span []byte, into *string, order int) bool {
	s := r.raw(span)
	ok := rawjson.IsNumber(span)
	if ok {
		_, ok = rawjson.ParseDecimal(s)
	}
	if !ok {
		return r.notNumber()
	}
	*into = larger(*into, s, order)
	return true
}

// larger is the larger of two bounds, with order -1 the smaller; "" is none.
func larger(a, b string, order int) string {
	if a == "" || b != "" && rawjson.Compare(b, a)*order > 0 {
		return b
	}
	return a
}

func (r *reader) notNumber() bool {
	return r.fail(Malformed, "has a minimum or maximum that is no number, or none to compare with")
}

// multipleOf reads a divisor. A second one, and one of more digits than can be
// divided by, are for the server.
func (r *reader) multipleOf(f *Field, span []byte) bool {
	s := r.raw(span)
	if !rawjson.IsNumber(span) || s[0] == '-' {
		return r.notMultiple()
	}
	if d, ok := rawjson.ParseDecimal(s); ok && d == (rawjson.Decimal{}) {
		return r.notMultiple()
	}
	if _, ok := rawjson.Multiple("1", s); !ok || f.MultipleOf != "" && f.MultipleOf != s {
		r.unchecked(f, kwMultipleOf, nil)
	} else {
		f.MultipleOf = s
	}
	return true
}

func (r *reader) notMultiple() bool {
	return r.fail(Malformed, "has a multipleOf that is not a number above 0")
}

// isEmpty reports whether bounds leave nothing to answer for a kind.
func (n *node) isEmpty(kind Kind) bool {
	f := &n.Field
	switch kind {
	case String:
		return n.seen>>kwMaxLength&1 == 1 && f.MaxLength < max(f.MinLength, 1)
	case Choices, List:
		return n.seen>>kwMaxItems&1 == 1 && f.MaxItems < max(f.MinItems, 1)
	case Number, Integer:
		return crossed(f.Minimum, f.Maximum, 1) || crossed(f.Minimum, f.ExclusiveMaximum, 0) ||
			crossed(f.ExclusiveMinimum, f.Maximum, 0) || crossed(f.ExclusiveMinimum, f.ExclusiveMaximum, 0)
	}
	return false
}

// crossed reports whether low is above high, with least 0 also whether it is
// equal to it.
func crossed(low, high string, least int) bool {
	return low != "" && high != "" && rawjson.Compare(low, high) >= least
}
