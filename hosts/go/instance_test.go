package parley_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// TestAnswersAreTheCallers holds every answer of an instance while the next calls
// use its memory for others: none may change.
func TestAnswersAreTheCallers(t *testing.T) {
	steps := func(e parley.Engine) (all [][]session.Action, snapshots [][]byte, infos []engine.Info) {
		core, err := e.NewSessionCore(session.Options{Transport: session.Requests})
		if err != nil {
			t.Fatal(err)
		}
		defer core.Close()
		params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
		call, err := core.Call("tools/call", params, engine.Options{Capabilities: []byte(`{"elicitation":{}}`), ID: "a", Peer: "b"})
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range []session.Event{
			session.To{Call: call, Event: engine.Begin{Watch: true}},
			session.Message{Exchange: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + hosttest.ScriptedAnswer(1, 2) + `}`)},
			session.To{Call: call, Event: engine.Answer{Ask: 1, Raw: []byte(`{"action":"accept","content":{"name":"octocat"}}`)}},
			session.Message{Exchange: 2, Body: []byte(`{"jsonrpc":"2.0","id":2,"result":` + hosttest.ScriptedAnswer(2, 2) + `}`)},
		} {
			actions, err := core.Step(0, event)
			if err != nil {
				t.Fatal(err)
			}
			snapshot, _ := core.Snapshot(call)
			info, err := core.Info(call)
			if err != nil {
				t.Fatal(err)
			}
			all, snapshots, infos = append(all, slices.Clone(actions)), append(snapshots, snapshot), append(infos, info)
		}
		return all, snapshots, infos
	}
	rt := newRuntime(t, parley.RuntimeOptions{Instances: 1})
	got, gotSnapshots, gotInfos := steps(rt)
	noise, err := rt.NewSessionCore(session.Options{Transport: session.Requests})
	if err != nil {
		t.Fatal(err)
	}
	defer noise.Close()
	call, err := noise.Call("noise", []byte(`{"x":"`+string(bytes.Repeat([]byte("#"), 10_000))+`"}`), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := noise.Step(0, session.To{Call: call, Event: engine.Begin{}}); err != nil {
		t.Fatal(err)
	}
	want, wantSnapshots, wantInfos := steps(parley.Native{})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("actions: got %#v, want %#v", got, want)
	}
	if !reflect.DeepEqual(gotSnapshots, wantSnapshots) {
		t.Errorf("snapshots: got %q, want %q", gotSnapshots, wantSnapshots)
	}
	if !reflect.DeepEqual(gotInfos, wantInfos) {
		t.Errorf("infos: got %#v, want %#v", gotInfos, wantInfos)
	}
}
