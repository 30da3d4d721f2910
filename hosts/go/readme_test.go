package parley_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The README's snippets for Go hosts compile, given what they leave out.
func TestReadmeCompiles(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`(?s)\n## In a Go host\n(.*?)\n## `).FindSubmatch(readme)
	if section == nil {
		t.Fatal("there is no section for Go hosts")
	}
	snippets := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(section[1], -1)
	if len(snippets) < 2 {
		t.Fatalf("got %d snippets, want one for its own connection and one for yours", len(snippets))
	}
	program := `package main

import (
	"context"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

var (
	ctx          = context.Background()
	url          string
	askThePerson func(context.Context, parley.Question) ([]byte, error)
	snapshot     []byte
	_            engine.Options

	sendWithYourClient func(context.Context, parley.Request) ([]byte, error)
)

func main() {
`
	for _, snippet := range snippets {
		program += "\t{\n" + string(snippet[1]) + "\t_, _ = out, err\n\t}\n"
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("%s\n%s", program, out)
	}
}
