package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// evil has what a terminal or a reader would take for something else than
// text, and a number to tell where it came from.
func evil(n int) string {
	return fmt.Sprintf("E%d\x1b]0;pwned\x07\x1b[31;1mred\x1b[2J\u009b5n\u202eexe.gpj\u2066\u200b\ufeff\r\b\x00\x7fend", n)
}

// seen is how evil shows on one line.
func seen(n int) string {
	return fmt.Sprintf("E%d␛]0;pwned␇␛[31;1mred␛[2J<U+009B>5n<U+202E>exe.gpj<U+2066><U+200B><U+FEFF>␍␈␀␡end", n)
}

// unsafe are bytes that are never to reach the terminal.
var unsafe = []string{"\x1b]0;pwned", "\x07", "\x1b[31;1m", "\x1b[2J", "\u009b", "\u202e", "\u2066", "\u200b", "\ufeff", "\x00", "\x7f"}

func checkSafe(t *testing.T, written string) {
	t.Helper()
	for _, bad := range unsafe {
		if i := strings.Index(written, bad); i >= 0 {
			t.Errorf("%q reached the terminal: %q", bad, written[max(i-40, 0):min(i+40, len(written))])
		}
	}
}

// quoted puts the n-th evil text where <n> stands in JSON.
func quoted(pattern string) string {
	for n := range 40 {
		text, _ := json.Marshal(evil(n))
		pattern = strings.ReplaceAll(pattern, fmt.Sprintf("<%d>", n), string(text))
	}
	return pattern
}
