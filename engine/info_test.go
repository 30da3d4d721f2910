package engine_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// A code of a later release has a text, too.
func TestUnknownCode(t *testing.T) {
	for code, want := range map[fault.Code]string{-1: "unknown error", 0: "unknown error", 1: "unusable options", 23: "task ended without a result", 24: "the call could not be saved", 25: "not authorized", 26: "form refused by Parley", 27: "the engine's instance failed", 28: "unknown error", 1 << 30: "unknown error"} {
		if got := code.String(); got != want {
			t.Errorf("%d: got %q, want %q", code, got, want)
		}
	}
}

// SnapshotInfo tells of a snapshot what its flow would.
func TestSnapshotInfo(t *testing.T) {
	f, err := engine.New("tools/call", []byte(`{"name":"t"}`), engine.Options{Peer: "p", Principal: "a", ID: "i", Capabilities: []byte(`{"roots":{}}`)})
	if err != nil {
		t.Fatal(err)
	}
	f.Step(5, engine.Begin{})
	snapshot, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.SnapshotInfo(snapshot)
	if want := f.Info(); err != nil || !reflect.DeepEqual(got, want) || !got.InDoubt {
		t.Errorf("got %+v (%v), want %+v", got, err, want)
	}
	if _, err := engine.SnapshotInfo(snapshot[:len(snapshot)-1]); !errors.Is(err, fault.Snapshot) {
		t.Errorf("of a damaged one: got %v, want fault.Snapshot", err)
	}
}

// Info says how the task stands that a call has become, and nothing of one that
// is none.
func TestInfoTask(t *testing.T) {
	f, err := engine.New("tools/call", nil, engine.Options{Capabilities: []byte(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	step := func(now int64, ev engine.Event, want string) {
		t.Helper()
		if _, err := f.Step(now, ev); err != nil {
			t.Fatal(err)
		}
		if got := f.Info().Task; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	step(0, engine.Begin{}, "")
	step(1, engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t","status":"working"}}`)}, "working")
}
