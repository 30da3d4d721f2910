package session

import (
	"github.com/parley-mcp/parley/rawjson"
)

// params are those of the question to sign in.
func (h *challenged) params() []byte {
	t := &text{}
	t.Put(`{"status":` + rawjson.Itoa(h.status))
	if said := bearer(h.challenge); len(said) > len("{}") {
		t.Put(",")
		t.Raw(said[1 : len(said)-1])
	}
	if isPlain(h.challenge) && h.challenge != "" {
		t.Begin(`"challenge":`)
		t.Quoted(h.challenge)
	}
	t.Put("}")
	return t.Dst
}

// bearer is what the Bearer challenge among those of WWW-Authenticate says, as
// an object; what cannot be read of it is left out.
//
// Source: RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1.
func bearer(challenge string) []byte {
	t := &text{rawjson.NewWriter('{', 0)}
	scheme := ""
	var seen [3]bool
	for rest := challenge; ; {
		rest = skip(rest, " \t,")
		name, after := token(rest)
		if name == "" {
			break
		}
		if rest = skip(after, " \t"); rest == "" || rest[0] != '=' {
			if scheme == "bearer" { // the next one begins
				break
			}
			scheme = lower(name)
			continue
		}
		var value string
		var ok bool
		if value, rest, ok = parameter(skip(rest[1:], " \t")); !ok {
			break
		}
		for i, known := range [...]string{"error", "scope", "resource_metadata"} {
			if scheme == "bearer" && lower(name) == known && !seen[i] && isPlain(value) {
				seen[i] = true
				t.Comma()
				t.Quoted(known)
				t.Put(":")
				t.Quoted(value)
			}
		}
	}
	t.Put("}")
	return t.Dst
}

// parameter reads the value of a parameter: a quoted string, or what stands
// for a token.
func parameter(text string) (value, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		for i := 0; i < len(text); i++ {
			if c := text[i]; c == ',' || c == ' ' || c == '\t' {
				return text[:i], text[i:], true
			}
		}
		return text, "", true
	}
	var unquoted []byte
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return string(unquoted), text[i+1:], true
		case '\\':
			if i++; i < len(text) {
				unquoted = append(unquoted, text[i])
			}
		default:
			unquoted = append(unquoted, c)
		}
	}
	return "", "", false
}

// token reads a name.
func token(text string) (name, rest string) {
	i := 0
	for i < len(text) && text[i] > ' ' && text[i] < 0x7f && text[i] != ',' && text[i] != '=' && text[i] != '"' {
		i++
	}
	return text[:i], text[i:]
}

func skip(text, what string) string {
	for text != "" && (text[0] == what[0] || text[0] == what[1] || len(what) > 2 && text[0] == what[2]) {
		text = text[1:]
	}
	return text
}

func lower(name string) string {
	b := []byte(name)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// isPlain reports whether a text can be shown as it is.
func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' && text[i] != '\t' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}
