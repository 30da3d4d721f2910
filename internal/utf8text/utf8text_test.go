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
	if got, want := utf8text.Valid(text), utf8.Valid(text); got != want {
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

func BenchmarkValid(b *testing.B) {
	for name, text := range map[string]string{"ascii": "It is 18 degrees in New York. ", "accents": "Il fait 18 degrés à New York. ", "kanji": "ニューヨークの気温は十八度です。"} {
		long := []byte(strings.Repeat(text, 1<<20/len(text)))
		for how, valid := range map[string]func([]byte) bool{"ours": utf8text.Valid, "unicode/utf8": utf8.Valid} {
			b.Run(name+"/"+how, func(b *testing.B) {
				b.SetBytes(int64(len(long)))
				for b.Loop() {
					if !valid(long) {
						b.Fatal("it is valid")
					}
				}
			})
		}
	}
}
