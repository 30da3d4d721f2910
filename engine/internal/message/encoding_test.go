package message_test

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A text is UTF-8 or not wherever the bytes stand that tell, and wherever it is cut.
func TestEncoding(t *testing.T) {
	for _, other := range []string{"\x80", "\xa2", "\xff", "é", "\xc3", "日", "\xe6\x97", "😀", "\xed\xa0\x80"} {
		for before := range 75 {
			text := []byte(`{"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("a", before) + other + strings.Repeat("b", 40) + `"}}`)
			want := utf8.Valid(text)
			for at := 0; at <= len(text); at += 1 + at%3 {
				if err := sliced(text, 1<<20, false, at).Answer().Err(false); (err == nil) != want {
					t.Fatalf("%q cut at %d: got %v, and UTF-8 is %v", text, at, err, want)
				}
			}
		}
	}
}
