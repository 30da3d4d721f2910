package session_test

import (
	"errors"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
)

// A response that is not UTF-8 is no JSON (RFC 8259, section 8.1), even where the
// rest of it is a final result: hosts whose strings are Unicode text could not
// pass it on. A script cannot say it, as scripts are JSON.
func TestResponseNotUTF8(t *testing.T) {
	for _, transport := range []session.Transport{session.HTTP, session.Requests} {
		s, err := session.New(session.Options{Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		call, err := s.Call("tools/call", nil, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Step(0, session.To{Call: call, Event: engine.Begin{}}); err != nil {
			t.Fatal(err)
		}
		actions, err := s.Step(1, session.Message{Exchange: 1, Last: true, Body: []byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\xff\"}}")})
		if err != nil || len(actions) != 1 {
			t.Fatalf("got %v, %v, want one action", actions, err)
		}
		from, _ := actions[0].(session.From)
		failed, _ := from.Action.(engine.Failed)
		const want = "it cannot be told whether the tool has run; it is called again only on request: the answer is no JSON-RPC message: text that is not UTF-8"
		if !errors.Is(failed.Code, fault.InDoubt) || failed.Detail.String() != want {
			t.Errorf("%s: got %+v", transport, failed)
		}
	}
}
