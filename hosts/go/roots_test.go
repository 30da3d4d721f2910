package parley_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

func workFolder(context.Context, parley.Question) ([]byte, error) {
	return []byte(`{"roots":[{"uri":"file:///work"}]}`), nil
}

// files is a server of an earlier era that asks for roots once it is
// initialized, and takes its time to look at them.
type files struct {
	asksAfter, opensAfter, looksFor time.Duration
	knows                           atomic.Bool
}

// answer is what it says to a message, "" if nothing. ask is called when it asks.
func (f *files) answer(r rpc, ask func()) string {
	switch r.Method {
	case "initialize":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{}}}`, r.ID, earlier)
	case "notifications/initialized":
		go ask()
	case "tools/call":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"isError":%t}}`, r.ID, !f.knows.Load())
	case "": // the roots
		go func() {
			time.Sleep(f.looksFor)
			f.knows.Store(true)
		}()
	}
	return ""
}

const asksForRoots = `{"jsonrpc":"2.0","id":0,"method":"roots/list"}`

func (f *files) serve(conn io.ReadWriteCloser) {
	for in := bufio.NewScanner(conn); in.Scan(); {
		if text := f.answer(readRPC(in.Bytes()), func() {
			time.Sleep(f.asksAfter)
			fmt.Fprintln(conn, asksForRoots)
		}); text != "" {
			fmt.Fprintln(conn, text)
		}
	}
}

func (f *files) perform(_ context.Context, a session.Action, report func(session.Event, error)) {
	switch a := a.(type) {
	case session.Listen:
		go func() {
			time.Sleep(f.opensAfter)
			report(session.Opened{Exchange: a.Exchange}, nil)
			time.Sleep(f.asksAfter)
			report(session.Message{Exchange: a.Exchange, Body: []byte(asksForRoots)}, nil)
		}()
	case session.Post:
		if text := f.answer(readRPC(a.Body), func() {}); text != "" {
			report(session.Message{Exchange: a.Exchange, Body: []byte(text), Last: true}, nil)
		} else {
			report(session.Ended{Exchange: a.Exchange, Status: 202}, nil)
		}
	}
}

// The first call of a session leaves when the server has asked for roots and
// looked at them, and the person's time does not count.
func TestRootsBeforeTheFirstCall(t *testing.T) {
	servers := map[string]func(f *files) parley.Transport{
		"lines": func(f *files) parley.Transport { return parley.InProcess(f.serve) },
		"http":  func(f *files) parley.Transport { return &fake{kind: session.HTTP, perform: f.perform} },
	}
	for name, transport := range servers {
		t.Run(name, func(t *testing.T) {
			engines(t, func(t *testing.T, e parley.Engine) {
				synctest.Test(t, func(t *testing.T) {
					f := &files{asksAfter: 200 * time.Millisecond, opensAfter: 450 * time.Millisecond, looksFor: 200 * time.Millisecond}
					asked := 0
					s := newSession(t, e, transport(f), parley.SessionOptions{Known: earlier, Askers: parley.Askers{
						ListRoots: func(ctx context.Context, q parley.Question) ([]byte, error) {
							asked++
							time.Sleep(time.Hour)
							return workFolder(ctx, q)
						},
					}})
					for range 2 {
						res, err := s.CallTool(t.Context(), parley.ToolCall{Name: "list"})
						if err != nil || res.IsError {
							t.Errorf("got %+v, %v", res, err)
						}
					}
					if asked != 1 {
						t.Errorf("asked %d times", asked)
					}
					closeAll(t, s)
				})
			})
		})
	}
}

// serveRoots answers over one connection, in an earlier era, and asks for roots.
func (b *booking) serveRoots(conn io.ReadWriteCloser) {
	f := &files{asksAfter: 50 * time.Millisecond}
	for in := bufio.NewScanner(conn); in.Scan(); {
		r := readRPC(in.Bytes())
		text := f.answer(r, func() {
			time.Sleep(f.asksAfter)
			fmt.Fprintln(conn, asksForRoots)
		})
		if r.Method == "tools/call" {
			b.mu.Lock()
			b.legs, b.runs, b.open = b.legs+1, b.runs+1, true
			b.mu.Unlock()
		}
		if text != "" {
			fmt.Fprintln(conn, text)
		}
	}
}

// The engine traps at every call into it in turn while a call waits for the
// server to ask for roots: nothing runs twice, and only what may have arrived
// is in doubt.
func TestTrapBeforeTheFirstCall(t *testing.T) {
	for at, reached := 1, true; reached; at++ {
		synctest.Test(t, func(t *testing.T) {
			b := &booking{}
			e := &trapping{Engine: parley.Native{}, at: at, heard: b.heard}
			trapsOnce(t, e, b, parley.InProcess(b.serveRoots))
			reached = e.calls >= at
		})
	}
}

// That the server's own stream is open is reported before its first message, and
// of no other response.
func TestStreamableOpened(t *testing.T) {
	const sse = "text/event-stream"
	opened, message, ended := session.Opened{Exchange: 7}, session.Message{Exchange: 7, Body: []byte("a"), Status: 200, SessionID: "s1"}, session.Ended{Exchange: 7, Status: 200, SessionID: "s1"}
	tests := map[string]struct {
		answer
		action session.Action
		want   []session.Event
	}{
		"stream":       {answer{200, sse, "data: a\n\n"}, session.Listen{Exchange: 7}, []session.Event{opened, message, ended}},
		"refused":      {answer{405, "", ""}, session.Listen{Exchange: 7}, []session.Event{session.Ended{Exchange: 7, Status: 405, SessionID: "s1"}}},
		"no stream":    {answer{200, "", "a"}, session.Listen{Exchange: 7}, []session.Event{session.Message{Exchange: 7, Body: []byte("a"), Status: 200, SessionID: "s1", Last: true}}},
		"another page": {answer{404, sse, ""}, session.Listen{Exchange: 7}, []session.Event{session.Ended{Exchange: 7, Status: 404, SessionID: "s1"}}},
		"of a post":    {answer{200, sse, "data: a\n\n"}, session.Post{Exchange: 7}, []session.Event{message, ended}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answerWith(tt.answer))
			defer server.Close()
			if got := exchange(t, &parley.StreamableHTTP{URL: server.URL}, tt.action); !reflect.DeepEqual(inEnglish(got), tt.want) {
				t.Errorf("got  %s\nwant %s", spell(got), spell(tt.want))
			}
		})
	}
}
