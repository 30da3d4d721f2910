package utf8text_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/internal/utf8text"
)

func check(t *testing.T, text []byte) {
	t.Helper()
	want := utf8.Valid(text)
	if got := utf8text.ValidInModule(text); got != want {
		t.Errorf("ValidInModule(%q): got %v, want %v", text, got, want)
	}
	if got := utf8text.Valid(text); got != want {
		t.Errorf("Valid(%q): got %v, want %v", text, got, want)
	}
}

// A character, whole or not, is seen wherever it stands between ASCII.
func TestValid(t *testing.T) {
	for _, other := range []string{"", "é", "ée", "€", "日本", "😀", "\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80", "\xff", "é\xff"} {
		for before := range 70 {
			for _, after := range []int{0, 1, 7, 8, 31, 32, 33, 64} {
				check(t, []byte(strings.Repeat("a", before)+other+strings.Repeat("a", after)))
				check(t, []byte(strings.Repeat("a", before)+other+strings.Repeat("a", after)+other))
			}
		}
	}
}

func FuzzValid(f *testing.F) {
	f.Add([]byte("plain"), 3)
	f.Add([]byte("é\xff"), 40)
	f.Fuzz(func(t *testing.T, text []byte, pad int) {
		check(t, text)
		check(t, append(bytes.Repeat([]byte("a"), max(0, pad%100)), text...))
	})
}
