package rawjson_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/rawjson"
)

func TestMultiple(t *testing.T) {
	for _, tt := range []struct {
		x, of  string
		is, ok bool
	}{
		{"10", "5", true, true}, {"11", "5", false, true}, {"-10", "5", true, true}, {"0", "5", true, true}, {"0.0e9", "7", true, true},
		{"0.3", "0.1", true, true}, {"0.35", "0.1", false, true}, {"1e3", "10", true, true}, {"1", "10", false, true}, {"5", "0.5", true, true},
		{"1e63", "1", true, true}, {"1e64", "1", false, false}, {"1", "1e-99999999", false, false}, {"1e99999999", "1e-99999999", false, false},
		{"9007199254740993", "3", true, true}, {"9007199254740992", "3", false, true}, {"9007199254740994", "2", true, true}, {"1", "0", false, false}, {"1.0", "1.00", true, true},
		{strings.Repeat("9", 64), "9", true, true}, {strings.Repeat("9", 65), "9", false, false}, {"1e999999999", "1", false, false},
	} {
		is, ok := rawjson.Multiple(tt.x, tt.of)
		if is != tt.is || ok != tt.ok {
			t.Errorf("Multiple(%s, %s): got %v %v, want %v %v", tt.x, tt.of, is, ok, tt.is, tt.ok)
		}
	}
}

// What math/big says of numbers up to 64 digits.
func TestMultipleAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func(most int) string {
		s := ""
		for range 1 + random.IntN(most) {
			s += string(rune('0' + random.IntN(10)))
		}
		s = strings.TrimLeft(s, "0") + "1"
		if random.IntN(2) == 0 {
			s += "." + string(rune('0'+random.IntN(10)))
		}
		if random.IntN(2) == 0 {
			s += []string{"e3", "E-3", "e+1", "e0"}[random.IntN(4)]
		}
		return s
	}
	multiples := 0
	for range 20000 {
		of, x := number(4), number(20)
		a, _ := new(big.Rat).SetString(x)
		b, _ := new(big.Rat).SetString(of)
		if random.IntN(2) == 0 {
			a.Mul(b, new(big.Rat).SetInt64(random.Int64N(1e9)))
			x = a.FloatString(12)
		}
		want := new(big.Rat).Quo(a, b).IsInt()
		if is, ok := rawjson.Multiple(x, of); !ok || is != want {
			t.Fatalf("Multiple(%s, %s): got %v %v, want %v", x, of, is, ok, want)
		}
		if want {
			multiples++
		}
	}
	if multiples < 5000 {
		t.Errorf("only %d multiples", multiples)
	}
}
