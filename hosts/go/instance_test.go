package parley_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/hosttest"
)

// TestAnswersAreTheCallers holds every answer of an instance while the next calls
// use its memory for others: none may change.
func TestAnswersAreTheCallers(t *testing.T) {
	steps := func(e parley.Engine) (all [][]engine.Action, snapshots [][]byte, infos []engine.Info) {
		params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
		flow, err := e.NewFlow("tools/call", params, engine.Options{Capabilities: []byte(`{"elicitation":{}}`), ID: "a", Peer: "b"})
		if err != nil {
			t.Fatal(err)
		}
		defer flow.Close()
		for _, event := range []engine.Event{
			engine.Begin{Watch: true},
			engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + hosttest.ScriptedAnswer(1, 2) + `}`)},
			engine.Answer{Ask: 1, Raw: []byte(`{"action":"accept","content":{"name":"octocat"}}`)},
			engine.Response{Leg: 2, Body: []byte(`{"jsonrpc":"2.0","id":2,"result":` + hosttest.ScriptedAnswer(2, 2) + `}`)},
		} {
			actions, err := flow.Step(0, event)
			if err != nil {
				t.Fatal(err)
			}
			snapshot, _ := flow.Snapshot()
			info, err := flow.Info()
			if err != nil {
				t.Fatal(err)
			}
			all, snapshots, infos = append(all, slices.Clone(actions)), append(snapshots, snapshot), append(infos, info)
		}
		return all, snapshots, infos
	}
	rt := newRuntime(t, parley.RuntimeOptions{Instances: 1})
	got, gotSnapshots, gotInfos := steps(rt)
	noise, err := rt.NewFlow("noise", []byte(`{"x":"`+string(bytes.Repeat([]byte("#"), 10_000))+`"}`), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer noise.Close()
	if _, err := noise.Step(0, engine.Begin{}); err != nil {
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
