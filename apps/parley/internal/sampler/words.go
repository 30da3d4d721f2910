package sampler

import (
	"errors"
	"strings"
)

// Split splits a command into words as a shell does, with single and double
// quotes and backslashes, and does nothing else that a shell does: no
// variables, no patterns, no second command.
func Split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	open := false // a word has begun, even if it is still empty
	rest := []rune(command)
	for len(rest) > 0 {
		c := rest[0]
		rest = rest[1:]
		switch c {
		case ' ', '\t', '\n':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
			continue
		case '\'', '"':
			end, text := quoted(c, rest)
			if end < 0 {
				return nil, errors.New("a quote is not closed")
			}
			word.WriteString(text)
			rest = rest[end:]
		case '\\':
			if len(rest) == 0 {
				return nil, errors.New("it ends in a backslash")
			}
			word.WriteRune(rest[0])
			rest = rest[1:]
		default:
			word.WriteRune(c)
		}
		open = true
	}
	if open {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("it is empty")
	}
	return words, nil
}

// quoted reads up to the closing quote and returns what follows it and the
// text, or -1. In double quotes a backslash keeps a quote or a backslash.
func quoted(quote rune, text []rune) (end int, unquoted string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i + 1, b.String()
		case quote == '"' && text[i] == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
		}
		b.WriteRune(text[i])
	}
	return -1, ""
}
