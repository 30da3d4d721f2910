package parley_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The programs of the README beside this file run: a host, and two processes of
// which one parks a call and the other goes on with it. They stay short.
func TestReadmeRuns(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	programs := regexp.MustCompile("(?s)```go\n(package main.*?)```").FindAllSubmatch(readme, -1)
	if len(programs) != 2 {
		t.Fatalf("got %d programs, want a host and one that parks", len(programs))
	}
	build := func(source []byte, most int) string {
		t.Helper()
		if n := strings.Count(string(source), "\n"); n > most {
			t.Errorf("a program has %d lines, want at most %d", n, most)
		}
		file := filepath.Join(t.TempDir(), "main.go")
		must(t, os.WriteFile(file, source, 0o600))
		program := filepath.Join(t.TempDir(), "program")
		if out, err := exec.Command("go", "build", "-o", program, file).CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s", source, out)
		}
		return program
	}
	run := func(typed, program string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Stdin = strings.NewReader(typed)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()
	const asked, answered = "Which units should the weather in Oslo be in?", "Oslo: 70 °F"

	host := build(programs[0][1], 25)
	if out := run("imperial\n\n", host, server.URL); !strings.Contains(out, asked) || !strings.Contains(out, answered) {
		t.Errorf("the host: got %s", out)
	}
	parks, dir := build(programs[1][1], 42), filepath.Join(t.TempDir(), "calls")
	id := strings.TrimSpace(run("", parks, server.URL, dir))
	if out := run("imperial\n\n", parks, server.URL, dir, id); !strings.Contains(out, asked) || !strings.Contains(out, answered) {
		t.Errorf("resumed: got %s", out)
	}
}

// The README's asker answers a form.
func TestReadmeAsks(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	snippet := regexp.MustCompile("(?s)```go\n(func ask.*?)```").FindSubmatch(readme)
	if snippet == nil {
		t.Fatal("there is no asker")
	}
	program := `package main

import (
	"context"
	"os"

	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
)

var answers = map[string]string{"unit": "m"}

func main() {
	params := []byte(` + "`" + `{"message":"?","requestedSchema":{"type":"object","properties":{"unit":{"type":"string"}}}}` + "`" + `)
	answer, err := ask(context.Background(), parley.Question{Params: params})
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(answer)
}

` + string(snippet[1])
	file := filepath.Join(t.TempDir(), "main.go")
	must(t, os.WriteFile(file, []byte(program), 0o600))
	out, err := exec.Command("go", "run", file).CombinedOutput()
	if want := `{"action":"accept","content":{"unit":"m"}}`; err != nil || string(out) != want {
		t.Errorf("got %v %s, want %s", err, out, want)
	}
}

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
	"os"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/terminal"
)

var (
	ctx          = context.Background()
	url          string
	askThePerson func(context.Context, parley.Question) ([]byte, error)
	snapshot     []byte

	sendWithYourClient func(context.Context, parley.Outbound) ([]byte, error)
)

func main() {
`
	for _, snippet := range snippets {
		program += "\t{\n" + string(snippet[1]) + "\t_, _ = res, err\n\t}\n"
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("%s\n%s", program, out)
	}
}
