package parley_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// shell is a server's process that a test writes.
type shell struct {
	*parley.Stdio
	*reports
	mu     sync.Mutex
	cmds   []*exec.Cmd
	stderr bytes.Buffer
}

func newShell(t *testing.T, script string) *shell {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here")
	}
	s := &shell{reports: newReports()}
	s.Stdio = &parley.Stdio{Grace: 300 * time.Millisecond, MaxMessage: 1000, Command: func() *exec.Cmd {
		cmd := exec.Command("sh", "-c", script)
		cmd.Stderr = &s.stderr
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cmds = append(s.cmds, cmd)
		return cmd
	}}
	t.Cleanup(func() { s.Close() })
	return s
}

// reaped reports how each process ended; one that was not waited for is a
// zombie.
func (s *shell) reaped(t *testing.T) (ends string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cmd := range s.cmds {
		if cmd.ProcessState == nil {
			t.Fatal("a process was left behind")
		}
		ends += cmd.ProcessState.String() + "; "
	}
	return ends
}

// How a process ended tells what it had to be told: nothing more than the end of
// its input, as long as it has the time it needs.
func TestStdioShutdown(t *testing.T) {
	tests := map[string]struct {
		script string
		grace  time.Duration
		want   string
	}{
		"ends with its input":    {`while read line; do echo "{}"; done; echo bye >&2`, patience, "exit status 0; "},
		"is asked":               {`trap 'exit 7' TERM; read line; echo "{}"; while :; do sleep 0.05; done`, 300 * time.Millisecond, "exit status 7; "},
		"is killed":              {`trap '' TERM; read line; echo "{}"; while :; do sleep 0.05; done`, 300 * time.Millisecond, "signal: killed; "},
		"has much to say first":  {`read line; echo "{}"; read line; head -c 1000000 /dev/zero; echo said >&2`, patience, "exit status 0; "},
		"closes its output only": {`read line; echo "{}"; exec >&-; sleep 0.1; exit 5`, patience, "exit status 5; "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hosttest.Patiently(t, tt.grace, func(grace time.Duration) error {
				s := newShell(t, tt.script)
				s.Grace = grace
				s.Perform(t.Context(), post(1, "{}"), s.report)
				s.wait(t, 1)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if got := s.reaped(t); got != tt.want {
					return fmt.Errorf("got %s, want %s", got, tt.want)
				}
				return nil
			})
		})
	}
	// A child that outlives the process and has its standard output is not waited
	// for.
	t.Run("leaves a child behind", func(t *testing.T) {
		t.Parallel()
		s := newShell(t, `read line; sleep 600 & echo $!; exit 4`)
		s.Grace = patience
		s.Perform(t.Context(), post(1, "{}"), s.report)
		said := s.wait(t, 1)[0].(session.Message)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if got, want := s.reaped(t), "exit status 4; "; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		id, err := strconv.Atoi(string(said.Body))
		must(t, err)
		child, err := os.FindProcess(id)
		must(t, err)
		if err := child.Kill(); err != nil {
			t.Errorf("the child has ended before Close returned: %v", err)
		}
	})
}

func TestStdioEnds(t *testing.T) {
	tests := map[string]struct {
		script string
		want   []session.Event
	}{
		"exits":              {`read line; echo '{"a":1}'; exit 3`, []session.Event{line(`{"a":1}`), session.Down{Reason: "exit status 3"}}},
		"exits at once":      {`exit 3`, []session.Event{session.Down{Reason: "exit status 3"}}},
		"is killed":          {`read line; kill -9 $$`, []session.Event{session.Down{Reason: "signal: killed"}}},
		"a child holds on":   {`read line; sleep 4 & echo '{"a":1}'; exit 3`, []session.Event{line(`{"a":1}`), session.Down{Reason: "exit status 3"}}},
		"says too much":      {`read line; head -c 100000 /dev/zero; exec sleep 600`, []session.Event{session.Down{Reason: "a message that it sent is longer than 1000 bytes (MaxMessage)"}}},
		"half a line":        {`read line; printf '{"a":'; exit 0`, []session.Event{line(`{"a":`), session.Down{Reason: "exit status 0"}}},
		"closes its output":  {`read line; echo '{"a":1}'; exec >&-; exec sleep 600`, []session.Event{line(`{"a":1}`), session.Down{}}},
		"noise on its input": {`cat; exit 1`, []session.Event{line("{}")}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// How it ended is told if that is known soon.
			hosttest.Patiently(t, 0, func(time.Duration) error {
				s := newShell(t, tt.script)
				s.Perform(t.Context(), post(1, "{}"), s.report)
				all := s.wait(t, len(tt.want))
				if ended, ok := all[0].(session.Ended); ok && ended.Unsent { // it had ended before it was written to
					all = s.wait(t, len(tt.want)+1)[1:]
				}
				return differs(all, tt.want...)
			})
		})
	}
}

func TestStdioRestarts(t *testing.T) {
	hosttest.Patiently(t, 0, func(time.Duration) error {
		s := newShell(t, `echo started >&2; read line; echo "$line"; exit 1`)
		for n, body := range []string{`{"a":1}`, `{"b":2}`, `{"c":3}`} {
			s.Perform(t.Context(), post(n, body), s.report)
			all := s.wait(t, 2*n+2)
			if err := differs(all[2*n:], line(body), session.Down{Reason: "exit status 1"}); err != nil {
				return err
			}
		}
		s.Close()
		if got, want := s.reaped(t), strings.Repeat("exit status 1; ", 3); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, want := s.stderr.String(), strings.Repeat("started\n", 3); got != want {
			t.Errorf("stderr: got %q, want %q", got, want)
		}
		return nil
	})
}

func TestStdioCannotStart(t *testing.T) {
	t.Run("no such command", func(t *testing.T) {
		r := newReports()
		s := &parley.Stdio{Command: func() *exec.Cmd { return exec.Command(filepath.Join(t.TempDir(), "missing")) }}
		defer s.Close()
		for n := range 3 {
			s.Perform(t.Context(), post(n, "{}"), r.report)
		}
		for n, ev := range r.wait(t, 3) {
			ended, ok := ev.(session.Ended)
			if !ok || ended.Exchange != n || !ended.Unsent || !strings.Contains(ended.Reason.String(), "missing") {
				t.Errorf("got %+v", ev)
			}
		}
	})
	t.Run("misused", func(t *testing.T) {
		r := newReports()
		s := &parley.Stdio{Command: func() *exec.Cmd { cmd := exec.Command("sh"); cmd.Stdin = os.Stdin; return cmd }}
		defer s.Close()
		s.Perform(t.Context(), post(1, "{}"), r.report)
		if ended, ok := r.wait(t, 1)[0].(session.Ended); !ok || !ended.Unsent {
			t.Errorf("got %+v", r.all())
		}
	})
}

// The host's signals are not the process's: what the caller sets on the
// command is kept.
func TestStdioKeepsTheCommand(t *testing.T) {
	dir := t.TempDir()
	r := newReports()
	s := &parley.Stdio{Command: func() *exec.Cmd {
		cmd := exec.Command("sh", "-c", `read line; printf '"%s %s"\n' "$WORD" "$(pwd)"`)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "WORD=hello")
		cmd.SysProcAttr = &syscall.SysProcAttr{}
		return cmd
	}}
	defer s.Close()
	s.Perform(t.Context(), post(1, "{}"), r.report)
	got := r.wait(t, 1)[0]
	if m, ok := got.(session.Message); !ok || !strings.HasPrefix(string(m.Body), `"hello /`) {
		t.Errorf("got %+v", got)
	}
}
