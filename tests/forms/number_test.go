package forms_test

import (
	"math/big"
	"strings"

	"github.com/parley-mcp/parley/engine/form"
)

// number is a number for a field, as JSON text; edge is one at a bound, if there is one.
func number(d *dice, f *form.Field, edge bool) string {
	step := rational(f.MultipleOf)
	if step == nil && f.Kind == form.Integer {
		step = big.NewRat(1, 1)
	}
	low, high := bound(f.Minimum, f.ExclusiveMinimum, 1), bound(f.Maximum, f.ExclusiveMaximum, -1)
	if edge && step == nil {
		if end := one(d, f.Minimum, f.Maximum); end != "" && f.ExclusiveMinimum == "" && f.ExclusiveMaximum == "" {
			return end
		}
	}
	fine := step
	if fine == nil {
		fine = one(d, big.NewRat(1, 4), big.NewRat(1, 100))
	}
	// Counted in steps: the first above the lower bound and the last below the upper one.
	first, last := (*big.Int)(nil), (*big.Int)(nil)
	if low.at != nil {
		first = new(big.Int).Neg(floor(new(big.Rat).Neg(new(big.Rat).Quo(low.at, fine))))
		if low.open && new(big.Rat).Mul(new(big.Rat).SetInt(first), fine).Cmp(low.at) == 0 {
			first.Add(first, big.NewInt(1))
		}
	}
	if high.at != nil {
		last = floor(new(big.Rat).Quo(high.at, fine))
		if high.open && new(big.Rat).Mul(new(big.Rat).SetInt(last), fine).Cmp(high.at) == 0 {
			last.Sub(last, big.NewInt(1))
		}
	}
	steps := big.NewInt(int64(d.below(40)))
	switch {
	case first == nil && last == nil:
		steps.Sub(steps, big.NewInt(10))
	case first == nil || edge && last != nil && d.below(2) == 0:
		steps = new(big.Int).Sub(last, little(d, edge))
	default:
		steps = new(big.Int).Add(first, little(d, edge))
		if last != nil && steps.Cmp(last) > 0 {
			steps = last
		}
		// People write numbers near zero, and not near the least one there is.
		if zero := big.NewInt(int64(d.below(40))); !edge && first.Cmp(zero) < 0 && (last == nil || last.Cmp(zero) > 0) {
			steps = zero
		}
	}
	return decimal(new(big.Rat).Mul(new(big.Rat).SetInt(steps), fine))
}

func little(d *dice, edge bool) *big.Int {
	if edge {
		return new(big.Int)
	}
	return big.NewInt(int64(d.below(9)))
}

// limit is a bound of a number; open if it is beyond what is allowed.
type limit struct {
	at   *big.Rat
	open bool
}

// bound is the one of two that allows less; sign is 1 for lower bounds.
func bound(inclusive, exclusive string, sign int) limit {
	in, out := limit{rational(inclusive), false}, limit{rational(exclusive), true}
	if in.at == nil || out.at != nil && sign*out.at.Cmp(in.at) >= 0 {
		return out
	}
	return in
}

func rational(text string) *big.Rat {
	if text == "" {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("a bound that is no number: " + text)
	}
	return r
}

func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and the denominator is positive
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(20), "0")
}
