package rawjson

// Decimal is the exact value of a JSON number, without converting it: a float
// would call 9007199254740993 and 9007199254740992 the same.
type Decimal struct {
	sign     int    // -1, 0 or 1
	digits   string // from the first digit that is not 0 to the last, maybe with a point among them
	top, low int    // the powers of ten of the first and the last digit
}

// maxExponent bounds an exponent, so that powers of ten stay far within 32
// bits.
const maxExponent = 99_999_999

// ParseDecimal reads a number token. It fails on an exponent beyond maxExponent.
func ParseDecimal(s string) (d Decimal, ok bool) {
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
		if c := s[end]; '0' <= c && c <= '9' {
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
	return Decimal{sign, s[first : last+1], e + power(point, first), e + power(point, last)}, true
}

// power is the power of ten of the digit at index i of a number with the point
// at another.
func power(point, i int) int {
	if i < point {
		return point - i - 1
	}
	return point - i
}

// IsInteger reports whether d has no fraction.
func (d *Decimal) IsInteger() bool { return d.low >= 0 }

// maxSafe is the largest integer that a double tells from its neighbours.
const maxSafe = 1<<53 - 1

// Safe is d as an integer. It fails on a fraction, and beyond ±(2^53-1).
func (d *Decimal) Safe() (n int64, ok bool) {
	if !d.IsInteger() || d.top > 15 {
		return 0, false
	}
	for i := 0; i < len(d.digits); i++ {
		if c := d.digits[i]; c != '.' {
			n = n*10 + int64(c-'0')
		}
	}
	for i := 0; i < d.low; i++ {
		n *= 10
	}
	return n * int64(d.sign), n <= maxSafe
}

// Compare is negative, 0 or positive as the number x is less than, equal to or
// greater than y. Both must have passed [ParseDecimal].
func Compare(x, y string) int {
	a, _ := ParseDecimal(x)
	b, _ := ParseDecimal(y)
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

// Hash is that of the value: 1.50 and 15e-1 have the same.
func (d *Decimal) Hash() uint64 {
	text := make([]byte, 0, len(d.digits)+20)
	for i := 0; i < len(d.digits); i++ {
		if c := d.digits[i]; c != '.' {
			text = append(text, c)
		}
	}
	return Hash(AppendInt(text, int64(d.top)*3+int64(d.sign)))
}

// digit is the digit at index i, or behind the point there. Behind the last
// digit it is 0, which is less than any.
func (d *Decimal) digit(i *int) int {
	if *i < len(d.digits) && d.digits[*i] == '.' {
		*i++
	}
	if *i < len(d.digits) {
		return int(d.digits[*i])
	}
	return 0
}
