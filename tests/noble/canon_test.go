package noble_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/canon"
)

// TestCanonicalAlike writes JSON in odd ways, and spoils some of it: both sides
// must give the same canonical form or none.
func TestCanonicalAlike(t *testing.T) {
	type request struct {
		JSON hexBytes `json:"json"`
	}
	type answer struct {
		Canonical string
		Error     bool
	}
	r := source("canonical")
	requests := make([]request, 5000)
	for i := range requests {
		text := []byte(value(r, 4))
		if i%4 == 0 {
			text = spoil(r, text)
		}
		requests[i].JSON = text
	}
	for _, edge := range []int{63, 64, 65, 66} {
		requests = append(requests, request{[]byte(strings.Repeat("[", edge) + strings.Repeat("]", edge))})
	}
	with, without := 0, 0
	for i, got := range node[request, answer](t, "canon.mjs", requests) {
		want, ok := canon.Append(nil, requests[i].JSON)
		if ok {
			with++
		} else {
			without++
		}
		if ok == got.Error || ok && string(want) != got.Canonical {
			t.Errorf("%q: noble %q (none %v), codec %q (none %v)", requests[i].JSON, got.Canonical, got.Error, want, !ok)
		}
	}
	if with < 1000 || without < 500 {
		t.Errorf("%d texts with a canonical form and %d without, want both in numbers", with, without)
	}
}

// value is JSON text with at most depth containers around each other.
func value(r *rand.Rand, depth int) string {
	space := []string{"", "", "", " ", "\n\t", "\r "}
	pad := func() string { return space[r.IntN(len(space))] }
	kind := r.IntN(6)
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return []string{"true", "false", "null"}[r.IntN(3)]
	case 1, 2:
		return number(r)
	case 3:
		return text(r, 12)
	}
	items := make([]string, r.IntN(5))
	for i := range items {
		items[i] = pad() + value(r, depth-1) + pad()
		if kind == 5 {
			items[i] = pad() + text(r, 3) + pad() + ":" + items[i]
		}
	}
	if kind == 4 {
		return "[" + strings.Join(items, ",") + pad() + "]"
	}
	return "{" + pad() + strings.Join(items, ",") + "}"
}

func number(r *rand.Rand) string {
	digits := func(n int) string {
		b := make([]byte, 1+r.IntN(n))
		for i := range b {
			b[i] = "0000123456789"[r.IntN(13)]
		}
		return string(b)
	}
	n := []string{"", "-"}[r.IntN(2)]
	if whole := strings.TrimLeft(digits(20), "0"); whole != "" {
		n += whole
	} else {
		n += "0"
	}
	if r.IntN(2) == 0 {
		n += "." + digits(20)
	}
	switch r.IntN(6) {
	case 0, 1:
		n += []string{"e", "E"}[r.IntN(2)] + []string{"", "+", "-"}[r.IntN(3)] + digits(3)
	case 2: // about the largest exponent
		n += "e" + []string{"", "-"}[r.IntN(2)] + strconv.Itoa(9990+r.IntN(20))
	}
	return n
}

// text is a string of up to n characters, of which a few sort, escape or fail
// in remarkable ways.
func text(r *rand.Rand, n int) string {
	pieces := []string{"a", "b", "\\u0061", "\\u0041", "\\/", "/", "\\\"", "\\\\", "\\b", "\\n", "\\u000a", "\\u001F", "\\u007f", "\u007f",
		"é", "\\u00e9", "\u2028", "\ufb33", "\U0001f600", "\\ud83d\\ude00", "\\uD83D\\uDE00", "\uffff", "\\uffff", "\\u0000", "_", "0", "10"}
	if r.IntN(20) == 0 {
		pieces = append(pieces, "\\ud800", "\\udc00", "\xff", "\xed\xa0\x80", "\x01", "\\x")
	}
	var b strings.Builder
	b.WriteByte('"')
	for range r.IntN(n) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String() + `"`
}

// spoil changes, takes or adds a byte.
func spoil(r *rand.Rand, text []byte) []byte {
	at := r.IntN(len(text))
	b := []byte(` "{}[]:,0-.eE+\ntu`)[r.IntN(17)]
	switch r.IntN(3) {
	case 0:
		text[at] = b
		return text
	case 1:
		return slices.Delete(text, at, at+1)
	default:
		return slices.Insert(text, at, b)
	}
}
