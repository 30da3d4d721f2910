package soak_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// Calls that end early, in each of the ways there are, leave nothing behind in
// the session that they were of, nor in the engine.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	server := httptest.NewServer(http.HandlerFunc(honest))
	defer server.Close()
	rt := newRuntime(t)
	kept := newSession(t, rt, &parley.StreamableHTTP{URL: server.URL})
	for name, early := range earlyEnds {
		t.Run("http/"+name, func(t *testing.T) {
			early.leaks(t, newSession(t, parley.Native{}, &parley.StreamableHTTP{URL: server.URL}))
			early.end(t, kept, 20)
			if rt.Live() != 1 {
				t.Errorf("%d flows, sessions and calls are live, want the session only", rt.Live())
			}
		})
		if early.tool == "ask" { // all that the other peer does
			t.Run("lines/"+name, func(t *testing.T) { early.leaks(t, newSession(t, parley.Native{}, parley.InProcess(linePeer))) })
		}
	}
}

func newSession(t *testing.T, e parley.Engine, transport parley.Transport) *parley.Session {
	s, err := parley.NewSession(e, transport, parley.SessionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// leaks looks at what a session holds before and after many calls.
func (early earlyEnd) leaks(t *testing.T, s *parley.Session) {
	const calls = 600
	early.end(t, s, calls/2)
	time.Sleep(20 * time.Millisecond)
	goroutines, before := runtime.NumGoroutine(), heap()
	early.end(t, s, calls)
	hosttest.BackTo(t, goroutines+5) // connections come and go
	if left := heap() - before; left > calls*300 {
		t.Errorf("%d bytes are held after %d calls, %d for each", left, calls, left/calls)
	}
}

// end makes calls that end so.
func (early earlyEnd) end(t *testing.T, s *parley.Session, calls int) {
	t.Helper()
	params := fmt.Appendf(nil, `{"name":"%s","arguments":{"n":1},"filling":"%01000d"}`, early.tool, 0) // to be seen if it is held
	for range calls {
		ctx, cancel := context.WithCancel(t.Context())
		cb := early.callbacks(cancel)
		if cb.Elicit == nil {
			cb.Elicit = func(context.Context, parley.Question) ([]byte, error) {
				return parley.Accept(map[string]string{"said": "yes"})
			}
		}
		out, err := s.Call(ctx, cb.Request("tools/call", params, engine.Options{LegTimeout: early.legTimeout}))
		if cancel(); err == nil && !out.Parked {
			t.Fatalf("it did not end early: %s", out.Result)
		}
	}
}

// earlyEnd is a way for a call to end before it is done.
type earlyEnd struct {
	tool       string
	legTimeout time.Duration
	callbacks  func(cancel func()) hosttest.Callbacks
}

var earlyEnds = map[string]earlyEnd{
	"canceled before it began": {"ask", 0, func(cancel func()) hosttest.Callbacks { cancel(); return hosttest.Callbacks{} }},
	"canceled in flight": {"hang", 0, func(cancel func()) hosttest.Callbacks {
		time.AfterFunc(time.Millisecond, cancel)
		return hosttest.Callbacks{}
	}},
	"canceled while saved": {"ask", 0, func(cancel func()) hosttest.Callbacks {
		return hosttest.Callbacks{Save: func(context.Context, []byte) error { cancel(); return nil }}
	}},
	"canceled while asked": {"ask", 0, func(cancel func()) hosttest.Callbacks {
		return elicit(func() ([]byte, error) { cancel(); time.Sleep(time.Millisecond); return nil, errBored })
	}},
	"canceled and answered": {"ask", 0, func(cancel func()) hosttest.Callbacks {
		return elicit(func() ([]byte, error) { cancel(); return parley.Decline(), nil })
	}},
	"not saved":        {"ask", 0, func(func()) hosttest.Callbacks { return saving(1) }},
	"asked, not saved": {"ask", 0, func(func()) hosttest.Callbacks { return saving(2) }},
	"answer not saved": {"ask", 0, func(func()) hosttest.Callbacks { return saving(3) }},
	"parked":           {"ask", 0, func(func()) hosttest.Callbacks { return elicit(func() ([]byte, error) { return nil, parley.ErrPark }) }},
	"refused":          {"ask", 0, func(func()) hosttest.Callbacks { return elicit(func() ([]byte, error) { return nil, errUnkind }) }},
	"panicked":         {"ask", 0, func(func()) hosttest.Callbacks { return elicit(func() ([]byte, error) { panic("a bug") }) }},
	"goroutine ended": {"ask", 0, func(func()) hosttest.Callbacks {
		return elicit(func() ([]byte, error) { runtime.Goexit(); return nil, nil })
	}},
	"never answered":    {"hang", time.Millisecond, func(func()) hosttest.Callbacks { return hosttest.Callbacks{} }},
	"refused by status": {"busy", 0, func(func()) hosttest.Callbacks { return hosttest.Callbacks{} }},
	"connection closed": {"closed", 0, func(func()) hosttest.Callbacks { return hosttest.Callbacks{} }},
}

func elicit(answer func() ([]byte, error)) hosttest.Callbacks {
	return hosttest.Callbacks{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { return answer() }}}
}

// saving fails at the n-th snapshot.
func saving(n int) hosttest.Callbacks {
	return hosttest.Callbacks{Save: func(context.Context, []byte) error {
		if n--; n == 0 {
			return errFull
		}
		return nil
	}}
}

// honest is a server without faults: its tools ask, hang or refuse.
func honest(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage
		Params params
	}
	body, _ := io.ReadAll(r.Body)
	json.Unmarshal(body, &request)
	switch request.Params.Name {
	case "hang":
		<-r.Context().Done()
	case "busy":
		w.WriteHeader(http.StatusServiceUnavailable)
	case "closed":
		panic(http.ErrAbortHandler)
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","inputRequests":{"1":{"method":"elicitation/create","params":`+
			`{"message":"?","requestedSchema":{"type":"object","properties":{"said":{"type":"string"}}}}}},"requestState":"asked"}}`, request.ID)
	}
}
