package rawjson

import (
	"unicode/utf8"
)

// Is reports whether the string token stands for exactly s. Escapes count as
// the characters they stand for; letter case counts.
func Is(token []byte, s string) bool {
	if len(token) < 2 || token[0] != '"' {
		return false
	}
	body := token[1 : len(token)-1]
	switch {
	case len(body) == 0 || len(s) == 0:
		return len(body) == len(s)
	case body[0] != '\\' && body[0] != s[0]: // most names differ here
		return false
	case len(body) <= len(s): // with an escape the text would be shorter still
		return equal(body, s) && !escaped(body)
	case !escaped(body):
		return false
	}
	text, ok := Unquote(token)
	return ok && text == s
}

// equal compares without the conversion that TinyGo would allocate for.
func equal[T string | []byte](a []byte, b T) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if c != b[i] {
			return false
		}
	}
	return true
}

func escaped(body []byte) bool {
	return plainRun(body, 0) != len(body)
}

// Unquote returns the text of a well-formed string token. It fails on what is
// not Unicode text: invalid UTF-8 and lone surrogates.
func Unquote(token []byte) (string, bool) {
	if len(token) < 2 || token[0] != '"' {
		return "", false
	}
	body := token[1 : len(token)-1]
	if !escaped(body) {
		return string(body), ValidUTF8(body)
	}
	text, ok := AppendUnquoted(make([]byte, 0, len(body)), token)
	return string(text), ok && ValidUTF8(text)
}

// AppendUnquoted appends the text of a well-formed string token to dst.
// Bytes that are not UTF-8 are passed on as they are; a lone surrogate, which
// no byte sequence can stand for, fails. dst may be the token's own memory
// (dst = token[:0]): the text is never longer than what it is read from.
func AppendUnquoted(dst, token []byte) ([]byte, bool) {
	n := len(dst)
	dst = Grow(dst, len(token))
	dst = dst[:cap(dst)]
	for i := 1; ; i++ {
		run := i
		i = plainRun(token, i)
		n += copyRun(dst[n:], token[run:i])
		if token[i] != '\\' { // the closing quote
			return dst[:n], true
		}
		i++
		c := token[i]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := hex4(token, i+1)
			i += 4
			if r >= 0xDC00 && r < 0xE000 {
				return dst[:n], false
			}
			if r >= 0xD800 && r < 0xDC00 {
				low, ok := rune(0), false
				if i+2 < len(token) && token[i+1] == '\\' && token[i+2] == 'u' {
					low, ok = hex4(token, i+3)
				}
				if !ok || low < 0xDC00 || low >= 0xE000 {
					return dst[:n], false
				}
				i += 6
				r = (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
			}
			n += utf8.EncodeRune(dst[n:], r)
			continue
		} // ", \ and / stand for themselves
		dst[n] = c
		n++
	}
}

// copyRun is copy for text that is mostly short: a loop of some bytes costs
// less than a call, above all in wasm.
func copyRun[T string | []byte](dst []byte, run T) int {
	if len(run) > 16 {
		return copy(dst, run)
	}
	for i := 0; i < len(run); i++ {
		dst[i] = run[i]
	}
	return len(run)
}

// Grow returns dst with room for n more bytes. What is long it makes as long as it
// needs to be, where slices.Grow in a TinyGo module would make n bytes to append,
// and room for the next power of two.
func Grow(dst []byte, n int) []byte {
	if n <= cap(dst)-len(dst) {
		return dst
	}
	return append(make([]byte, 0, max(len(dst)+n, 2*cap(dst))), dst...)
}

func hex4(data []byte, i int) (rune, bool) {
	if i+4 > len(data) {
		return 0, false
	}
	var r rune
	for _, c := range data[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// AppendQuoted appends text as a JSON string. Only what JSON forbids in a
// string is escaped; every other byte is passed on as it is, so that text that
// is not UTF-8 survives.
func AppendQuoted[T string | []byte](dst []byte, text T) []byte {
	const hex = "0123456789abcdef"
	const spare = len(`\u0000"`) // room for one escape and the closing quote
	n := len(dst)
	dst = Grow(dst, len(text)+len(text)/8+spare)
	dst = dst[:cap(dst)]
	dst[n] = '"'
	n++
	for from := 0; ; from++ {
		run := from
		for from+8 <= len(text) && plainBytes(word(text[from:from+8], 0)) == highs {
			from += 8
		}
		for from < len(text) && isPlain(text[from]) {
			from++
		}
		if need := n + from - run + spare; need > len(dst) {
			dst = Grow(dst[:n], need-n)
			dst = dst[:cap(dst)]
		}
		n += copyRun(dst[n:], text[run:from])
		if from == len(text) {
			dst[n] = '"'
			return dst[:n+1]
		}
		dst[n] = '\\'
		c := text[from]
		switch c {
		case '"', '\\':
		case '\n':
			c = 'n'
		case '\r':
			c = 'r'
		case '\t':
			c = 't'
		default:
			copy(dst[n+1:], "u00")
			dst[n+4], dst[n+5] = hex[c>>4], hex[c&15]
			n += 6
			continue
		}
		dst[n+1] = c
		n += 2
	}
}
