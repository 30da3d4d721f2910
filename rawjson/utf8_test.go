package rawjson_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
)

func checkUTF8(t *testing.T, text []byte) {
	t.Helper()
	want := utf8.Valid(text)
	if got := rawjson.ValidUTF8InModule(text); got != want {
		t.Errorf("ValidUTF8InModule(%q): got %v, want %v", text, got, want)
	}
	if got := rawjson.ValidUTF8(text); got != want {
		t.Errorf("ValidUTF8(%q): got %v, want %v", text, got, want)
	}
}

// A character, whole or not, is seen wherever it stands between ASCII.
func TestValidUTF8(t *testing.T) {
	for _, other := range []string{"", "é", "ée", "€", "日本", "😀", "\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80", "\xff", "é\xff"} {
		for before := range 70 {
			for _, after := range []int{0, 1, 7, 8, 31, 32, 33, 64} {
				checkUTF8(t, []byte(strings.Repeat("a", before)+other+strings.Repeat("a", after)))
				checkUTF8(t, []byte(strings.Repeat("a", before)+other+strings.Repeat("a", after)+other))
			}
		}
	}
}

func FuzzValidUTF8(f *testing.F) {
	f.Add([]byte("plain"), 3)
	f.Add([]byte("é\xff"), 40)
	f.Fuzz(func(t *testing.T, text []byte, pad int) {
		checkUTF8(t, text)
		checkUTF8(t, append(bytes.Repeat([]byte("a"), max(0, pad%100)), text...))
	})
}
