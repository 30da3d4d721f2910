package enginetest

import (
	"bytes"
	"strings"

	"github.com/parley-mcp/parley/rawjson"
)

// Unfold is a line of a script in the notation: a raw member that is an object or
// an array stands for the string that holds its text, byte for byte.
func (r Raw) Unfold(line string) string {
	return r.replace(line, func(value string) string {
		if value[0] == '"' {
			return value
		}
		return string(rawjson.AppendQuoted(nil, value))
	})
}

// fold is the opposite: what a script shows for a line in the notation. A string
// stays a string if its text is no object or array of one line, or if Unfold would
// spell it in another way.
func (r Raw) fold(line string) string {
	return r.replace(line, func(value string) string {
		if token := []byte(value); rawjson.IsString(token) && rawjson.Valid(token) {
			text, ok := rawjson.AppendUnquoted(nil, token)
			if ok && (rawjson.IsObject(text) || rawjson.IsArray(text)) && oneLine(text) && string(rawjson.AppendQuoted(nil, text)) == value {
				return string(text)
			}
		}
		return value
	})
}

// oneLine reports whether a text is one value in one line, with nothing after it.
func oneLine(text []byte) bool {
	return rawjson.Valid(text) && endOf(string(text), 0) == len(text) && !bytes.ContainsAny(text, "\r\n\t")
}

// replace copies a line with other values of its raw members, if they are strings,
// objects or arrays. It goes by quotes and brackets alone, as lines need not be
// JSON. The error that an export answers is no raw member.
func (r Raw) replace(line string, value func(string) string) string {
	if strings.HasPrefix(line, `{"error":`) {
		return line
	}
	var b strings.Builder
	from := 0
	for at := 0; at < len(line); at++ {
		if line[at] != '"' {
			continue
		}
		end := endOf(line, at)
		if end == 0 {
			break
		}
		name := line[at+1 : end-1]
		if at = end - 1; !r[name] || end == len(line) || line[end] != ':' {
			continue
		}
		if end++; end == len(line) || !strings.ContainsRune(`"{[`, rune(line[end])) {
			continue
		}
		valueEnd := endOf(line, end)
		if valueEnd == 0 {
			break
		}
		b.WriteString(line[from:end])
		b.WriteString(value(line[end:valueEnd]))
		from, at = valueEnd, valueEnd-1
	}
	b.WriteString(line[from:])
	return b.String()
}

// endOf is where the string, object or array ends that begins at a place; 0 if it
// does not end.
func endOf(line string, at int) int {
	for depth := 0; at < len(line); at++ {
		switch line[at] {
		case '"':
			for at++; at < len(line) && line[at] != '"'; at++ {
				if line[at] == '\\' {
					at++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 && at < len(line) {
			return at + 1
		}
	}
	return 0
}
