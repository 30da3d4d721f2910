package system_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/system"
)

func TestLine(t *testing.T) {
	tests := map[string]string{
		"plain":         "/home/me/calls-2",
		"nothing":       "",
		"blanks":        "/home/me/my  calls",
		"quotes":        `it's "so"`,
		"of the shell":  "$(id) `id` $HOME ~ * ? ! # & | ; < > ( ) { } [ ] \\",
		"other letters": "/home/me/Übung ☃",
		"a URL":         "https://example.com/mcp?a=1&b=2#c",
	}
	for name, word := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command("sh", "-c", system.ShellLine("printf", "%s|%s", word, "end")).Output()
			if got := strings.TrimSuffix(string(out), "|end"); err != nil || got != word {
				t.Errorf("got %q, %v, want %q", got, err, word)
			}
		})
	}
	if got, want := system.ShellLine("parley", "resume", "x", "--state-dir", "/a b"), "parley resume x --state-dir '/a b'"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := system.ShellQuote("\x1b[2Ja\nb"), "'␛[2Ja␤b'"; got != want { // no name of a file is worth that
		t.Errorf("got %s, want %s", got, want)
	}
}
