package engine_test

import (
	"errors"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/relay"
)

// What a session may say of a response that asks in place of a result, beyond
// what its scripts can show.
func TestIncomplete(t *testing.T) {
	tests := map[string]struct {
		dialect engine.Dialect
		leg     int
		event   relay.Incomplete
		want    error // of Step, or of the flow
		usage   bool
	}{
		"no such responses":       {engine.DialectMRTR, 1, relay.Incomplete{RequestState: []byte(`"s"`)}, fault.Order, true},
		"nor as approved":         {engine.DialectApproved, 1, relay.Incomplete{RequestState: []byte(`"s"`)}, fault.Order, true},
		"nor in an earlier era":   {engine.DialectServerRequests, 1, relay.Incomplete{RequestState: []byte(`"s"`)}, fault.Order, true},
		"a leg never sent":        {engine.DialectDraft, 2, relay.Incomplete{RequestState: []byte(`"s"`)}, fault.Order, true},
		"a fault goes first":      {engine.DialectState, 1, relay.Incomplete{RequestState: []byte(`"s"`), Fault: "odd"}, fault.Malformed, false},
		"a state that is no text": {engine.DialectDraftCamel, 1, relay.Incomplete{RequestState: []byte(`{}`)}, fault.Malformed, false},
		"nothing":                 {engine.DialectDraft, 1, relay.Incomplete{}, fault.Malformed, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := engine.New("tools/call", []byte(`{"name":"t"}`), engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, ev := range []engine.Event{engine.Relay{Message: relay.Speak{Dialect: string(tt.dialect)}}, engine.Begin{}} {
				if _, err := f.Step(0, ev); err != nil {
					t.Fatal(err)
				}
			}
			actions, err := f.Step(1, engine.Relay{Message: &relay.Response{Leg: tt.leg, Incomplete: &tt.event}})
			if tt.usage {
				if !errors.Is(err, tt.want) || len(actions) > 0 {
					t.Errorf("got %v and %d actions, want %v", err, len(actions), tt.want)
				}
				return
			}
			failed, ok := actions[0].(engine.Failed)
			if err != nil || !ok || failed.Code != tt.want {
				t.Errorf("got %v, %#v, want %v", err, actions, tt.want)
			}
		})
	}
}
