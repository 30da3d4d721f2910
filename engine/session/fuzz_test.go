package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/internal/wire"
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
		f.Add(uint8(seed|(1+seed%4)<<5), script) // each of the dialects
	}
	f.Fuzz(func(t *testing.T, kind uint8, script []byte) {
		opts := session.Options{
			ClientInfo:   []byte(`{"name":"host","version":"1"}`),
			Capabilities: []byte(`{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`),
			Discover:     kind&2 != 0, StringIDs: kind&4 != 0,
			Dialect: []engine.Dialect{engine.DialectMRTR, engine.DialectApproved, engine.DialectDraft, engine.DialectDraftCamel, engine.DialectState}[(kind>>5)%5],
		}
		if kind&1 != 0 {
			opts.Transport = session.Stdio
		}
		opts.Known = []string{"", "2026-07-28", "2025-11-25", "2025-03-26"}[kind>>3&3]
		opts.Cache = kind&4 != 0
		if kind&8 != 0 {
			opts.CachedAs = "s"
		}
		s, err := session.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		w := watch{t: t, stdio: opts.Transport == session.Stdio, opened: map[int]bool{}, recalls: map[int]bool{}, over: map[int]bool{}}
		able := &engine.Can{Form: true, URL: true, Sampling: true, Roots: true, Authorize: true}
		for i, params := range []string{`{"name":"greet"}`, `{"name":"echo","task":{}}`, `{"name":"greet"}`} {
			call, err := s.Call("tools/call", []byte(params), engine.Options{Can: []*engine.Can{able, able, nil}[i]})
			if err != nil {
				t.Fatal(err)
			}
			w.step(s, 0, session.To{Call: call, Event: engine.Begin{}})
		}
		for range 2 {
			call, err := s.Call("tools/list", nil, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			w.step(s, 0, session.To{Call: call, Event: engine.Begin{Save: kind&16 != 0}})
		}
		now := int64(0)
		for i := 0; i+1 < len(script) && i < 400; i += 2 {
			now += int64(script[i+1]) * 100
			text := events[(int(script[i])<<8|int(script[i+1]))%len(events)]
			ev, bad := wire.Text.DecodeSessionEvent([]byte(text))
			if bad != nil {
				t.Fatalf("%s: %v", text, bad)
			}
			w.step(s, now, ev)
		}
		w.step(s, now, session.Close{})
		for call := 1; call <= 5; call++ {
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

// FuzzRecall: whatever the host brings back as what it has kept, it is used as a
// result or the server is asked. Nobody gets an error of it.
func FuzzRecall(f *testing.F) {
	const entry = `{"key":["s","2026-07-28","tools/list",null,null,{}],"at":1000,"result":`
	f.Add([]byte(entry + `{"tools":[],"ttlMs":60000,"cacheScope":"public"}}`))
	f.Add([]byte(entry + `{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public","resultType":"task"}}`))
	f.Add([]byte(entry + `{"tools":[],"ttlMs":60000,"cacheScope":"public","result_type":"input_required"}}`))
	f.Add([]byte(entry + "{\"ttlMs\":60000,\"cacheScope\":\"public\",\"\xff\":1}}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := session.New(session.Options{Cache: true, CachedAs: "s"})
		if err != nil {
			t.Fatal(err)
		}
		call, err := s.Call("tools/list", nil, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Step(1000, session.To{Call: call, Event: engine.Begin{}}); err != nil {
			t.Fatal(err)
		}
		actions, err := s.Step(1001, session.Message{Exchange: 1, Body: body, Last: true})
		if err != nil || len(actions) == 0 {
			t.Fatalf("got %v, %v", actions, err)
		}
		for _, a := range actions {
			switch a := a.(type) {
			case session.Warning, session.Wait:
			case session.Post:
			case session.From:
				if done, ok := a.Action.(engine.Done); !ok || !done.Cached {
					t.Fatalf("%q: got %#v", body, a.Action)
				}
			default:
				t.Fatalf("%q: got %#v", body, a)
			}
		}
	})
}

// FuzzState: whatever a state is of SEP-1685, it is refused or goes back byte
// for byte, from a request of the server and from a response that asks.
func FuzzState(f *testing.F) {
	f.Add([]byte(`"s"`), []byte(`{"n" : 1.0,"n":"\ud800"}`))
	f.Add([]byte(`null`), []byte("\"\xff\\\"\""))
	f.Add([]byte(`{"a":[]}}`), []byte(`[1]`))
	f.Fuzz(func(t *testing.T, shared, own []byte) {
		s, err := session.New(session.Options{Dialect: engine.DialectState, Capabilities: []byte(`{"elicitation":{}}`)})
		if err != nil {
			t.Fatal(err)
		}
		call, err := s.Call("prompts/get", []byte(`{"name":"p"}`), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		step := func(ev session.Event) (posted string, asked int) {
			actions, err := s.Step(0, ev)
			if err != nil {
				t.Fatalf("%#v: %v", ev, err)
			}
			for _, a := range actions {
				switch a := a.(type) {
				case session.Post:
					posted = string(a.Body)
				case session.From:
					if ask, ok := a.Action.(engine.Ask); ok {
						asked = ask.ID
					}
				}
			}
			return posted, asked
		}
		decline := func(ask int) session.Event {
			return session.To{Call: call, Event: engine.Answer{Ask: ask, Raw: []byte(`{"action":"decline"}`)}}
		}
		body := func(format string, values ...any) []byte { return fmt.Appendf(nil, format, values...) }
		const params = `"params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}`
		step(session.To{Call: call, Event: engine.Begin{}})
		step(session.Message{Exchange: 1, Last: true, Body: body(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`)})
		step(session.Ended{Exchange: 2, Status: 202})
		posted, ask := step(session.Message{Exchange: 4, Body: body(`{"jsonrpc":"2.0","id":9,"method":"elicitation/create","state":%s,%s}`, own, params)})
		if ask != 0 {
			posted, _ = step(decline(ask))
			if want := `{"jsonrpc":"2.0","id":9,` + stateMember(own) + `"result":{"action":"decline"}}`; posted != want {
				t.Fatalf("got %s, want %s", posted, want)
			}
		} else if posted != "" && !strings.Contains(posted, `"error"`) {
			t.Fatalf("nobody was asked, and the answer is %s", posted)
		}
		_, ask = step(session.Message{Exchange: 4, Last: true, Body: body(`{"jsonrpc":"2.0","id":4,"dependent_requests":{"state":%s,"requests":[{"state":%s,%s}]}}`, shared, own, params)})
		if ask == 0 {
			return
		}
		posted, _ = step(decline(ask))
		want := `"dependent_responses":{` + stateMember(shared) + `"responses":[{` + stateMember(own) + `"result":{"action":"decline"}}]}}`
		if !strings.HasSuffix(posted, want) {
			t.Fatalf("got %s, want it to end with %s", posted, want)
		}
	})
}

// stateMember is a state as it goes back: null is none.
func stateMember(state []byte) string {
	if state = bytes.Trim(state, " \t\r\n"); string(state) == "null" {
		return ""
	}
	return fmt.Sprintf(`"state":%s,`, state)
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
			if strings.Contains(block.Answer, "the type is not known") {
				continue // no host can give it
			}
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

	recalls map[int]bool // of them
	over    map[int]bool // calls that ended and did not begin again
}

func (w *watch) step(s *session.Session, now int64, ev session.Event) {
	if to, ok := ev.(session.To); ok {
		if _, begins := to.Event.(engine.Begin); begins {
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
	if text := wire.Text.AppendSessionActions(nil, actions); !json.Valid(text) {
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
		case session.Recall:
			w.open(a.Exchange)
			w.recalls[a.Exchange] = true
		case session.Keep:
			if !json.Valid(a.Entry) || a.Until <= now {
				w.t.Fatalf("a keep of %q until %d", a.Entry, a.Until)
			}
		case session.Listen:
			w.open(a.Exchange)
		case session.Delete:
			w.open(a.Exchange)
		case session.Abort:
			if !w.opened[a.Exchange] || w.stdio && !w.recalls[a.Exchange] {
				w.t.Fatalf("abort of exchange %d", a.Exchange)
			}
		case session.From:
			if w.over[a.Call] {
				w.t.Fatalf("%#v of call %d, which is over", a.Action, a.Call)
			}
			switch a.Action.(type) {
			case engine.Done, engine.Failed, engine.Parked:
				w.over[a.Call] = true
			case engine.Send, engine.Abandon, engine.Relay:
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
