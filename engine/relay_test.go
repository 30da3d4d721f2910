package engine_test

import (
	"errors"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
)

// What only a session says, a host cannot: it can make no more than an empty
// one, and that is refused.
func TestRelayIsTheSessionsAlone(t *testing.T) {
	flow, err := engine.New("tools/call", []byte(`{"name":"t"}`), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if actions, err := flow.Step(0, engine.Relay{}); !errors.Is(err, fault.Order) || len(actions) > 0 {
		t.Errorf("a flow: got %v and %d actions, want %v", err, len(actions), fault.Order)
	}
	s, err := session.New(session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	call, err := s.Call("tools/call", []byte(`{"name":"t"}`), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if actions, err := s.Step(0, session.To{Call: call, Event: engine.Relay{}}); !errors.Is(err, fault.Order) || len(actions) > 0 {
		t.Errorf("a session's call: got %v and %d actions, want %v", err, len(actions), fault.Order)
	}
}
