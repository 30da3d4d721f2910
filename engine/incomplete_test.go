package engine_test

import (
	"errors"
	"testing"

	"github.com/parley-mcp/parley/engine"
)

// What a session may say of a response that asks in place of a result, beyond
// what its scripts can show.
func TestIncomplete(t *testing.T) {
	tests := map[string]struct {
		dialect engine.Dialect
		event   engine.Incomplete
		want    error // of Step, or of the flow
		usage   bool
	}{
		"no such responses":       {engine.MRTR, engine.Incomplete{Leg: 1, RequestState: []byte(`"s"`)}, engine.ErrOrder, true},
		"nor as approved":         {engine.Approved, engine.Incomplete{Leg: 1, RequestState: []byte(`"s"`)}, engine.ErrOrder, true},
		"nor in an earlier era":   {engine.ServerRequests, engine.Incomplete{Leg: 1, RequestState: []byte(`"s"`)}, engine.ErrOrder, true},
		"a leg never sent":        {engine.Draft, engine.Incomplete{Leg: 2, RequestState: []byte(`"s"`)}, engine.ErrOrder, true},
		"a fault goes first":      {engine.State, engine.Incomplete{Leg: 1, RequestState: []byte(`"s"`), Fault: "odd"}, engine.ErrMalformed, false},
		"a state that is no text": {engine.DraftCamel, engine.Incomplete{Leg: 1, RequestState: []byte(`{}`)}, engine.ErrMalformed, false},
		"nothing":                 {engine.Draft, engine.Incomplete{Leg: 1}, engine.ErrMalformed, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := engine.New("tools/call", []byte(`{"name":"t"}`), engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, ev := range []engine.Event{engine.Speak{Dialect: tt.dialect}, engine.Begin{}} {
				if _, err := f.Step(0, ev); err != nil {
					t.Fatal(err)
				}
			}
			actions, err := f.Step(1, tt.event)
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
