package system

import (
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
)

// ShellLine is a command of words as a POSIX shell reads it back. Nothing in it is more
// than text on a terminal.
func ShellLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = ShellQuote(word)
	}
	return strings.Join(quoted, " ")
}

// ShellQuote is a word as a POSIX shell reads it back, in quotes if it needs them.
func ShellQuote(word string) string {
	word = plain.Line(word, len(word))
	if word != "" && !strings.ContainsFunc(word, isOdd) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isOdd reports whether a shell may take a character for more than itself.
func isOdd(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_@%+=:,./-", c))
}
