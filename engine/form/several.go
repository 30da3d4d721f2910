package form

import "github.com/parley-mcp/parley/rawjson"

// checkList is the problem of a list of values, or 0.
func (f *Field) checkList(span []byte) Code {
	if !rawjson.IsArray(span) || f.Items == nil {
		return WrongKind
	}
	values, ok := elements(span)
	if !ok {
		return TooMany
	}
	var sums []uint64
	for _, value := range values {
		switch code := f.Items.check(value); code {
		case 0:
		case WrongKind:
			return BadValue
		default:
			return code
		}
		if !f.UniqueItems {
			continue
		}
		one := sum(value)
		for i, before := range sums {
			if before == one && alike(canonical(values[i]), canonical(value)) {
				return Repetition
			}
		}
		sums = append(sums, one)
	}
	switch {
	case len(values) < f.MinItems:
		return TooFew
	case len(values) > f.MaxItems && f.MaxItems > 0:
		return TooMany
	}
	return 0
}

// checkUnion is the problem of a value of several types, or 0.
func (f *Field) checkUnion(span []byte) Code {
	fits := 0
	for i := range f.Alternatives {
		if f.Alternatives[i].check(span) == 0 {
			fits++
		}
	}
	switch {
	case fits == 0:
		return WrongKind
	case fits > 1 && f.exclusive:
		return Ambiguous
	}
	return 0
}
