package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/authtest"
	"github.com/parley-mcp/parley/apps/internal/storytest"
)

var program string // the built parley

// The test program is the model of --sample-cmd, too, and the browser and the
// servers.
func TestMain(m *testing.M) {
	if os.Getenv("PARLEY_TEST_HELPER") != "" {
		switch {
		case filepath.Base(os.Args[0]) == "my-server" && (len(os.Args) < 2 || os.Args[1] != "serve"):
			serve("readme")
		case len(os.Args) == 3 && os.Args[1] == "visit":
			if err := authtest.Visit(os.Args[2]); err != nil {
				panic(err)
			}
		case len(os.Args) == 3 && os.Args[1] == "browse":
			browse(os.Args[2])
		case len(os.Args) > 2 && os.Args[1] == "serve":
			serve(os.Args[2])
		default:
			model()
		}
		return
	}
	os.Setenv("PARLEY_TEST_HELPER", "yes") // for what the program runs
	os.Exit(build(m))
}

func build(m *testing.M) int {
	defer storytest.Clean()
	dir, err := os.MkdirTemp("", "parley")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	program = filepath.Join(dir, "parley.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Printf("go build: %v\n%s", err, out)
		return 1
	}
	stories, err := storytest.Program()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	os.Setenv("PARLEY_TEST_STORIES", stories) // for serve
	os.Setenv("DBUS_SESSION_BUS_ADDRESS", "") // no keyring of who runs the tests
	os.Setenv("XDG_RUNTIME_DIR", "")
	return m.Run()
}

// model says how long the prompt is that it was given.
func model() {
	var request struct {
		Messages []struct{ Content struct{ Text string } }
	}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		panic(err)
	}
	fmt.Printf("%d words.\n", len(strings.Fields(request.Messages[0].Content.Text)))
}

// browse is a browser whose person presses the page's button, unless told not
// to, and writes down where it has been.
func browse(url string) {
	if log := os.Getenv("PARLEY_TEST_BROWSED"); log != "" {
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(f, url)
		f.Close()
		if visits, _ := os.ReadFile(log); bytes.Count(visits, []byte("\n")) < 2 {
			return // does not come to the button the first time
		}
	}
	response, err := http.Post(url, "application/x-www-form-urlencoded", nil)
	if err != nil || response.StatusCode != http.StatusOK {
		os.Exit(1)
	}
	if log := os.Getenv("PARLEY_TEST_BROWSED"); log != "" {
		os.WriteFile(log+".pressed", nil, 0o600)
	}
}

// sampleCommand is the --sample-cmd that runs model.
func sampleCommand() string { return "'" + os.Args[0] + "'" }

// ending is what a run of the program left.
type ending struct {
	code           int
	stdout, stderr string
}

func run(t *testing.T, stdin string, args ...string) ending {
	t.Helper()
	cmd := exec.Command(program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return ending{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// check checks how a run ended. A line break at the end of what it wrote makes no
// difference here: output_test.go has the bytes.
func (e ending) check(t *testing.T, code int, stdout string) {
	t.Helper()
	if e.code != code || strings.TrimSuffix(e.stdout, "\n") != strings.TrimSuffix(stdout, "\n") {
		t.Errorf("got exit %d, %q; want %d, %q\n%s", e.code, e.stdout, code, stdout, e.stderr)
	}
}

// says checks that standard error has some texts, in their order.
func (e ending) says(t *testing.T, texts ...string) {
	t.Helper()
	rest := e.stderr
	for _, text := range texts {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			t.Errorf("standard error lacks %q:\n%s", text, e.stderr)
		}
		rest = after
	}
}

func server(t *testing.T) string {
	t.Helper()
	return storytest.Start(t, "-step", "50ms")
}

// label is what the program calls a server by default.
func label(url string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	return host
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// rawServer answers leg n with the n-th message, whatever is asked: the result
// or error member of a response. The last one answers all further legs.
func rawServer(t *testing.T, messages ...string) (url string, bodies func() []string) {
	t.Helper()
	var seen []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var request struct{ ID json.RawMessage }
		json.Unmarshal(body, &request)
		message := messages[min(len(seen), len(messages)-1)]
		seen = append(seen, string(body))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, message)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string { return seen }
}

// slowServer never answers.
func slowServer(t *testing.T) (url string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // or the server does not see the client go
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.URL
}
