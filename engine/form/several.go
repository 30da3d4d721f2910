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
	var written []string // for comparing
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
		one := canonical(value)
		for _, before := range written {
			if alike(before, one) {
				return Repetition
			}
		}
		written = append(written, one)
	}
	switch {
	case len(values) < f.MinItems:
		return TooFew
	case len(values) > f.MaxItems && f.MaxItems > 0:
		return TooMany
	}
	return 0
}

// canonical is a value as alike compares it: a string has no needless escapes.
func canonical(value []byte) string {
	if rawjson.IsString(value) && escaped(value) {
		text, _ := rawjson.Unquote(value)
		return string(rawjson.AppendQuoted(nil, text))
	}
	return string(value)
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
