package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
)

const odd = "a\"\\\n\x00\u2028é😀"

func TestEventsRoundTrip(t *testing.T) {
	for _, want := range []engine.Event{
		engine.Begin{}, engine.Begin{Resend: true}, engine.Begin{Again: true, MoreRounds: 7, Save: true, Watch: true}, engine.Saved{}, engine.SaveFailed{Reason: odd},
		engine.Park{}, engine.Park{Ask: 3}, engine.Cancel{}, engine.Tick{}, engine.Progress{Leg: 2},
		engine.Part{Leg: 3, Body: []byte("\xe4\xb8")},
		engine.Response{Leg: 3, Body: []byte(odd + "\xff")},
		engine.Response{Leg: 1, Body: []byte{}},
		engine.Lost{Leg: 2, Reason: odd},
		engine.Lost{Leg: 2, Unsent: true},
		engine.Answer{Ask: 4, Raw: []byte(odd)},
		engine.Answer{Ask: 4, Raw: []byte(odd), Fill: true},
		engine.Refuse{Ask: 5, Reason: ""},
	} {
		text := wire.Text.AppendEvent(nil, want)
		got, err := wire.Text.DecodeEvent(append([]byte(nil), text...))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, want %#v", text, got, want)
		}
	}
}

func TestActionsRoundTrip(t *testing.T) {
	want := []engine.Action{
		engine.Send{Leg: 1, Method: "tools/call", Params: []byte(`{"a":1.0}`)},
		engine.Abandon{Leg: 1},
		engine.Ask{ID: 2, Key: odd, Kind: engine.KindElicit, Mode: engine.ModeForm, Params: []byte(odd), Round: 3},
		engine.Ask{ID: 3, Key: "", Kind: engine.KindListRoots, Round: 3},
		engine.Ask{ID: 4, Kind: engine.KindElicit, Mode: engine.ModeURL, Params: []byte("{}"), Round: 4, Host: "h", Loopback: true, Punycode: true, Repeat: true},
		engine.Ask{ID: 5, Kind: engine.KindElicit, Mode: engine.ModeForm, Round: 4, Problem: odd, Earlier: []byte(odd)},
		engine.Save{},
		engine.Leg{Leg: 3, Method: "tools/call", Size: 4, Answer: "input_required", State: 5, Asks: 6}, engine.Pause{Until: 1 << 50, Waits: 7},
		engine.Withdraw{Ask: 2}, engine.Parked{},
		engine.Note{Kind: audit.StrayFields, Flow: "f", Leg: 1, Round: 2, Time: 1 << 50, Ask: 3, Action: "accept", Fingerprint: "ab", Code: fault.RPC},
		engine.Done{Result: []byte(`{"x":` + "\"\xff\"" + `}`)},
		engine.Done{From: 20, To: 1 << 30, NoStore: true},
		engine.Done{Result: []byte(`{}`), Next: []byte(odd), Lacks: odd},
		engine.Failed{Code: fault.RPC, Detail: odd, Resumable: true, Error: []byte(`{"code":1}`)},
		engine.Wait{Until: 1<<53 - 1},
	}
	text := wire.Text.AppendActions(nil, want)
	got, err := wire.Text.DecodeActions(append([]byte(nil), text...))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v\nwant %#v", got, want)
	}
}

// Every member of a filter arrives, in both directions.
func TestSubscriptionRoundTrip(t *testing.T) {
	filter := session.Filter{ToolsListChanged: true, PromptsListChanged: true, ResourcesListChanged: true, ResourceSubscriptions: []string{odd, "file:///b"}}
	for _, want := range []session.Subscribe{{}, {Filter: filter}, {Filter: filter, Missed: true}} {
		text := wire.Text.AppendSessionEvent(nil, want)
		if got, err := wire.Text.DecodeSessionEvent(append([]byte(nil), text...)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v", text, got, err, want)
		}
	}
	for _, text := range []string{`{"type":"subscribe","tools":true}`, `{"type":"subscribe","call":1}`, `{"type":"tick","toolsListChanged":true}`, `{"type":"tick","missed":true}`, `{"type":"subscribe","resourceSubscriptions":"a"}`} {
		if got, err := wire.Text.DecodeSessionEvent([]byte(text)); err == nil {
			t.Errorf("%s: accepted as %#v", text, got)
		}
	}
	want := []session.Action{
		session.Subscribed{}, session.Subscribed{Filter: filter}, session.Subscribed{Reason: odd, Over: true},
		session.Changed{Filter: filter}, session.Changed{Filter: session.Filter{PromptsListChanged: true}, Missed: true},
	}
	text := wire.Text.AppendSessionActions(nil, want)
	if got, err := wire.Text.DecodeSessionActions(append([]byte(nil), text...)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, %v, want %#v", text, got, err, want)
	}
}

