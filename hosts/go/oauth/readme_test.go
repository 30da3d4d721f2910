package oauth_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

func snippets(t *testing.T) [][]byte {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var found [][]byte
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(readme, -1) {
		found = append(found, m[1])
	}
	if len(found) != 2 {
		t.Fatalf("got %d snippets, want a program and other ways to sign in", len(found))
	}
	return found
}

// TestReadmeRuns runs the README's program: once it signs in, then it has an
// account.
func TestReadmeRuns(t *testing.T) {
	w := newWorld(t)
	plain := newPlain(t, w)
	w.change(func() {
		w.mcp = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			_, known := w.scopes[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
			w.mu.Unlock()
			var request struct{ ID json.RawMessage }
			json.NewDecoder(r.Body).Decode(&request)
			if !known {
				rw.WriteHeader(http.StatusUnauthorized)
				return
			}
			answerJSON(rw, 200, result(request.ID, map[string]any{"resultType": "complete", "content": []any{map[string]any{"type": "text", "text": "deployed"}}}))
		})
	})
	source, program, dir := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "program"), filepath.Join(t.TempDir(), "new")
	if err := os.WriteFile(source, snippets(t)[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, signsIn := range []bool{true, false} {
		cmd := exec.CommandContext(t.Context(), program, plain+"/mcp", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var said []string
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if _, page, ok := strings.Cut(lines.Text(), ", open "); ok {
				w.browse(t.Context(), oauth.Page{URL: page})
			}
			said = append(said, lines.Text())
		}
		io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil || len(said) == 0 || said[len(said)-1] != "deployed" || (len(said) == 2) != signsIn {
			t.Errorf("the program: %v, %d lines", err, len(said))
		}
	}
}

// TestReadmeCompiles vets the other snippet, given what it leaves out.
func TestReadmeCompiles(t *testing.T) {
	program := `package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/auth"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

var (
	url, id, secret, idp, atIDP, name string
	idToken                           func(context.Context) (string, error)
	server                            parley.StreamableHTTP
	h                                 auth.OAuthHandler
)

func main() {
` + string(snippets(t)[1]) + `
	_, _, _, _ = program, employee, handled, err
}
`
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("%s", out)
	}
}
