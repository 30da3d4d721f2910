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

// AppendInt appends a whole number in decimal digits. It stands in for
// strconv.AppendInt, whose tables cost a TinyGo module half a kilobyte.
func AppendInt(dst []byte, n int64) []byte {
	if n < 0 {
		return appendDigits(append(dst, '-'), -uint64(n), 10)
	}
	return appendDigits(dst, uint64(n), 10)
}

// Itoa is a whole number in decimal digits.
func Itoa(n int) string { return string(AppendInt(nil, int64(n))) }

// AppendHex appends a number in lower-case hexadecimal digits.
func AppendHex(dst []byte, n uint64) []byte { return appendDigits(dst, n, 16) }

func appendDigits(dst []byte, n, base uint64) []byte {
	var digits [20]byte
	at := len(digits)
	for {
		at--
		digits[at] = "0123456789abcdef"[n%base]
		if n /= base; n == 0 {
			return append(dst, digits[at:]...)
		}
	}
}
