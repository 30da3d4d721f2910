// Package storytest runs the story server, tests/stories/go-server, as a program:
// tests of apps import nothing of the module that it is in. It is built from the
// workspace, once for all tests of a package, whose TestMain calls [Clean].
package storytest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var built struct {
	once sync.Once
	dir  string // empty if nothing was built
	err  error
}

// Program is the path of the built server.
func Program() (path string, err error) {
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "parley-stories-"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-o", built.dir+string(filepath.Separator), "github.com/parley-mcp/parley/tests/stories/go-server")
		cmd.Env = append(os.Environ(), "GOWORK=") // the workspace, even where the tests run without it
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("building the story server: %w\n%s", err, out)
		}
	})
	return filepath.Join(built.dir, "go-server"), built.err
}

// Clean removes what was built.
func Clean() {
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
}

// Start runs a server with these flags until the test ends, and returns its URL.
func Start(t testing.TB, flags ...string) string {
	t.Helper()
	program, err := Program()
	if err != nil {
		t.Fatal(err)
	}
	return Listen(t, program, append([]string{"-addr", "127.0.0.1:0"}, flags...)...)
}

// Listen runs a program that says "listening on URL" until the test ends, and
// returns that URL.
func Listen(t testing.TB, program string, args ...string) string {
	t.Helper()
	name := filepath.Base(program)
	cmd := exec.Command(program, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", name, &said)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	at, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("%s does not listen: %q, %v", name, line, err)
	}
	return at
}

// Handler is a server of its own, for tests that look at what it gets or stand
// in between: pages keep their paths, whatever else is asked for is the
// endpoint. Its pages are where the handler is served.
func Handler(t testing.TB, flags ...string) http.Handler {
	t.Helper()
	at, err := url.Parse(Start(t, flags...))
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = at.Scheme, at.Host
			if !strings.HasPrefix(r.In.URL.Path, "/connect/") {
				r.Out.URL.Path = at.Path
			}
			r.Out.Host = r.In.Host // pages are at the name that the client knows
			PassWhole(r)
		},
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0), // clients that leave are no news
	}
}

// PassWhole has a proxy read a request before it passes it on. Go's looks for the
// end of a request after all its bytes were sent. When the response is there first,
// the request's body is closed by then, and Go breaks both off in the middle of
// the response (golang/go#40747).
func PassWhole(r *httputil.ProxyRequest) {
	body, _ := io.ReadAll(r.In.Body) // what is cut off does not have its length, and fails
	r.Out.Body = io.NopCloser(bytes.NewReader(body))
}
