package parley_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// A call that ends while it is being saved ends, also if that fails: a server of
// an earlier era asks, and its response breaks off before the question is kept.
func TestSessionEndsWhileSaving(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		synctest.Test(t, func(t *testing.T) {
			breaks := make(chan struct{})
			peer := &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
				p, ok := a.(session.Post)
				if !ok {
					return
				}
				switch r := readRPC(p.Body); r.Method {
				case "initialize":
					report(session.Message{Exchange: p.Exchange, Last: true, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{}}}`, r.ID, earlier)}, nil)
				case "tools/call":
					report(session.Message{Exchange: p.Exchange, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}`)}, nil)
					go func() {
						<-breaks
						report(session.Ended{Exchange: p.Exchange, Status: 200, Reason: "it broke"}, errStop)
					}()
				default:
					report(session.Ended{Exchange: p.Exchange, Status: 202}, nil)
				}
			}}
			s := newSession(t, e, peer, parley.SessionOptions{Known: earlier})
			saves := 0
			_, err := s.Call(t.Context(), parley.Request{
				Method: "tools/call", Params: tool("t", `{}`),
				Askers: &parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
					t.Error("a question was put that could not be kept")
					return parley.Decline(), nil
				}},
				Save: func(context.Context, []byte) error {
					if saves++; saves == 1 { // before the leg
						return nil
					}
					close(breaks)
					synctest.Wait() // the call has ended
					return errors.New("disk full")
				},
			})
			snapshotOf(t, err, fault.InDoubt)
			closeAll(t, s)
		})
	})
}
