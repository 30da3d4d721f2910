package form

import "github.com/parley-mcp/parley/rawjson"

// maxCount stands for every count from there on: no text and no list that fits
// into an answer comes near.
const maxCount = 1 << 30

// parseCount reads the value of minLength and its like: what JSON Schema calls
// a non-negative integer, so 3.0 is 3.
func parseCount(s string) (n int, ok bool) {
	d, ok := rawjson.ParseDecimal(s)
	if !ok || !d.IsInteger() || s[0] == '-' && d != (rawjson.Decimal{}) {
		return 0, false
	}
	if n, ok := d.Safe(); ok && n < maxCount {
		return int(n), true
	}
	return maxCount, true
}
