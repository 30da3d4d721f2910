package rawjson

// maxAligned is how many digits two numbers may have, one written below the
// other, for Multiple to divide them.
const maxAligned = 64

// Multiple reports whether the number x is a multiple of another, exactly. It
// fails on a divisor of 0, and where the two have more than 64 digits when one is
// written below the other: 100 and 0.01 have five.
func Multiple(x, of string) (is, ok bool) {
	a, aOK := ParseDecimal(x)
	b, bOK := ParseDecimal(of)
	if !aOK || !bOK || b.sign == 0 {
		return false, false
	}
	low, top := min(a.low, b.low), max(a.top, b.top)
	if a.sign == 0 {
		low, top = b.low, b.top
	}
	if top-low >= maxAligned {
		return false, false
	}
	if a.sign == 0 {
		return true, true
	}
	divisor, rest := b.align(low), [maxAligned + 1]byte{}
	for i, power := 0, a.top; power >= low; power-- { // long division, from the first digit on
		copy(rest[1:], rest[:maxAligned])
		rest[0] = 0
		if c := a.digit(&i); c != 0 {
			rest[0] = byte(c - '0')
			i++
		}
		for atLeast(&rest, &divisor) {
			subtract(&rest, &divisor)
		}
	}
	return rest == [maxAligned + 1]byte{}, true
}

// align is d in digits, that of the power low first.
func (d *Decimal) align(low int) (digits [maxAligned + 1]byte) {
	for i, power := 0, d.top; ; power-- {
		c := d.digit(&i)
		if c == 0 {
			return digits
		}
		digits[power-low] = byte(c - '0')
		i++
	}
}

func atLeast(a, b *[maxAligned + 1]byte) bool {
	for i := maxAligned; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return true
}

func subtract(a, b *[maxAligned + 1]byte) {
	borrow := byte(0)
	for i := range a {
		less := b[i] + borrow
		if borrow = 0; a[i] < less {
			a[i] += 10
			borrow = 1
		}
		a[i] -= less
	}
}
