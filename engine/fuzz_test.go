package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/rawjson"
)

// FuzzStep feeds a flow whatever JSON lines say. The engine never panics, is
// deterministic, emits only well-formed params, and keeps the contract of its
// actions: a Wait is last and alone, nothing but ignored events after the end.
// The second flow is parked and restored between every two events, which must
// not show.
func FuzzStep(f *testing.F) {
	f.Add([]byte(`{"name":"t"}`), []byte("{\"type\":\"begin\"}\n{\"type\":\"response\",\"leg\":1,\"body\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"result\\\":{\\\"resultType\\\":\\\"input_required\\\",\\\"requestState\\\":\\\"s\\\",\\\"inputRequests\\\":{\\\"a\\\":{\\\"method\\\":\\\"roots/list\\\"}}}}\"}\n{\"type\":\"answer\",\"ask\":1,\"raw\":\"{\\\"roots\\\":[]}\"}\n{\"type\":\"tick\"}\n{\"type\":\"cancel\"}"))
	f.Add([]byte(`{}`), []byte("{\"type\":\"begin\"}\n{\"type\":\"lost\",\"leg\":1}\n{\"type\":\"refuse\",\"ask\":1}"))
	f.Add([]byte(`{"requestState":"x","inputResponses":{}}`), []byte("{\"type\":\"begin\"}\n{\"type\":\"response\",\"leg\":1,\"body\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"error\\\":{\\\"code\\\":-32602}}\"}"))
	// Every script of the corpus is a seed.
	paths, _ := filepath.Glob("testdata/flows/*.txt")
	for _, path := range paths {
		s, err := enginetest.ReadScript(path)
		if err != nil {
			f.Fatal(err)
		}
		var lines []byte
		for _, b := range s.Blocks {
			if _, event, ok := strings.Cut(b.Call, " "); ok && strings.HasPrefix(event, `{"type"`) {
				lines = append(append(lines, event...), '\n')
			}
		}
		f.Add([]byte(`{"name":"t"}`), lines)
		if strings.Contains(path, "-task") {
			f.Add([]byte(`{"name":"t","task":{}}`), lines)
		}
	}
	f.Fuzz(func(t *testing.T, params, script []byte) {
		opts := engine.Options{
			AskConcurrency: 2, Audit: true, Limits: engine.Limits{Asks: 8}, AskTimeout: 40 * time.Second, Budget: 200 * time.Second, Deadline: 1_000_000,
			ID: "f", Peer: "p", Capabilities: []byte(`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}`),
		}
		one, err := engine.New("tools/call", params, opts)
		if err != nil {
			return
		}
		two, _ := engine.New("tools/call", params, opts)
		ended, sliced, saving := false, false, false
		for n, line := range bytes.Split(script, []byte("\n")) {
			now := int64(n * 1000)
			ev, bad := wire.Text.DecodeEvent(bytes.Clone(line))
			if bad != nil {
				continue
			}
			_, isBegin := ev.(engine.Begin)
			if !isBegin && !sliced && !saving { // which would go on with the restored flow only; what waits is in no snapshot
				two = reopen(t, two)
			}
			switch ev.(type) {
			case engine.Part: // a snapshot has nothing of it
				sliced = true
			case engine.Response:
				sliced = false
			case engine.Saved:
				saving = false
			}
			actions, err := one.Step(now, ev)
			if isBegin && err != nil {
				continue
			}
			saving = saving && !isBegin
			again, err2 := two.Step(now, ev)
			text := wire.Text.AppendActions(nil, actions)
			if !bytes.Equal(text, wire.Text.AppendActions(nil, again)) || (err == nil) != (err2 == nil) {
				t.Fatalf("event %d: two flows with the same events differ:\n%s\n%s\n%s", n, line, text, wire.Text.AppendActions(nil, again))
			}
			if !json.Valid(text) {
				t.Fatalf("event %d: the actions are not JSON: %q", n, text)
			}
			if isBegin && err == nil {
				ended = false
			}
			if ended && len(actions) != 0 {
				t.Fatalf("event %d: %d actions after the end", n, len(actions))
			}
			for i, a := range actions {
				switch a.(type) {
				case engine.Save:
					if saving {
						t.Fatalf("event %d: a second Save before the first is reported", n)
					}
					saving = true
				case engine.Done, engine.Parked, engine.Failed:
					ended, saving = true, false
				case engine.Ask, engine.Send, engine.Task, engine.Leg, engine.Pause:
					if saving {
						t.Fatalf("event %d: %T before the snapshot is kept", n, a)
					}
				}
				switch a := a.(type) {
				case engine.Send:
					if !json.Valid(a.Params) {
						t.Fatalf("event %d: params are not JSON: %q", n, a.Params)
					}
				case engine.Wait:
					if i != len(actions)-1 || a.Until <= now {
						t.Fatalf("event %d: a Wait that is not last, or over already", n)
					}
				}
			}
		}
	})
}

// reopen restores a flow from its snapshot, and checks that the snapshot is
// canonical.
func reopen(t *testing.T, f *engine.Flow) *engine.Flow {
	t.Helper()
	snap, err := f.Snapshot()
	if err != nil {
		return f // too long for its own limit
	}
	info := f.Info()
	again, err := engine.Restore(snap, engine.Expect{Peer: info.Peer, Principal: info.Principal})
	if err != nil {
		t.Fatalf("restoring %s: %v", snap, err)
	}
	if second, err := again.Snapshot(); err != nil || !bytes.Equal(second, snap) {
		t.Fatalf("the snapshot of a restored flow differs (%v):\n%s\n%s", err, snap, second)
	}
	return again
}

// FuzzRestore: no bytes make Restore or what it restores panic, and whatever it
// accepts is canonical and survives any event.
func FuzzRestore(f *testing.F) {
	paths, _ := filepath.Glob("testdata/flows/*.txt")
	for _, path := range paths {
		s, err := enginetest.ReadScript(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, b := range s.Blocks {
			if b.Call == "snapshot" {
				if snap, err := wire.Text.DecodeSnapshot([]byte(b.Answer)); err == nil {
					f.Add(snap)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, snap []byte) {
		snap = withSum(snap)
		flow, err := engine.Restore(snap, engine.Expect{})
		if err != nil {
			return
		}
		if again, err := flow.Snapshot(); err != nil || !bytes.Equal(again, snap) || !rawjson.Valid(snap) {
			t.Fatalf("accepted, but not canonical (%v):\n%s\n%s", err, snap, again)
		}
		for _, ev := range []engine.Event{
			engine.Tick{}, engine.Answer{Ask: 1, Raw: []byte(`{"action":"decline"}`)}, engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","result":{"resultType":"input_required","requestState":"x"}}`)},
			engine.Begin{}, engine.Refuse{Ask: 2}, engine.Park{}, engine.Begin{Resend: true}, engine.Lost{Leg: 2}, engine.Progress{Leg: 3}, engine.Cancel{},
		} {
			flow.Step(1<<41, ev)
			flow.Info()
			reopen(t, flow)
		}
	})
}

// withSum gives a snapshot the checksum it should have, so that the fuzzer
// gets past it.
func withSum(snap []byte) []byte {
	i := bytes.LastIndex(snap, []byte(`,"sum":"`))
	if i < 0 {
		return snap
	}
	return fmt.Appendf(bytes.Clone(snap[:i]), `,"sum":"%x"}`, rawjson.Hash(snap[:i]))
}
