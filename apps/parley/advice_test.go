//go:build unix

package main_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/internal/storytest"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// adviser is a shell in which parley says what to type next, and somebody types it.
// Its calls are kept in a directory whose name needs quotes.
type adviser struct {
	t    *testing.T
	dir  string // of the shell
	kept string
	env  []string
}

func newAdviser(t *testing.T) *adviser {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	a := &adviser{t: t, dir: dir, kept: filepath.Join(dir, "calls, it's $HOME & more")}
	if err := errors.Join(os.Mkdir(bin, 0o700), os.Symlink(program, filepath.Join(bin, "parley"))); err != nil {
		t.Fatal(err)
	}
	a.env = append(environ(), "PATH="+bin+":"+os.Getenv("PATH"), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "BROWSER="+os.Args[0]+" visit")
	return a
}

// types runs a line of the shell, which ends with a code.
func (a *adviser) types(line string, code int) ending {
	a.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = a.dir, a.env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		a.t.Fatal(err)
	}
	got := ending{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	if got.code != code {
		a.t.Errorf("%s: got exit %d, want %d\n%s%s", line, got.code, code, got.stdout, got.stderr)
	}
	return got
}

// runs runs parley with words that no shell has seen.
func (a *adviser) runs(code int, words ...string) ending {
	a.t.Helper()
	for i, word := range words {
		words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return a.types("parley "+strings.Join(words, " "), code)
}

// somewhere matches a parley command anywhere in a line. advice matches only a command
// that two blanks set apart, so that it can be copied.
var (
	somewhere = regexp.MustCompile(`\bparley (call|prompt|read|discover|tools|resume|login|logout|accounts|parked|discard|export|import|token|store|help)\b`)
	advice    = regexp.MustCompile(`(?m)  (parley(?: (?:\\'|[^\s']|'[^'\n]*')+)+)(?:  |$)`)
)

// advised is what a run told to type, all of it.
func (a *adviser) advised(said string, want int) []string {
	a.t.Helper()
	var lines []string
	for _, found := range advice.FindAllStringSubmatch(said, -1) {
		lines = append(lines, found[1])
	}
	if all := somewhere.FindAllString(said, -1); len(lines) != want || len(all) != want {
		a.t.Fatalf("told to type %q, and says %q; want %d commands that stand apart:\n%s", lines, all, want, said)
	}
	return lines
}

// TestAdvice does what parley says is to be typed, as it says it, where it says so.
func TestAdvice(t *testing.T) {
	t.Parallel()
	const declines = `{"answers":[{"key":"resolution","action":"decline"}]}`

	t.Run("parked", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		stories := storytest.Handler(t)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Team") != "red & blue" || r.Header.Get("X-Key") != "k1" {
				http.Error(w, "which team?", http.StatusForbidden)
				return
			}
			stories.ServeHTTP(w, r)
		}))
		defer s.Close()
		headers := filepath.Join(a.dir, "header fields")
		if err := os.WriteFile(headers, []byte("X-Key: k1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := a.runs(3, "call", s.URL, "update_work_item", "id:=7", "state=Resolved", "--state-dir", a.kept, "--header", "X-Team: red & blue", "--header-file", headers)
		line := a.advised(got.stderr, 1)[0]
		got = a.types(line, 3) // without a terminal, it fails again
		if again := a.advised(got.stderr, 1)[0]; again != line {
			t.Errorf("told to type %s, and then %s", line, again)
		}
		if got := a.types(line+" --script "+file(t, declines), 0); !strings.Contains(got.stdout, "Work item 7 is unchanged") {
			t.Errorf("got %s%s", got.stdout, got.stderr)
		}
		got = a.types(line, 3) // it is over
		got = a.types(a.advised(got.stderr, 1)[0], 0)
		got.says(t, "nothing is parked")
	})

	t.Run("parked in a narrow terminal", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		in := func(w *terminal) { w.cmd.Dir, w.cmd.Env = a.dir, append(a.env, "TERM=xterm-256color") }
		w := startWith(t, 40, 24, in, "call", server(t), "update_work_item", "id:=7", "state=Resolved", "--state-dir", a.kept)
		w.sees("> Fixed")
		w.press("p")
		w.sees("→ parked", "parked as ")
		w.ends(5)
		said := strings.ReplaceAll(w.raw.String(), "\r\n", "\n") // as it was written: what the terminal breaks is one line when it is copied
		line := a.advised(regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]`).ReplaceAllString(said[strings.Index(said, "parked as "):], ""), 1)[0]
		w = startWith(t, 100, 24, func(w *terminal) {
			in(w)
			w.cmd.Path, w.cmd.Args = "/bin/sh", []string{"sh", "-c", line}
		})
		w.sees("> Fixed")
		w.press(enter)
		w.sees("Send this")
		w.press(enter)
		w.sees("Work item 7 is now Resolved as Fixed.")
		w.ends(0)
	})

	t.Run("a command", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		got := a.runs(3, append([]string{"call", "greet", "--state-dir", a.kept, "--protocol-version", current}, stdio(current)...)...)
		got = a.types(a.advised(got.stderr, 1)[0]+" --script "+file(t, `{"answers":[{"key":"name","action":"decline"},{"key":"town","action":"decline"}]}`), 0)
	})

	t.Run("in doubt", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		var broken atomic.Bool
		broken.Store(true)
		stories := storytest.Handler(t)
		token := secretFile(t, "0123456789abcdef0123456789abcdef")
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			switch r.Body = io.NopCloser(bytes.NewReader(body)); {
			case r.Header.Get("Authorization") == "":
				w.WriteHeader(http.StatusUnauthorized)
			case broken.Load() && bytes.Contains(body, []byte("tools/call")):
				panic(http.ErrAbortHandler)
			default:
				stories.ServeHTTP(w, r)
			}
		}))
		defer s.Close()
		call := func() []string {
			t.Helper()
			got := a.runs(6, "call", s.URL, "busy_report", "waits:=1", "--state-dir", a.kept, "--bearer-file", token)
			return a.advised(got.stderr, 2)
		}
		lines := call()
		a.types(lines[1], 0).says(t, "discarded ")
		lines = call()
		broken.Store(false)
		if got := a.types(lines[0], 0); !strings.Contains(got.stdout, "The report is ready") {
			t.Errorf("got %s%s", got.stdout, got.stderr)
		}
		a.runs(0, "parked", "--state-dir", a.kept).says(t, "nothing is parked")
	})

	t.Run("forgotten by its server", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		asks := `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}}}`
		url, _ := rawServer(t, asks, `"error":{"code":-32602,"message":"what state?"}`, asks, `"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}`)
		answers := " --script " + file(t, `{"answers":[{"key":"k","action":"accept","content":{}}]}`)
		got := a.types("parley call "+url+" x --state-dir '"+strings.ReplaceAll(a.kept, "'", `'\''`)+"'"+answers, 3)
		if got = a.types(a.advised(got.stderr, 1)[0]+answers, 0); got.stdout != "done" {
			t.Errorf("got %s%s", got.stdout, got.stderr)
		}
	})

	t.Run("somebody else is at it", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		id := park(t, a.kept)
		files := &store.Files{Dir: a.kept, Box: &seal.KeyFileBox{Name: filepath.Join(a.kept, "snapshot.key")}}
		lease, _, err := files.Take(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		defer lease.Release(context.Background())
		a.advised(a.runs(3, "resume", id, "--state-dir", a.kept).stderr, 0) // there is nothing to do
	})

	t.Run("not sealed", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		id := park(t, a.kept)
		files := &store.Files{Dir: a.kept, Box: &seal.KeyFileBox{Name: filepath.Join(a.kept, "snapshot.key")}}
		lease, snapshot, err := files.Take(t.Context(), id)
		files.Box, files.Unsealed = nil, true // as an earlier version left it
		if err = errors.Join(err, lease.Save(t.Context(), snapshot, store.About{}), lease.Release(t.Context())); err != nil {
			t.Fatal(err)
		}
		got := a.runs(3, "resume", id, "--state-dir", a.kept)
		a.types(a.advised(got.stderr, 1)[0], 0).says(t, "calls sealed with key ", ": 1")
		a.runs(0, "resume", id, "--state-dir", a.kept, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
	})

	t.Run("nobody is signed in, at two servers", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		port := freePort(t)
		for range 2 {
			s := protected(t)
			s.Wants = everything
			words := []string{"call", s.URL, "get_weather", "location=Oslo", "--state-dir", a.kept, "--protocol-version", current, "--callback-port", port}
			got := a.runs(3, words...)
			a.types(a.advised(got.stderr, 1)[0], 0).says(t, "you are signed in at "+s.Issuer)
			got = a.types("parley call "+s.URL+" get_weather location=Oslo --state-dir '"+strings.ReplaceAll(a.kept, "'", `'\''`)+"'", 3)
			got = a.types(a.advised(got.stderr, 1)[0]+" --script "+file(t, `{"answers":[{"key":"units","action":"decline"}]}`), 0)
			if !strings.HasPrefix(got.stdout, "Oslo: ") {
				t.Errorf("got %s%s", got.stdout, got.stderr)
			}
		}
		if got := a.runs(0, "accounts", "--state-dir", a.kept); strings.Count(got.stdout, "\n") != 2 {
			t.Errorf("accounts: got %s", got.stdout)
		}
	})

	t.Run("imported", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		id := park(t, a.kept)
		a.runs(0, "export", id, "a call.parley", "--state-dir", a.kept)
		got := a.runs(0, "import", "a call.parley", "--state-dir", a.kept)
		a.types(a.advised(got.stderr, 1)[0]+" --script "+file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`), 0)
	})

	t.Run("misused", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		for _, words := range [][]string{{"resume"}, {"discard"}, {"export"}, {"call"}, {"cal"}, {}, {"token", "rotate", "sideways"}} {
			got := a.runs(2, words...)
			for _, line := range a.advised(got.stderr, strings.Count(got.stderr, "  parley ")) {
				a.types(line, 0)
			}
		}
	})

	t.Run("rotating keys", func(t *testing.T) {
		t.Parallel()
		a := newAdviser(t)
		keys := filepath.Join(a.dir, "the keys")
		a.runs(0, "token", "new-key", keys)
		got := a.runs(3, "token", "rotate", "drop", "--key-file", keys)
		for _, said := range []string{"added ", " mints now", "dropped "} {
			got = a.types(a.advised(got.stderr, 1)[0], 0)
			got.says(t, said)
			if said == "dropped " {
				break
			}
		}
	})

	t.Run("the page's port is taken", func(t *testing.T) {
		t.Parallel()
		if _, err := exec.LookPath("npm"); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal("there is no npm on PATH")
			}
			t.Skip("there is no npm on PATH")
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		root := filepath.Join("..", "..")
		cmd := exec.Command("./build.sh", "demo", "--browser", "--port", port)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		said := string(out)
		_, line, advised := strings.Cut(said, "chosen: ")
		if err == nil || !advised || strings.Count(said, "\n") != 1 || !strings.Contains(said, "port "+port+" of 127.0.0.1 is taken by another program") {
			t.Fatalf("got %v, want one sentence and nothing else:\n%s", err, said)
		}
		cmd = exec.Command("sh", "-c", line)
		cmd.Dir, cmd.SysProcAttr = root, &syscall.SysProcAttr{Setpgid: true}
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout, cmd.Stderr = write, write
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		write.Close()
		t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM); cmd.Wait() })
		read.SetReadDeadline(time.Now().Add(5 * time.Minute))
		var heard strings.Builder
		for buffer := make([]byte, 4096); ; {
			n, err := read.Read(buffer)
			heard.Write(buffer[:n])
			if _, at, ok := strings.Cut(heard.String(), "\nopen "); ok && strings.Contains(at, "\n") {
				response, err := http.Get(strings.TrimSpace(at))
				if err != nil || response.StatusCode != http.StatusOK {
					t.Errorf("the page: got %v, %v", response, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v\n%s", line, err, heard.String())
			}
		}
	})
}

// freePort is a port that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
