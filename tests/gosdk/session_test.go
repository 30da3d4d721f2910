package gosdk_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// everywhere runs a test with both makes of the engine, over every transport
// and in both eras.
func everywhere(t *testing.T, test func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport)) {
	engines(t, func(t *testing.T, e parley.Engine) {
		worlds(t, func(t *testing.T, p *peer, connect func(*testing.T) parley.Transport) { test(t, e, p, connect) })
		if rt, ok := e.(*parley.Runtime); ok && rt.Live() != 0 {
			t.Errorf("%d flows, sessions and calls are still live", rt.Live())
		}
	})
}

// Every kind of question, over every transport, in both eras: the askers
// cannot tell the difference.
func TestSessionAsks(t *testing.T) {
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		cb, asked := answering()
		ready := make(chan session.Ready, 10)
		s := newSession(t, e, connect(t), parley.SessionOptions{
			Askers:   cb.Askers,
			Watchers: parley.SessionWatchers{OnReady: func(r session.Ready) { ready <- r }, OnWarning: func(text string) { t.Error("warning:", text) }},
		})
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("interview", `{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if got := textOf(t, out); got != interviewed {
			t.Errorf("got %s, want %s", got, interviewed)
		}
		if got, want := strings.Join(*asked, " "), "form url model roots form"; got != want {
			t.Errorf("asked: got %s, want %s", got, want)
		}
		if out.NoStore == p.legacy { // rounds are not cached; without rounds there is no such rule
			t.Errorf("NoStore: got %v", out.NoStore)
		}
		if got, want := (<-ready).Version, map[bool]string{false: modern, true: earlier}[p.legacy]; got != want {
			t.Errorf("version: got %s, want %s", got, want)
		}
		out, err = s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("echo", `{"n":1.0}`)})
		if err != nil || textOf(t, out) != `{"n":1.0}` || out.NoStore {
			t.Errorf("echo: got %+v, %v", out, err)
		}
	})
}

// A server that answers with JSON has no stream to a call: in earlier eras it
// asks on the one of its own, which must be open before the call is made.
func TestSessionAsksWithoutStreams(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		for _, legacy := range []bool{false, true} {
			url := newPeer(legacy).http(t, &mcp.StreamableHTTPOptions{Stateless: !legacy, JSONResponse: true})
			cb, asked := answering()
			s := newSession(t, e, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{Askers: cb.Askers})
			out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("interview", `{}`)})
			if err != nil || textOf(t, out) != interviewed {
				t.Errorf("earlier era: %v: got %s, %v after %v", legacy, out.Result, err, *asked)
			}
			closeAll(t, s)
		}
	})
}

// A call's own askers stand in place of the session's.
func TestSessionAskersOfACall(t *testing.T) {
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		cb, others := answering()
		own, asked := answering()
		s := newSession(t, e, connect(t), parley.SessionOptions{Askers: cb.Askers})
		_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("interview", `{}`), Askers: &own.Askers})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(*asked, " "), "form url model roots form"; got != want || len(*others) > 0 {
			t.Errorf("asked by the call's own: got %s, want %s; by the session's: %v", got, want, *others)
		}
	})
}

func TestSessionKnown(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		for _, legacy := range []bool{false, true} {
			ready := make(chan session.Ready, 10)
			s := newSession(t, e, stdio(t, legacy), parley.SessionOptions{Watchers: parley.SessionWatchers{OnReady: func(r session.Ready) { ready <- r }}})
			if _, err := s.Call(t.Context(), parley.Request{Method: "tools/list"}); err != nil {
				t.Fatal(err)
			}
			first := <-ready
			if first.Instructions != "be kind" || !strings.Contains(string(first.ServerInfo), `"peer"`) {
				t.Errorf("ready: got %s %q", first.ServerInfo, first.Instructions)
			}
			s = newSession(t, e, stdio(t, legacy), parley.SessionOptions{Known: first.Version, Watchers: parley.SessionWatchers{OnReady: func(r session.Ready) { ready <- r }}})
			if _, err := s.Call(t.Context(), parley.Request{Method: "tools/list"}); err != nil {
				t.Fatal(err)
			}
			if got := (<-ready).Version; got != first.Version {
				t.Errorf("got %s, want %s", got, first.Version)
			}
		}
	})
}

func TestSessionProgress(t *testing.T) {
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		t.Parallel()
		s := newSession(t, e, connect(t), parley.SessionOptions{})
		hosttest.Patiently(t, 50*time.Millisecond, func(unit time.Duration) error {
			seen := 0
			pause := fmt.Sprintf(`{"pause":%d}`, unit.Milliseconds())
			_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("progress", pause), Options: engine.Options{LegTimeout: 4 * unit}, Watchers: parley.Watchers{OnProgress: func(leg int, params []byte) {
				if seen++; leg != 1 || !strings.Contains(string(params), fmt.Sprintf(`"progress":%d`, seen)) {
					t.Errorf("got %d %s", leg, params)
				}
			}}})
			if err != nil || seen != 6 {
				return fmt.Errorf("got %v after %d notifications, want a result after 6", err, seen)
			}
			return nil
		})
	})
}

func TestSessionNotifications(t *testing.T) {
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		got := make(chan string, 10)
		s := newSession(t, e, connect(t), parley.SessionOptions{
			LogLevel: "info",
			Watchers: parley.SessionWatchers{OnNotification: func(method string, params []byte) { got <- method + " " + string(params) }},
		})
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("log", `{}`)})
		if err != nil || textOf(t, out) != "<nil>" {
			t.Fatalf("got %+v, %v", out, err)
		}
		if p.legacy {
			return // it was not told a level: logging/setLevel is the host's to call
		}
		if text := <-got; !strings.HasPrefix(text, "notifications/message ") || !strings.Contains(text, "look out") {
			t.Errorf("got %s", text)
		}
	})
}

// Whoever cancels has the call back at once, and the server learns of it.
func TestSessionCancel(t *testing.T) {
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		s := newSession(t, e, connect(t), parley.SessionOptions{})
		ctx, cancel := context.WithCancelCause(t.Context())
		errBored := errors.New("bored")
		finished := make(chan error, 1)
		go func() {
			_, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: tool("wait", `{}`)})
			finished <- err
		}()
		_, overStdio := s, strings.Contains(t.Name(), "stdio")
		if overStdio { // the peer is another process
			time.Sleep(100 * time.Millisecond)
		} else {
			<-p.waiting
		}
		cancel(errBored)
		select {
		case err := <-finished:
			snapshotOf(t, err, fault.Canceled)
			wantErr(t, "cause", err, errBored)
		case <-time.After(hosttest.Patience):
			t.Fatal("the call hangs")
		}
		if !overStdio {
			<-p.gaveUp
		}
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("echo", `{}`)}); err != nil {
			t.Errorf("the next call: %v", err)
		}
	})
}

// A call parks at a question, and goes on in another session, over another
// transport, with another make of the engine.
func TestSessionPark(t *testing.T) {
	p := newPeer(false)
	url := p.http(t, nil)
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		cb, asked := answering()
		park := cb
		park.Sample = fails(parley.ErrPark)
		opts := engine.Options{Peer: "peer", Principal: "ann"}
		s := newSession(t, from, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{Askers: park.Askers})
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("interview", `{}`), Options: opts})
		if err != nil || !out.Parked || out.Snapshot == nil {
			t.Fatalf("got %+v, %v", out, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = newSession(t, to, parley.InProcess(p.serve), parley.SessionOptions{Askers: cb.Askers})
		if _, err := s.Resume(t.Context(), parley.Resumption{Snapshot: out.Snapshot, Expect: engine.Expect{Peer: "other", Principal: "ann"}}); !errors.Is(err, fault.Peer) {
			t.Errorf("of another peer: got %v", err)
		}
		out, err = s.Resume(t.Context(), parley.Resumption{Snapshot: out.Snapshot, Expect: engine.Expect{Peer: "peer", Principal: "ann"}})
		if err != nil || textOf(t, out) != interviewed {
			t.Fatalf("resumed: got %+v, %v", out, err)
		}
		if got, want := strings.Join(*asked, " "), "form url model roots form"; got != want {
			t.Errorf("asked: got %s, want %s", got, want)
		}
		closeAll(t, s)
	})
}

// A server that waits for an answer cannot be parked: the callback that asked
// for it is told, and asked again.
func TestSessionNotParkable(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		p := newPeer(true)
		cb, _ := answering()
		var problems []string
		elicit := cb.Elicit
		cb.Elicit = func(ctx context.Context, q parley.Question) ([]byte, error) {
			problems = append(problems, q.Problem.String())
			if q.Problem == "" {
				return nil, parley.ErrPark
			}
			return elicit(ctx, q)
		}
		s := newSession(t, e, parley.InProcess(p.serve), parley.SessionOptions{Askers: cb.Askers})
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("interview", `{}`)})
		if err != nil || textOf(t, out) != interviewed {
			t.Fatalf("got %+v, %v", out, err)
		}
		if len(problems) != 4 || problems[0] != "" || !strings.Contains(problems[1], "waits for the answer") || problems[2] != "" {
			t.Errorf("problems: got %q", problems)
		}
		// One that insists has refused.
		cb.Elicit = fails(parley.ErrPark)
		_, err = s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("interview", `{}`), Askers: &cb.Askers})
		if err == nil {
			t.Error("a call went on without an answer")
		}
		closeAll(t, s)
	})
}

// A server that dies takes the call with it, in doubt; the next call has a new
// process.
func TestSessionServerExits(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		for _, legacy := range []bool{false, true} {
			s := newSession(t, e, stdio(t, legacy), parley.SessionOptions{})
			hosttest.Patiently(t, 0, func(time.Duration) error { // how it ended is told if that is known soon
				for range 2 {
					_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("exit", `{}`)})
					snapshotOf(t, err, fault.InDoubt)
					if !strings.Contains(err.Error(), "exit status 3") {
						return fmt.Errorf("got %v, want it to say exit status 3", err)
					}
					out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("echo", `{}`)})
					if err != nil || textOf(t, out) != "{}" {
						t.Errorf("afterwards: got %+v, %v", out, err)
					}
				}
				return nil
			})
		}
	})
}

// A connection that breaks leaves a tool call in doubt; a prompt is read again.
func TestSessionConnectionBreaks(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var mu sync.Mutex
		requests := 0
		p := newPeer(false)
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return p.server() }, &mcp.StreamableHTTPOptions{Stateless: true})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			requests++
			breaks := requests == 2 || requests == 3
			mu.Unlock()
			if breaks {
				panic(http.ErrAbortHandler)
			}
			handler.ServeHTTP(w, r)
		}))
		defer server.Close()
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{})
		for n, want := range []fault.Code{0, fault.InDoubt} {
			_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("echo", `{}`)})
			if want == 0 && err != nil || want != 0 && !errors.Is(err, want) {
				t.Errorf("call %d: got %v, want %v", n, err, want)
			}
		}
		if _, err := s.Call(t.Context(), parley.Request{Method: "prompts/get", Params: []byte(`{"name":"greeting"}`)}); err != nil || requests != 4 {
			t.Errorf("a prompt: got %v after %d requests, want it after 4", err, requests)
		}
		closeAll(t, s)
	})
}

// A stream of a server of an earlier era is taken up where it broke off.
func TestSessionStreamResumed(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		p := newPeer(true)
		url := p.http(t, &mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)})
		s := newSession(t, e, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{})
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("drop", `{}`)})
		if err != nil || textOf(t, out) != "came back" {
			t.Errorf("got %+v, %v", out, err)
		}
		closeAll(t, s)
	})
}

// Close gives every call back with what it needs to go on, ends the server's
// session, and leaves nothing behind.
func TestSessionClose(t *testing.T) {
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		cb, _ := answering()
		asked := make(chan struct{}, 10)
		release := make(chan struct{})
		defer close(release)
		cb.Elicit = func(context.Context, parley.Question) ([]byte, error) {
			asked <- struct{}{}
			<-release
			return parley.Decline(), nil
		}
		transport := connect(t)
		var process *exec.Cmd
		if over, ok := transport.(*parley.Stdio); ok {
			command := over.Command
			over.Command = func() *exec.Cmd { process = command(); return process }
			over.Grace = hosttest.Patience
		}
		s := newSession(t, e, transport, parley.SessionOptions{Askers: cb.Askers})
		finished := make(chan error, 2)
		for _, name := range []string{"interview", "wait"} {
			go func() {
				_, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: tool(name, `{}`)})
				finished <- err
			}()
		}
		<-asked
		time.Sleep(50 * time.Millisecond)
		closeAll(t, s, s)
		if process != nil && !process.ProcessState.Success() {
			t.Errorf("the server ended with %v", process.ProcessState)
		}
		for range 2 {
			err := <-finished
			snapshotOf(t, err, fault.Canceled)
			wantErr(t, "cause", err, parley.ErrSessionClosed)
		}
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/list"}); !errors.Is(err, parley.ErrSessionClosed) {
			t.Errorf("a call afterwards: got %v", err)
		}
		if _, err := s.Resume(t.Context(), parley.Resumption{Snapshot: nil}); !errors.Is(err, parley.ErrSessionClosed) {
			t.Errorf("resuming afterwards: got %v", err)
		}
	})
}

// Close returns when no hook runs, and none is called after it.
func TestSessionCloseWaitsForHooks(t *testing.T) {
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		cb, _ := answering()
		began, release := make(chan struct{}), make(chan struct{})
		var closed, returned atomic.Bool
		s := newSession(t, e, connect(t), parley.SessionOptions{
			Askers: cb.Askers,
			Watchers: parley.SessionWatchers{OnReady: func(session.Ready) {
				close(began)
				<-release
				returned.Store(true)
			}, OnNotification: func(string, []byte) {
				if closed.Load() {
					t.Error("a hook was called after Close")
				}
			}},
		})
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("interview", `{}`)}); err != nil {
			t.Fatal(err)
		}
		<-began
		time.AfterFunc(50*time.Millisecond, func() { close(release) })
		closeAll(t, s)
		closed.Store(true)
		if !returned.Load() {
			t.Error("Close returned while a hook ran")
		}
	})
}

func TestSessionEndsTheServersSession(t *testing.T) {
	p := newPeer(true)
	server := p.server()
	listener := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer listener.Close()
	s := newSession(t, parley.Native{}, &parley.StreamableHTTP{URL: listener.URL}, parley.SessionOptions{})
	if _, err := s.Call(t.Context(), parley.Request{Method: "tools/list"}); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		for range server.Sessions() {
			n++
		}
		return n
	}
	if n := count(); n != 1 {
		t.Errorf("%d sessions, want 1", n)
	}
	closeAll(t, s)
	if n := count(); n != 0 {
		t.Errorf("%d sessions after Close, want none", n)
	}
}

// Calls at once from many goroutines, each with a question of its own, all
// through one session.
func TestSessionManyAtOnce(t *testing.T) {
	const calls = 1000
	everywhere(t, func(t *testing.T, e parley.Engine, p *peer, connect func(*testing.T) parley.Transport) {
		before := runtime.NumGoroutine()
		s, err := parley.NewSession(e, connect(t), parley.SessionOptions{Askers: parley.Askers{Elicit: decline}})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for n := range calls {
			wg.Go(func() {
				elicit := func(_ context.Context, q parley.Question) ([]byte, error) {
					if want := fmt.Sprintf(`"message":"%d?"`, n); !strings.Contains(string(q.Params), want) && !p.legacy {
						t.Errorf("asked %s, want %s", q.Params, want)
					}
					return parley.Accept(map[string]int{"n": n})
				}
				out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("number", fmt.Sprintf(`{"n":%d}`, n)), Options: engine.Options{LegTimeout: 5 * hosttest.Patience}, Askers: &parley.Askers{Elicit: elicit}})
				if err != nil || !p.legacy && textOf(t, out) != fmt.Sprintf("%d %d", n, n) {
					t.Errorf("call %d: got %s, %v", n, out.Result, err)
				}
			})
		}
		wg.Wait()
		closeAll(t, s)
		hosttest.BackTo(t, before)
	})
}
