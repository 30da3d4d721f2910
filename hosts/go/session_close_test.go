package parley_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// TestCloseInTurn closes a session at once after a call was canceled: the server
// hears of the cancellation first, and of the end of its session once it has
// answered that, or after a while.
func TestCloseInTurn(t *testing.T) {
	for name, answered := range map[string]bool{"answered": true, "never answered": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var log []string
				note := func(text string) {
					mu.Lock()
					defer mu.Unlock()
					log = append(log, text)
				}
				noted := func() []string {
					mu.Lock()
					defer mu.Unlock()
					return slices.Clone(log)
				}
				ctx, cancel := context.WithCancel(t.Context())
				answer := make(chan struct{})
				transport := &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
					switch a := a.(type) {
					case session.Listen:
						report(session.Ended{Exchange: a.Exchange, Status: 405}, nil)
					case session.Delete:
						note("DELETE")
						report(session.Ended{Exchange: a.Exchange, Status: 200}, nil)
					case session.Post:
						r := readRPC(a.Body)
						switch r.Method {
						case "initialize":
							report(session.Message{Exchange: a.Exchange, Status: 200, Last: true, SessionID: "s", Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`, r.ID, earlier)}, nil)
						case "tools/call":
							cancel()
						case "notifications/cancelled":
							note("cancelled")
							go func() {
								<-answer
								report(session.Ended{Exchange: a.Exchange, Status: 202}, nil)
							}()
						default:
							report(session.Ended{Exchange: a.Exchange, Status: 202}, nil)
						}
					}
				}}
				s := newSession(t, parley.Native{}, transport, parley.SessionOptions{Known: earlier})
				if _, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: []byte(`{"name":"t"}`)}); err == nil {
					t.Error("the call was not canceled")
				}
				closed := make(chan error)
				go func() { closed <- s.Close() }()
				synctest.Wait()
				if got := noted(); !slices.Equal(got, []string{"cancelled"}) {
					t.Errorf("before the answer: got %v", got)
				}
				if answered {
					close(answer)
				}
				if err := <-closed; err != nil {
					t.Error(err)
				}
				if got := noted(); !slices.Equal(got, []string{"cancelled", "DELETE"}) {
					t.Errorf("got %v", got)
				}
				if !answered {
					close(answer)
				}
			})
		})
	}
}
