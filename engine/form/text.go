package form

import (
	"github.com/parley-mcp/parley/rawjson"
)

// text is what a well-formed string token stands for: the token's own bytes
// where nothing is escaped. It fails on what is not Unicode text.
func text(token []byte) ([]byte, bool) {
	b, ok := unescaped(token)
	return b, ok && rawjson.ValidUTF8(b)
}

// unescaped is text for what is compared with Unicode text, so that it need not be
// known to be.
func unescaped(token []byte) ([]byte, bool) {
	body := token[1 : len(token)-1]
	if !escaped(body) {
		return body, true
	}
	return rawjson.AppendUnquoted(make([]byte, 0, len(body)), token)
}

func escaped(body []byte) bool {
	for _, c := range body {
		if c == '\\' {
			return true
		}
	}
	return false
}

// same compares without the conversion that would allocate under TinyGo.
func same(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if c != s[i] {
			return false
		}
	}
	return true
}

// trim takes white space off both ends of what somebody typed.
func trim(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return c-'0' < 10 }

func isLetter(c byte) bool { return c|0x20-'a' < 26 }
