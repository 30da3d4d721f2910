package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

var kept []byte

// What grows in proportion passes, and what grows faster does not, whether it
// makes more allocations or larger ones.
func TestLinear(t *testing.T) {
	tests := map[string]struct {
		run  func(n int)
		want string // in the error
	}{
		"one for each": {func(n int) {
			for range n {
				kept = make([]byte, 100)
			}
		}, ""},
		"a slice that doubles": {func(n int) {
			kept = nil
			for range n {
				kept = append(kept, make([]byte, 100)...)
			}
		}, ""},
		"one for each, and a hundred at first": {func(n int) {
			for range n + 100 {
				kept = make([]byte, 100)
			}
		}, ""},
		"all before copied for each": {func(n int) {
			kept = nil
			for range n {
				kept = slices.Concat(kept, make([]byte, 100))
			}
		}, " bytes each of "},
		"one for each before": {func(n int) {
			for i := range n {
				for range i {
					kept = make([]byte, 100)
				}
			}
		}, " allocations each of "},
		"ten for each, and a hundredth for each before": {func(n int) {
			for i := range n {
				for range i/100 + 10 {
					kept = make([]byte, 100)
				}
			}
		}, ""}, // 10 each of 10, and 15 each of 1,000
		"ten for each, and a twentieth for each before": {func(n int) {
			for i := range n {
				for range i/20 + 10 {
					kept = make([]byte, 100)
				}
			}
		}, " allocations each of "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var uses []use
			for _, n := range []int{1, 10, 100, 1000} {
				u, err := counted(n, func() error { tt.run(n); return nil })
				if err != nil {
					t.Fatal(err)
				}
				uses = append(uses, u)
			}
			err := linear(uses, 10)
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// The command fails where something costs its square, and names it.
func TestGrowthFails(t *testing.T) {
	squares := thing{"squares", []int{1, 10, 100}, 10, func(_ parley.Engine, n int) (*load, error) {
		nothing := func() error { return nil }
		return &load{func() error {
			for range n * n {
				kept = make([]byte, 100)
			}
			return nil
		}, nothing}, nil
	}}
	taker := turnTaker{report: newReport(io.Discard)}
	if err := taker.growth([]thing{squares}); err == nil || !strings.Contains(err.Error(), "squares, native: 10.") {
		t.Errorf("got %v", err)
	}
}

// A module's memory counts, too.
func TestLinearMemory(t *testing.T) {
	if err := linear([]use{{n: 10, guest: 1 << 20}, {n: 100, guest: 10 << 20}}, 10); err != nil {
		t.Errorf("in proportion: got %v", err)
	}
	if err := linear([]use{{n: 10, guest: 1 << 20}, {n: 100, guest: 100 << 20}}, 10); err == nil {
		t.Error("a hundred times for ten times as many: got no error")
	}
}

// A session's work grows in proportion, natively and in wazero.
func TestGrowth(t *testing.T) {
	for _, thing := range things {
		for _, engine := range []string{"native", "wazero"} {
			t.Run(thing.name+"/"+engine, func(t *testing.T) {
				uses, err := thing.measure(engine, hosttest.Compiled)
				if err != nil {
					t.Fatal(err)
				}
				if err := linear(uses, thing.from); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
