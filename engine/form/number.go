package form

// decimal is the exact value of a JSON number, without converting it: a float
// would call 9007199254740993 and 9007199254740992 the same.
type decimal struct {
	sign     int    // -1, 0 or 1
	digits   string // from the first digit that is not 0 to the last, maybe with a point among them
	top, low int    // the powers of ten of the first and the last digit
}

// maxExponent bounds an exponent, so that powers of ten stay far within 32
// bits.
const maxExponent = 99_999_999

// parseDecimal reads a JSON number. It fails on an exponent beyond maxExponent.
func parseDecimal(s string) (d decimal, ok bool) {
	sign, point, first, last, end := 1, -1, -1, -1, 0
	for ; end < len(s) && s[end]|0x20 != 'e'; end++ {
		switch s[end] {
		case '-':
			sign = -1
		case '.':
			point = end
		case '0':
		default:
			if first < 0 {
				first = end
			}
			last = end
		}
	}
	if first < 0 {
		return d, true
	}
	if point < 0 {
		point = end
	}
	e, negative := 0, false
	for end++; end < len(s); end++ {
		if c := s[end]; isDigit(c) {
			if e = e*10 + int(c-'0'); e > maxExponent {
				return d, false
			}
		} else if c == '-' {
			negative = true
		}
	}
	if negative {
		e = -e
	}
	return decimal{sign, s[first : last+1], e + power(point, first), e + power(point, last)}, true
}

// power is the power of ten of the digit at index i of a number with the point
// at another.
func power(point, i int) int {
	if i < point {
		return point - i - 1
	}
	return point - i
}

// integral reports whether d has no fraction.
func (d *decimal) integral() bool { return d.low >= 0 }

// compare is negative, 0 or positive as the number x is less than, equal to or
// greater than y. Both have been let through by parseDecimal.
func compare(x, y string) int {
	a, _ := parseDecimal(x)
	b, _ := parseDecimal(y)
	if a.sign != b.sign {
		return a.sign - b.sign
	}
	order := a.top - b.top
	for i, j := 0, 0; order == 0; i, j = i+1, j+1 {
		c, d := a.digit(&i), b.digit(&j)
		if c|d == 0 {
			return 0
		}
		order = c - d
	}
	return order * a.sign
}

// digit is the digit at index i, or behind the point there. Behind the last
// digit it is 0, which is less than any.
func (d *decimal) digit(i *int) int {
	if *i < len(d.digits) && d.digits[*i] == '.' {
		*i++
	}
	if *i < len(d.digits) {
		return int(d.digits[*i])
	}
	return 0
}

// maxCount stands for every count from there on: no text and no list that fits
// into an answer comes near.
const maxCount = 1 << 30

// parseCount reads the value of minLength and its like: what JSON Schema calls
// a non-negative integer, so 3.0 is 3.
func parseCount(s string) (n int, ok bool) {
	d, ok := parseDecimal(s)
	if !ok || d.sign < 0 || !d.integral() {
		return 0, false
	}
	if d.top > 8 {
		return maxCount, true
	}
	for i := 0; i < len(d.digits); i++ {
		if c := d.digits[i]; c != '.' {
			n = n*10 + int(c-'0')
		}
	}
	for ; d.low > 0; d.low-- {
		n *= 10
	}
	return n, true
}