// What goes out over HTTP says whose cookies go with it.
func TestJarRoundTrip(t *testing.T) {
	headers := []session.Header{{Name: "Accept", Value: "x"}}
	want := []session.Action{
		session.Post{Exchange: 1, Call: 2, Leg: 3, Jar: 4, Headers: headers, Body: []byte("{}")}, session.Listen{Exchange: 1, Jar: 2, Headers: headers, At: 3},
		session.Delete{Exchange: 1, Jar: 2, Headers: headers}, session.Delete{Exchange: 1, Headers: headers},
	}
	text := wire.Text.AppendSessionActions(nil, want)
	if got, err := wire.Text.DecodeSessionActions(append([]byte(nil), text...)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, %v, want %#v", text, got, err, want)
	}
}

// Every member of what caching has arrives.
func TestCacheRoundTrip(t *testing.T) {
	for _, want := range []session.Event{
		session.Part{Exchange: 1, Body: []byte("\xf0\x9f")}, session.Part{Body: []byte{}},
		session.Message{Exchange: 1, Body: []byte(odd), Authorization: 2, Last: true}, session.Ended{Exchange: 1, Authorization: 3},
	} {
		text := wire.Text.AppendSessionEvent(nil, want)
		if got, err := wire.Text.DecodeSessionEvent(append([]byte(nil), text...)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v", text, got, err, want)
		}
	}
	if got, err := wire.Text.DecodeSessionEvent([]byte(`{"type":"tick","authorization":1}`)); err == nil {
		t.Errorf("accepted as %#v", got)
	}
	want := []session.Action{
		session.Recall{Exchange: 1, Call: 2, Leg: 3, Key: odd, Private: true}, session.Recall{Exchange: 1, Call: 2, Leg: 3, Key: "k"},
		session.Keep{Key: odd, Entry: []byte(odd), Until: 1 << 40, Private: true}, session.Forget{Prefix: odd},
		session.From{Call: 1, Action: engine.Done{Result: []byte(odd), Cached: true}},
	}
	text := wire.Text.AppendSessionActions(nil, want)
	if got, err := wire.Text.DecodeSessionActions(append([]byte(nil), text...)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, %v, want %#v", text, got, err, want)
	}
	opts := session.Options{Cache: true, CachedAs: odd}
	if got, err := wire.Text.DecodeSessionNew(wire.Text.AppendSessionNew(nil, &opts)); err != nil || !reflect.DeepEqual(got, opts) {
		t.Errorf("got %#v, %v, want %#v", got, err, opts)
	}
}

func TestErrorRoundTrip(t *testing.T) {
	text := wire.Text.AppendError(nil, &engine.Error{Code: fault.Rounds, Detail: odd})
	_, err := wire.Text.DecodeActions(text)
	if e, ok := err.(*engine.Error); !ok || e.Code != fault.Rounds || e.Detail != odd {
		t.Errorf("got %v", err)
	}
}

func TestNewRoundTrip(t *testing.T) {
	want := engine.Options{
		Capabilities: []byte(`{"roots":{}}`), AskConcurrency: -1, LegTimeout: 90 * time.Second, LegMax: 91 * time.Second,
		AskTimeout: 92 * time.Second, Budget: 93 * time.Second, MaxPace: 94 * time.Second, Deadline: 1 << 40, ResendTools: true, ID: "i", Peer: odd, Principal: "p",
		MaxRounds: 3, MaxWaits: 4, MaxTries: 5, Audit: true, Fresh: true,
		Can:    &engine.Can{Form: true, URL: true, Sampling: true, SamplingTools: true, Roots: true, Tasks: true, Authorize: true, AnyForm: true},
		Limits: engine.Limits{Response: 1, Result: 2, State: 3, Asks: 4, Key: 5, Snapshot: 6, Params: 7},
	}
	// Every field is set, so that a field forgotten here or there shows.
	for _, v := range []any{want, want.Limits, *want.Can} {
		for i := range reflect.TypeOf(v).NumField() {
			if reflect.TypeOf(v).Field(i).IsExported() && reflect.ValueOf(v).Field(i).IsZero() {
				t.Fatalf("%T.%s is not covered", v, reflect.TypeOf(v).Field(i).Name)
			}
		}
	}
	method, params, opts, err := wire.Text.DecodeNew(wire.Text.AppendNew(nil, "tools/call", []byte(odd), want))
	if err != nil {
		t.Fatal(err)
	}
	if method != "tools/call" || string(params) != odd || !reflect.DeepEqual(opts, want) {
		t.Errorf("got %q %q %+v", method, params, opts)
	}
}

