package rawjson

// maxAligned is how many digits two numbers may have, one written below the
// other, for Multiple to divide them.
const maxAligned = 64

// Multiple reports whether the number x is a multiple of another, exactly. It
// fails on a divisor of 0, and if the two have more than 64 digits when one is
// written below the other: 100 and 0.01 have five.
func Multiple(x, of string) (is, ok bool) {
	a, aOK := ParseDecimal(x)
	b, bOK := ParseDecimal(of)
	if a.sign == 0 { // as many digits as the divisor
		a.top, a.low = b.top, b.low
	}
	low := min(a.low, b.low)
	if !aOK || !bOK || b.sign == 0 || max(a.top, b.top)-low >= maxAligned {
		return false, false
	}
	rest, divisor := a.align(low), b.align(low)
	for left := a.top - b.top; left >= 0; left-- { // long division
		for take(rest[left:], divisor) {
		}
	}
	for _, digit := range rest {
		if digit != 0 {
			return false, true
		}
	}
	return true, true
}

// align is d in digits from the power of ten low on, the last one first.
func (d *Decimal) align(low int) []byte {
	digits := make([]byte, maxAligned)
	i := 0
	for at := d.top - low; at >= 0; at-- {
		if c := d.digit(&i); c != 0 {
			digits[at] = byte(c - '0')
			i++
		}
	}
	return digits
}

// take subtracts b from a, which may have fewer digits, if it is not more than a.
func take(a, b []byte) bool {
	for write := range 2 {
		less := byte(0)
		for i := range a {
			digit := a[i] - b[i] - less
			if less = 0; digit > 9 { // it went below 0
				digit += 10
				less = 1
			}
			if write == 1 {
				a[i] = digit
			}
		}
		if less == 1 {
			return false
		}
	}
	return true
}
