package main_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/wasm"
)

// TestStatuses has servers that answer with an HTTP status and nothing else:
// whether a tool may have run decides about the exit code and what is kept.
func TestStatuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		status  int
		command string
		code    int
		want    string
	}{
		"unauthorized": {401, "call", 3, "and nobody is here to be asked"},
		"not found":    {404, "call", 3, "is this the server's MCP endpoint?"},
		"too many":     {429, "call", 3, "wait a while, then try again"},
		"bad gateway":  {502, "call", 6, ""},
		"of a prompt":  {502, "prompt", 3, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(tt.status) }))
			defer s.Close()
			dir := t.TempDir()
			got := run(t, "", tt.command, s.URL, "x", "--state-dir", dir, "--label", "the desk")
			got.check(t, tt.code, "")
			got.says(t, "parley: the desk ", "HTTP status ", fmt.Sprint(tt.status), tt.want)
			for _, not := range []string{"connection lost", "leg 1"} {
				if strings.Contains(got.stderr, not) {
					t.Errorf("says %q: %s", not, got.stderr)
				}
			}
			if doubt := strings.Contains(got.stderr, "it may have run or not"); doubt != (tt.code == 6) {
				t.Errorf("in doubt: got %v\n%s", doubt, got.stderr)
			}
			if tt.code != 6 {
				checkEmpty(t, dir)
				return
			}
			got.says(t, "It is in doubt", "parked as ", "this sends it again, and the tool may run twice:  parley resume ")
			if list := run(t, "", "parked", "--state-dir", dir); !strings.HasSuffix(list.stdout, "tool x  in doubt\n") {
				t.Errorf("parked: got %q", list.stdout)
			}
		})
	}
}

// TestDoubtNotSaved has nothing to go on with, and says all the same that the
// tool may have run.
func TestDoubtNotSaved(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer s.Close()
	got := run(t, "", "call", s.URL, "x", "--no-save")
	got.check(t, 6, "")
	got.says(t, "it may have run or not")
	if strings.Contains(got.stderr, "parked as") {
		t.Errorf("says that it is kept: %s", got.stderr)
	}
}

// TestLostTask polls a task at a server that does not answer any more: nobody
// knows whether it goes on.
func TestLostTask(t *testing.T) {
	t.Parallel()
	made := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if made {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		made = true
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"task","taskId":"t-1","status":"working","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":100}}`,
			regexp.MustCompile(`"id":(\d+)`).FindSubmatch(body)[1])
	}))
	defer s.Close()
	got := run(t, "", "call", s.URL, "x", "--state-dir", t.TempDir())
	got.check(t, 3, "")
	got.says(t, "HTTP status 502", "parked as ")
	if strings.Contains(got.stderr, "The task continues") {
		t.Errorf("says that the task continues: %s", got.stderr)
	}
}

// TestBusyUnseen has a server that only asks to come back, and no terminal.
func TestBusyUnseen(t *testing.T) {
	t.Parallel()
	got := run(t, "", "call", server(t), "busy_report", "waits:=5", "--label", "the desk")
	got.check(t, 0, "The report is ready after 5 wait(s).\n")
	if !regexp.MustCompile(`^the desk is busy: waiting until \d\d:\d\d:\d\d to try again \(4\)\. Ctrl-C or a signal stops that\n$`).MatchString(got.stderr) {
		t.Errorf("got %q", got.stderr)
	}
}

// TestLimits names what a server went beyond in words, and shows what it said.
func TestLimits(t *testing.T) {
	t.Parallel()
	asks := strings.Repeat(`"k":{"method":"roots/list"},`, 1)
	for n := range 64 {
		asks += fmt.Sprintf(`"k%d":{"method":"roots/list"},`, n)
	}
	tests := map[string]struct{ message, want string }{
		"state":       {`"result":{"resultType":"input_required","requestState":"` + strings.Repeat("x", 300_000) + `"}`, "limit exceeded: requestState has 300002 bytes, and 256 KiB is the most that parley takes\n"},
		"questions":   {`"result":{"resultType":"input_required","inputRequests":{` + strings.TrimSuffix(asks, ",") + `}}`, "limit exceeded: more than the 64 questions in one round that parley takes\n"},
		"result type": {`"result":{"resultType":"la\u202eter"}`, `"la\u202eter"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _ := rawServer(t, tt.message)
			got := run(t, "", "call", url, "x", "--root", ".")
			got.check(t, 3, "")
			got.says(t, tt.want)
			if strings.Contains(got.stderr, "leg 1") || strings.Contains(got.stderr, "Limits.") {
				t.Errorf("says what is for a log: %s", got.stderr)
			}
		})
	}
}

// TestVersionSize is of the module that runs.
func TestVersionSize(t *testing.T) {
	if got, want := run(t, "", "version").stdout, fmt.Sprintf(" %d bytes;", len(wasm.Engine())); !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}
