package enginetest

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// SessionHost makes sessions from the JSON that the wasm module's exports
// take.
type SessionHost interface {
	// NewSession answers a session, or {"error":…} and no session.
	NewSession(request []byte) (Session, []byte)
}

// Session is one session at a host. Every answer is the export's.
type Session interface {
	Call(request []byte) (answer []byte)
	Restore(request []byte) (answer []byte)
	Step(now int64, event []byte) (answer []byte)
	Snapshot(call int) (answer []byte)
	Drop(call int)
	Close()
}

// RunSessions replays every script of sessions in dir, each as a test of its
// own. The first block of a script is a session; then come
//
//	call {…}       makes a call, with the object of parley_session_call
//	restore {…}    makes a call of a snapshot
//	snapshot 1     answers the snapshot of a call
//	drop 1         lets go of a call
//	10 {…}         feeds an event at a time, in Unix milliseconds
func RunSessions(t *testing.T, dir string, host SessionHost, mode Mode) {
	t.Helper()
	runScripts(t, dir, mode, func(t *testing.T) player {
		return &sessionReplay{t: t, host: host}
	})
}

// PlaySession plays one script, and fills in what host answers.
func PlaySession(t *testing.T, script *Script, host SessionHost) {
	t.Helper()
	p := &sessionReplay{t: t, host: host}
	defer p.close()
	playScript(t, script, p, Update)
}

// player performs the calls of one script.
type player interface {
	call(i int, call string) string
	close()
}

// runScripts plays every script in dir.
func runScripts(t *testing.T, dir string, mode Mode, newPlayer func(*testing.T) player) {
	t.Helper()
	for _, path := range scripts(t, dir) {
		t.Run(name(path), func(t *testing.T) {
			s, err := ReadScript(path)
			if err != nil {
				t.Fatal(err)
			}
			p := newPlayer(t)
			defer p.close()
			if playScript(t, s, p, mode); mode == Update {
				if err := s.Write(path); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func scripts(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts in %s (%v)", dir, err)
	}
	return paths
}

func name(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txt") }

// playScript plays all blocks, and keeps the answers or compares them.
func playScript(t *testing.T, s *Script, p player, mode Mode) {
	t.Helper()
	for i := range s.Blocks {
		b := &s.Blocks[i]
		call := Expand(b.Call)
		got := p.call(i, call)
		if mode == Update {
			b.Answer = collapse(got)
		} else if want := Expand(b.Answer); got != want {
			t.Fatalf("block %d, %s\n got %s\nwant %s", i, collapse(call), collapse(got), collapse(want))
		}
	}
}

type sessionReplay struct {
	t       *testing.T
	host    SessionHost
	session Session
}

func (r *sessionReplay) call(i int, call string) string {
	verb, arg, _ := strings.Cut(call, " ")
	if verb == "session" {
		session, bad := r.host.NewSession([]byte(arg))
		if bad != nil {
			return string(bad)
		}
		r.close()
		r.session = session
		return "ok"
	}
	if r.session == nil {
		r.t.Fatalf("block %d: %s without a session", i, verb)
	}
	switch verb {
	case "call":
		return string(r.session.Call([]byte(arg)))
	case "restore":
		return string(r.session.Restore([]byte(arg)))
	case "snapshot", "drop":
		number, err := strconv.Atoi(arg)
		if err != nil {
			r.t.Fatalf("block %d: %s is for the number of a call, not %q", i, verb, arg)
		}
		if verb == "snapshot" {
			return string(r.session.Snapshot(number))
		}
		r.session.Drop(number)
		return "ok"
	}
	now, err := strconv.ParseInt(verb, 10, 64)
	if err != nil {
		r.t.Fatalf("block %d: unknown call %q", i, verb)
	}
	return string(r.session.Step(now, []byte(arg)))
}

func (r *sessionReplay) close() {
	if r.session != nil {
		r.session.Close()
		r.session = nil
	}
}
