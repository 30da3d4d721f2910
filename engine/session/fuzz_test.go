package session_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/enginetest"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/engine/wire"
)

// FuzzStep plays events in any order against sessions of every kind. Nothing
// panics, and whatever the server does the session keeps its word to the host.
func FuzzStep(f *testing.F) {
	events := corpusEvents(f)
	for seed := range 8 {
		script := make([]byte, 0, 120)
		for i := range 60 {
			script = append(script, byte((i*(2*seed+1)*37+seed)>>2), byte(i*(seed+3)))
		}
		f.Add(uint8(seed), script)
	}
	f.Fuzz(func(t *testing.T, kind uint8, script []byte) {
		opts := session.Options{
			ClientInfo:   []byte(`{"name":"host","version":"1"}`),
			Capabilities: []byte(`{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`),
			Discover:     kind&2 != 0, StringIDs: kind&4 != 0,
		}
		if kind&1 != 0 {
			opts.Transport = session.Stdio
		}
		opts.Known = []string{"", "2026-07-28", "2025-11-25", "2025-03-26"}[kind>>3&3]
		s, err := session.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		w := watch{t: t, stdio: opts.Transport == session.Stdio, opened: map[int]bool{}, over: map[int]bool{}}
		for range 3 {
			call, err := s.Call("tools/call", []byte(`{"name":"greet"}`), engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			w.step(s, 0, session.To{Call: call, Event: engine.Begin{}})
		}
		now := int64(0)
		for i := 0; i+1 < len(script) && i < 400; i += 2 {
			now += int64(script[i+1]) * 100
			text := events[(int(script[i])<<8|int(script[i+1]))%len(events)]
			ev, bad := wire.DecodeSessionEvent([]byte(text))
			if bad != nil {
				t.Fatalf("%s: %v", text, bad)
			}
			w.step(s, now, ev)
		}
		w.step(s, now, session.Close{})
		for call := 1; call <= 3; call++ {
			if _, err := s.Snapshot(call); err != nil {
				t.Fatalf("call %d: %v", call, err)
			}
			s.Free(call)
		}
		if s.Calls() != 0 {
			t.Fatalf("%d calls are left", s.Calls())
		}
	})
}

// corpusEvents are all events of the scripts, each also for the second call
// and with other exchanges and ids.
func corpusEvents(f *testing.F) (events []string) {
	paths, err := filepath.Glob("../testdata/sessions/*.txt")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no scripts: %v", err)
	}
	seen := map[string]bool{}
	exchange := regexp.MustCompile(`"exchange":\d+`)
	id := regexp.MustCompile(`\\"id\\":\d+`)
	for _, path := range paths {
		script, err := enginetest.ReadScript(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range script.Blocks {
			if _, text, ok := strings.Cut(block.Call, " "); ok && strings.HasPrefix(text, `{"type"`) && !strings.Contains(text, `"start"`) && !seen[text] {
				seen[text] = true
				events = append(events, text, strings.Replace(text, `"call":1`, `"call":2`, 1))
				for n := 1; n < 9; n++ {
					other := exchange.ReplaceAllString(text, fmt.Sprintf(`"exchange":%d`, n))
					events = append(events, id.ReplaceAllString(other, fmt.Sprintf(`\"id\":%d`, n)))
				}
			}
		}
	}
	if len(events) < 500 {
		f.Fatalf("only %d events", len(events))
	}
	return events
}

// watch holds a session to what it says.
type watch struct {
	t      *testing.T
	stdio  bool
	opened map[int]bool // exchanges
	over   map[int]bool // calls that ended and did not begin again
}

func (w *watch) step(s *session.Session, now int64, ev session.Event) {
	if to, ok := ev.(session.To); ok {
		if _, ok := to.Event.(engine.Begin); ok {
			delete(w.over, to.Call)
		}
	}
	actions, err := s.Step(now, ev)
	if err != nil {
		if len(actions) > 0 {
			w.t.Fatalf("%#v: an error and actions", ev)
		}
		return
	}
	if text := wire.AppendSessionActions(nil, actions); !json.Valid(text) {
		w.t.Fatalf("no JSON: %s", text)
	}
	for _, a := range actions {
		switch a := a.(type) {
		case session.Post:
			w.open(a.Exchange)
			if !json.Valid(a.Body) || w.stdio && strings.ContainsAny(string(a.Body), "\r\n") {
				w.t.Fatalf("a post of %q", a.Body)
			}
			if (a.Headers == nil) != w.stdio {
				w.t.Fatalf("header fields %v", a.Headers)
			}
			if w.over[a.Call] {
				w.t.Fatalf("a leg of call %d, which is over", a.Call)
			}
		case session.Listen:
			w.open(a.Exchange)
		case session.Delete:
			w.open(a.Exchange)
		case session.Abort:
			if !w.opened[a.Exchange] || w.stdio {
				w.t.Fatalf("abort of exchange %d", a.Exchange)
			}
		case session.From:
			if w.over[a.Call] {
				w.t.Fatalf("%#v of call %d, which is over", a.Action, a.Call)
			}
			switch a.Action.(type) {
			case engine.Done, engine.Failed, engine.Parked:
				w.over[a.Call] = true
			case engine.Send, engine.Abandon, engine.Reply:
				w.t.Fatalf("%#v reached the host", a.Action)
			}
		}
	}
}

func (w *watch) open(exchange int) {
	if exchange == 0 || w.opened[exchange] {
		w.t.Fatalf("exchange %d is opened twice", exchange)
	}
	w.opened[exchange] = true
}
