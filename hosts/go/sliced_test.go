package parley_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// seen is an engine whose sessions tell of every event before they take it: the
// session has its lock then.
type seen struct {
	parley.Engine
	event func(ev session.Event)
}

type seenCore struct {
	parley.SessionCore
	event func(ev session.Event)
}

func (s seen) NewSessionCore(opts session.Options) (parley.SessionCore, error) {
	core, err := s.Engine.NewSessionCore(opts)
	return seenCore{core, s.event}, err
}

func (c seenCore) Step(now int64, ev session.Event) ([]session.Action, error) {
	c.event(ev)
	return c.SessionCore.Step(now, ev)
}

// bytesOf is how much of the server's text an event has, and whether more
// follows.
func bytesOf(ev session.Event) (size int, isPart bool) {
	switch ev := ev.(type) {
	case session.Part:
		return len(ev.Body), true
	case session.Message:
		return len(ev.Body), false
	}
	return 0, false
}

// worst are results that cost the most to read.
func worst(size int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	return map[string]string{
		"backslashes":     `{"resultType":"complete","content":["` + fill(`\\`) + `"]}`,
		"short strings":   `{"resultType":"complete","content":[` + fill(`"",`) + `1]}`,
		"white space":     `{"resultType":"complete",` + fill(" \n\t ") + `"content":[]}`,
		"nesting":         `{"resultType":"complete","content":[` + fill(strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+",") + `1]}`,
		"half an escape":  `{"resultType":"complete","content":["` + fill(`\u00e9é`) + `"]}`,
		"members":         `{` + fill(`"content":[],`) + `"resultType":"complete"}`,
		"a type at last":  `{"content":["` + fill("x") + `"],"resultType":"complete"}`,
		"a task's result": `{"content":[],"structuredContent":{"result":{"a":"` + fill("世") + `"}}}`,
	}
}

// No Step has more than 256 KiB of what a server says, and the result is its own,
// byte for byte.
func TestSlices(t *testing.T) {
	const size, most = 1 << 20, 256 << 10
	for name, result := range worst(size) {
		for kind, transport := range map[string]func() parley.Transport{
			"HTTP":  func() parley.Transport { return answers(func(rpc) {}, result) },
			"lines": func() parley.Transport { return lines(result) },
		} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				engines(t, func(t *testing.T, e parley.Engine) {
					longest, all := 0, 0
					s := newSession(t, seen{e, func(ev session.Event) {
						n, _ := bytesOf(ev)
						longest, all = max(longest, n), all+n
					}}, transport(), parley.SessionOptions{Known: modern})
					out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: named("t")})
					if err != nil || string(out.Result) != result {
						t.Fatalf("got %d bytes and %v, want %d", len(out.Result), err, len(result))
					}
					closeAll(t, s)
					if longest > most || all < len(result) {
						t.Errorf("a step had %d of %d bytes, want at most %d", longest, all, most)
					}
				})
			})
		}
	}
}

// named are the params of a call of a tool.
func named(name string) []byte { return fmt.Appendf(nil, `{"name":%q}`, name) }

// lines is a fake over one connection that answers with a result.
func lines(result string) *fake {
	return &fake{kind: session.Stdio, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		if r := readRPC(a.(session.Post).Body); r.Method == "tools/call" {
			report(session.Message{Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result)}, nil)
		}
	}}
}

// While a long message of one call is read, another call of the same session is
// answered and a third one canceled.
func TestSlicesLetOthersIn(t *testing.T) {
	text := `{"content":["` + strings.Repeat(`\\`, 16<<20) + `"],"resultType":"complete"}`
	const ask = `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}`
	var r record
	reading, tried := make(chan struct{}), make(chan struct{})
	var asked, trying sync.WaitGroup
	asked.Add(2)
	trying.Add(2)
	parts, long := 0, 0
	core := seen{parley.Native{}, func(ev session.Event) {
		switch ev := ev.(type) {
		case session.To:
			switch ev.Event.(type) {
			case engine.Answer:
				r.add("answer")
			case engine.Cancel:
				r.add("cancel")
			}
		case session.Part:
			if parts++; parts == 1 {
				long = ev.Exchange
				close(reading)
				<-tried
			}
		case session.Message:
			if parts > 0 && ev.Exchange == long {
				r.add("end")
			}
		}
	}}
	transport := &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		p, ok := a.(session.Post)
		if !ok {
			return
		}
		m, result := readRPC(p.Body), ask
		switch {
		case m.Params.Name == "long":
			result = text
		case m.Params.InputResponses != nil:
			result = done
		}
		body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		go report(session.Message{Exchange: p.Exchange, Status: 200, Last: true, Body: body}, nil)
	}}
	s := newSession(t, core, transport, parley.SessionOptions{Known: modern})
	go func() {
		trying.Wait()
		close(tried)
	}()
	var calls sync.WaitGroup
	call := func(name string, elicit func(context.Context, parley.Question) ([]byte, error)) {
		ctx, cancel := context.WithCancel(t.Context())
		calls.Go(func() {
			defer cancel()
			q := parley.Request{Method: "tools/call", Params: named(name), Askers: &parley.Askers{}}
			q.Askers.Elicit = func(ctx context.Context, q parley.Question) ([]byte, error) {
				asked.Done()
				<-reading
				trying.Done()
				if elicit == nil {
					cancel()
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return elicit(ctx, q)
			}
			s.Call(ctx, q)
		})
	}
	call("answered", octocat.Elicit)
	call("canceled", nil)
	asked.Wait()
	out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: named("long")})
	calls.Wait()
	if err != nil || !bytes.Equal(out.Result, []byte(text)) {
		t.Fatalf("got %d bytes and %v", len(out.Result), err)
	}
	closeAll(t, s)
	r.mu.Lock()
	defer r.mu.Unlock()
	if got := strings.Join(r.log, " "); got != "answer cancel end" && got != "cancel answer end" {
		t.Errorf("got %s, want the end last", got)
	}
}

// A call that is canceled while its answer is read ends then: the rest is not
// read.
func TestSlicesStop(t *testing.T) {
	long := `{"content":["` + strings.Repeat(`\\`, 4<<20) + `"]}`
	ctx, cancel := context.WithCancel(t.Context())
	canceled := make(chan struct{})
	parts := 0
	core := seen{parley.Native{}, func(ev session.Event) {
		switch ev := ev.(type) {
		case session.To:
			if _, ok := ev.Event.(engine.Cancel); ok {
				close(canceled)
			}
		case session.Part:
			if parts++; parts == 1 {
				cancel()
			}
		case session.Message:
			t.Errorf("the message was read to its end")
		}
	}}
	reported := make(chan struct{})
	transport := &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		p := a.(session.Post)
		body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, readRPC(p.Body).ID, long)
		go func() {
			defer close(reported)
			report(session.Message{Exchange: p.Exchange, Status: 200, Last: true, Body: body}, nil)
		}()
	}}
	s := newSession(t, core, transport, parley.SessionOptions{Known: modern})
	if _, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: named("t")}); err == nil {
		t.Error("the call did not fail")
	}
	<-canceled
	<-reported
	closeAll(t, s)
}