// FuzzDecode: no decoder panics on any bytes, and what one accepts is stable.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"type":"answer","ask":1,"raw":"{}"}`))
	f.Add([]byte(`{"actions":[{"type":"wait","until":5},{"type":"failed","code":4,"detail":"x","resumable":false}]}`))
	f.Add([]byte(`{"last":true,"body":"{}","type":"message","exchange":2}`))
	f.Add([]byte(`{"actions":[{"type":"post","exchange":1,"headers":[["a","b"]],"body":"{}"},{"type":"ask","ask":1,"key":"","kind":"","round":1,"call":2}]}`))
	f.Add([]byte(`{"method":"m","params":"{}","options":{"limits":{"asks":1},"legTimeout":-1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		clone := func() []byte { return append([]byte(nil), data...) }
		if ev, err := wire.Text.DecodeEvent(clone()); err == nil {
			text := wire.Text.AppendEvent(nil, ev)
			again, err := wire.Text.DecodeEvent(append([]byte(nil), text...))
			if err != nil || !reflect.DeepEqual(ev, again) {
				t.Fatalf("%q read as %#v, then as %#v (%v)", data, ev, again, err)
			}
		}
		if ev, err := wire.Text.DecodeSessionEvent(clone()); err == nil {
			text := wire.Text.AppendSessionEvent(nil, ev)
			again, err := wire.Text.DecodeSessionEvent(append([]byte(nil), text...))
			if err != nil || !reflect.DeepEqual(ev, again) {
				t.Fatalf("%q read as %#v, then as %#v (%v)", data, ev, again, err)
			}
		}
		if actions, err := wire.Text.DecodeSessionActions(clone()); err == nil {
			text := wire.Text.AppendSessionActions(nil, actions)
			again, err := wire.Text.DecodeSessionActions(append([]byte(nil), text...))
			if err != nil || !reflect.DeepEqual(actions, again) {
				t.Fatalf("%q read as %#v, then as %#v (%v)", data, actions, again, err)
			}
		}
		if actions, err := wire.Text.DecodeActions(clone()); err == nil && !json.Valid(wire.Text.AppendActions(nil, actions)) {
			t.Fatalf("%q: the actions do not come out as JSON", data)
		}
		wire.Text.DecodeNew(clone())
		wire.Text.DecodeHandle(clone())
	})
}

// Every object is checked member by member: what is missing, unknown, twice or
// of another kind is named. The order is free.
func TestMembersAreChecked(t *testing.T) {
	event := func(text string) error {
		if _, err := wire.Text.DecodeSessionEvent([]byte(text)); err != nil {
			return err
		}
		return nil
	}
	action := func(text string) error {
		_, err := wire.Text.DecodeSessionActions([]byte(`{"actions":[` + text + `]}`))
		return err
	}
	session := func(text string) error {
		if _, err := wire.Text.DecodeSessionNew([]byte(text)); err != nil {
			return err
		}
		return nil
	}
	call := func(text string) error {
		if _, _, _, err := wire.Text.DecodeNew([]byte(text)); err != nil {
			return err
		}
		return nil
	}
	for _, tt := range []struct {
		read       func(string) error
		text, want string
	}{
		{event, `{"raw":"{}","call":1,"fill":true,"ask":2,"type":"answer"}`, ""},
		{event, `{"type":"answer","call":1,"ask":2}`, `event: member "raw" is missing`},
		{event, `{"type":"answer","call":1,"ask":2,"raw":"","leg":1}`, `event: member "leg" is not known here`},
		{event, `{"type":"answer","call":1,"ask":"2","raw":""}`, `event: member "ask" is not an integer`},
		{event, `{"type":"answer","call":1,"ask":2,"raw":"","ask":2}`, `event: member "ask" is there twice`},
		{event, `{"call":1,"call":1,"type":"tick"}`, `event: member "call" is there twice`},
		{event, `{"type":"message","body":"","call":1}`, `event: member "call" is not known here`},
		{event, `{"type":"answer","ask":2,"raw":""}`, "event: the type is not known"},
		{event, `{"ask":2}`, "event: the type is not known"},
		{event, `{"type":"tick"`, "event: unexpected end of JSON at byte 14"},
		{action, `{"exchange":1,"body":"{}","headers":[["a","b"]],"type":"post"}`, ""},
		{action, `{"type":"wait","until":5}`, ""},
		{action, `{"type":"send","leg":1,"method":"m"}`, `action: member "call" is missing`},
		{action, `{"type":"send","call":1,"method":"m"}`, `action: member "leg" is missing`},
		{action, `{"type":"send","call":1,"leg":1,"method":"m","exchange":1}`, `action: member "exchange" is not known here`},
		{action, `{"type":"done","call":1,"noStore":1}`, `action: member "noStore" is neither true nor false`},
		{action, `{"type":"post","exchange":1,"headers":[["a"]]}`, `action: member "headers" is not an array of names and values`},
		{action, `{"type":"sent"}`, "action: the type is not known"},
		{session, `{"can":{"forms":true}}`, `can: member "forms" is not known here`},
		{session, `{"can":{},"can":{}}`, `session: member "can" is there twice`},
		{call, `{"options":{"limits":{"asks":1,"response":2}},"method":"m"}`, ""},
		{call, `{"options":{"limits":{"limitAsks":1}}}`, `limits: member "limitAsks" is not known here`},
		{call, `{"options":{"limitAsks":1}}`, `options: member "limitAsks" is not known here`},
	} {
		got := ""
		if err := tt.read(tt.text); err != nil {
			got = err.(*engine.Error).Detail.String()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
