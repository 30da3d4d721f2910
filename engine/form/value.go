package form

import "github.com/parley-mcp/parley/rawjson"

// text is what an option's value says: a string's text, else the JSON text.
func (o *Option) text() string {
	if len(o.Value) > 0 && o.Value[0] == '"' {
		text, _ := rawjson.Unquote([]byte(o.Value))
		return text
	}
	return o.Value
}

// alike reports whether two values, of which strings are written alike, are the
// same one.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	return isNumeric(a) && isNumeric(b) && rawjson.Compare(a, b) == 0
}

func isNumeric(value string) bool { return value != "" && (value[0] == '-' || isDigit(value[0])) }

// canonical is a value as alike compares it: a string has no needless escapes.
func canonical(value []byte) string {
	if rawjson.IsString(value) && escaped(value) {
		text, _ := rawjson.Unquote(value)
		return string(rawjson.AppendQuoted(nil, text))
	}
	return string(value)
}

// few is up to how many values are compared with each other as they are. Of
// more, sums are compared first: a thousand long texts would take a second.
const few = 64

// sum is the same for values that are alike.
func sum(value []byte) uint64 {
	text := canonical(value)
	if d, ok := rawjson.ParseDecimal(text); ok && isNumeric(text) {
		return d.Hash()
	}
	return rawjson.Hash([]byte(text))
}

// sums are those of options, nil of a few.
func sums(options []Option) (all []uint64) {
	if len(options) > few {
		for i := range options {
			all = append(all, sum([]byte(options[i].Value)))
		}
	}
	return all
}

// find is the index of the option with a value, or -1.
func find(options []Option, sums []uint64, value string) int {
	own := uint64(0)
	if sums != nil {
		own = sum([]byte(value))
	}
	for i := range options {
		if (sums == nil || sums[i] == own) && alike(options[i].Value, value) {
			return i
		}
	}
	return -1
}
