// Package said reads what a server says when it refuses a request: the words that
// the person who made it needs.
package said

import (
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
)

const (
	maxWords = 500     // characters of the server's words
	maxTitle = 4 << 10 // bytes of a page in which its title is looked for
	maxDepth = 3       // objects and arrays around the words
)

// Words are those of the body of a response: the message of an error in any of the
// shapes that servers and gateways give it, the title of a page, or the text
// itself. They are one line of at most 500 characters, without control characters
// and without those that turn the direction of writing; "" if there are none.
func Words(body []byte) string {
	if len(body) > 3 && string(body[:3]) == "\ufeff" {
		body = body[3:]
	}
	body = rawjson.Trim(body)
	switch {
	case len(body) == 0 || !rawjson.ValidUTF8(body[:min(len(body), maxTitle)]) && !rawjson.ValidUTF8(body):
		return ""
	case body[0] == '<':
		return ofPage(body[:min(len(body), maxTitle)])
	case rawjson.Valid(body):
		return OfError(body)
	}
	return clean(body)
}

// OfError are the words of a JSON-RPC error, or of another JSON text that says why.
// What none of the known members has is not shown: it may be anything.
func OfError(value []byte) string { return find(value, maxDepth) }

// names are the members in which words stand, the most telling first: RFC 6749
// and JSON-RPC, web frameworks, RFC 9457.
var names = [...]string{"error_description", "message", "Message", "error", "detail", "errors", "msg", "title", "reason", "description", "fault", "faultstring"}

// find looks for the words in a value.
func find(value []byte, depth int) string {
	switch {
	case rawjson.IsString(value):
		text, ok := rawjson.AppendUnquoted(nil, value)
		if !ok { // half of a character
			text = value[1 : len(value)-1]
		}
		return clean(text)
	case depth == 0:
	case rawjson.IsArray(value):
		var e rawjson.Elements
		if e.Start(value); e.Next() {
			return find(e.Value, depth-1)
		}
	case rawjson.IsObject(value):
		for _, name := range names {
			if words := find(rawjson.Member(value, name), depth-1); words != "" {
				return words
			}
		}
	}
	return ""
}

// ofPage are the words of a page: its title, or what Express says under the title "Error".
func ofPage(page []byte) string {
	title := clean(inside(page, "title"))
	if title == "" || title == "Error" {
		if words := clean(inside(page, "pre")); words != "" {
			return words
		}
	}
	return title
}

// inside is what the first element of a kind has inside.
func inside(page []byte, tag string) []byte {
	from := after(page, "<"+tag)
	for from < len(page) && page[from] != '>' {
		from++
	}
	if from >= len(page) {
		return nil
	}
	page = page[from+1:]
	if end := after(page, "</"+tag); end < len(page) {
		return page[:end-len("</"+tag)]
	}
	return nil
}

// after is where a tag ends in a text, the text's length if it has none.
func after(text []byte, tag string) int {
	for i := 0; i+len(tag) < len(text); i++ {
		n := 0
		for n < len(tag) && (text[i+n] == tag[n] || tag[n] >= 'a' && text[i+n] == tag[n]-('a'-'A')) {
			n++
		}
		if n == len(tag) {
			return i + n
		}
	}
	return len(text)
}

// clean makes one line of a text.
func clean(text []byte) string {
	dst := make([]byte, 0, min(len(text), 4*maxWords))
	space := false
	for n := 0; len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r <= ' ' || r >= 0x7f && r <= 0xa0 || r == 0x2028 || r == 0x2029:
			space = len(dst) > 0
			continue
		case isHidden(r):
			continue
		}
		if space {
			dst = append(dst, ' ')
			space = false
			n++
		}
		if n++; n > maxWords {
			return string(dst) + "…"
		}
		dst = utf8.AppendRune(dst, r)
	}
	return string(dst)
}

// isHidden reports whether a character cannot be seen, or turns the direction of
// writing.
func isHidden(r rune) bool {
	return r == 0xad || r == 0x61c || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e ||
		r >= 0x2060 && r <= 0x206f || r == 0xfeff || r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe0fff
}
