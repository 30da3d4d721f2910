package parley_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// The response is what a call waits for, not the end of the stream it came in;
// a server that leaves streams open is hung up on.
func TestSessionStreamLeftOpen(t *testing.T) {
	bubbles(t, func(t *testing.T, e parley.Engine) {
		ended := make(chan struct{})
		s := newSession(t, e, &fake{kind: session.HTTP, perform: func(ctx context.Context, a session.Action, report func(session.Event, error)) {
			p := a.(session.Post)
			report(session.Message{Exchange: p.Exchange, Status: 200, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, readRPC(p.Body).ID, done)}, nil)
			go func() {
				<-ctx.Done()
				close(ended)
			}()
		}}, parley.SessionOptions{})
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call"}); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
		case <-time.After(patience):
			t.Error("the stream is still open")
		}
		closeAll(t, s)
	})
}

// Hooks are called in order and may use the session; one that blocks holds up
// neither calls nor memory.
func TestSessionHooks(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		const notifications = 5000
		legs := answers(func(rpc) {}, done)
		perform := legs.perform
		legs.perform = func(ctx context.Context, a session.Action, report func(session.Event, error)) {
			if p, ok := a.(session.Post); ok && readRPC(p.Body).Params.Name == "noisy" {
				for n := range notifications {
					report(session.Message{Exchange: p.Exchange, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"n":%d}}`, n)}, nil)
				}
			}
			perform(ctx, a, report)
		}
		var s *parley.Session
		release := make(chan struct{})
		finished := make(chan string, 1)
		var seen []int
		s = newSession(t, e, legs, parley.SessionOptions{
			Watchers: parley.SessionWatchers{OnNotification: func(_ string, params []byte) {
				var n struct{ N int }
				json.Unmarshal(params, &n)
				if seen = append(seen, n.N); len(seen) == 1 {
					<-release
					if _, err := s.Call(context.Background(), parley.Request{Method: "tools/call"}); err != nil {
						t.Error(err)
					}
				}
			}, OnWarning: func(text string) { finished <- text }},
		})
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("noisy", `{}`)}); err != nil {
			t.Fatal(err)
		}
		close(release)
		if text := <-finished; !strings.Contains(text, "lost") {
			t.Errorf("warning: got %s", text)
		}
		if len(seen) < 1000 || len(seen) > 2100 {
			t.Errorf("seen: got %d of %d, want 1024 to 2048", len(seen), notifications)
		}
		if !slices.IsSorted(seen) {
			t.Error("the notifications came out of order")
		}
		closeAll(t, s)
	})
}

// A call that is busy does not make the session keep all of its progress.
func TestSessionProgressFlood(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		flooded := make(chan struct{})
		transport := &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
			p := a.(session.Post)
			r := readRPC(p.Body)
			var meta struct{ ProgressToken json.RawMessage }
			json.Unmarshal(r.Params.Meta, &meta)
			go func() {
				for n := range 5000 {
					report(session.Message{Exchange: p.Exchange, Body: fmt.Appendf(nil,
						`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, meta.ProgressToken, n)}, nil)
				}
				close(flooded)
				report(session.Message{Exchange: p.Exchange, Last: true, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, done)}, nil)
			}()
		}}
		seen := 0
		s := newSession(t, e, transport, parley.SessionOptions{})
		_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Watchers: parley.Watchers{OnProgress: func(int, []byte) { <-flooded; seen++ }}})
		if err != nil || seen == 0 || seen > 100 {
			t.Errorf("got %v after %d notifications, want a result after a few", err, seen)
		}
		closeAll(t, s)
	})
}

// A server that asks for more answers than it takes is not read any further,
// until it takes them: what waits for it stays bounded.
func TestSessionPingFlood(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		const pings = 20_000
		var sent atomic.Int32
		read := make(chan struct{})
		finished := make(chan error, 1)
		transport := parley.InProcess(func(conn io.ReadWriteCloser) {
			in := bufio.NewReader(conn)
			next := func() rpc {
				text, err := in.ReadBytes('\n')
				if err != nil {
					return rpc{}
				}
				return readRPC(text)
			}
			r := next()
			fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`+"\n", r.ID)
			next() // notifications/initialized
			call := next()
			done := make(chan struct{})
			go func() {
				defer close(done)
				for n := range pings {
					if _, err := fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":"p%d","method":"ping"}`+"\n", n); err != nil {
						return
					}
					sent.Add(1)
				}
			}()
			<-read
			for range pings {
				if r := next(); len(r.ID) == 0 {
					finished <- errors.New("a ping was not answered")
					return
				}
			}
			<-done
			finished <- nil
			fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`+"\n", call.ID)
			next()
		})
		s := newSession(t, e, transport, parley.SessionOptions{Versions: []string{earlier}})
		go func() {
			n := int32(-1)
			for sent.Load() != n { // until no more are read
				n = sent.Load()
				time.Sleep(100 * time.Millisecond)
			}
			if n > 2000 {
				t.Errorf("%d pings were read although none of the answers was", n)
			}
			close(read)
		}()
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call"}); err != nil {
			t.Error(err)
		}
		if err := <-finished; err != nil {
			t.Error(err)
		}
		closeAll(t, s)
	})
}
