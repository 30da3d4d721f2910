package rawjson

// Int reads a number token as an integer. It fails on every other value, on a
// fraction or exponent, and on what does not fit an int64. It stands in for
// strconv.ParseInt, which costs a TinyGo module 12 KB.
func Int(span []byte) (int64, bool) {
	digits := span
	negative := len(span) > 0 && span[0] == '-'
	if negative {
		digits = span[1:]
	}
	if len(digits) == 0 || len(digits) > 19 { // 19 digits cannot wrap a uint64
		return 0, false
	}
	var n uint64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	if negative {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}
