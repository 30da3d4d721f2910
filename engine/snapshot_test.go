package engine_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// parkedFlow is a flow with a question open and one answered.
func parkedFlow(t testing.TB) []byte {
	t.Helper()
	f, err := engine.New("tools/call", []byte(`{"name":"t","arguments":{"x":1.0}}`), engine.Options{
		ID: "call-1", Peer: "server", Principal: "zoe", Capabilities: []byte(`{"elicitation":{}}`), MaxRounds: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	const ask = `{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}}`
	for _, ev := range []engine.Event{
		engine.Begin{},
		engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"secret","inputRequests":{"a":` + ask + `,"b":` + ask + `}}}`)},
		engine.Answer{Ask: 1, Raw: []byte(`{"action":"accept","content":{"n":"x"}}`)},
		engine.Park{},
	} {
		if _, err := f.Step(1_700_000_000_000, ev); err != nil {
			t.Fatal(err)
		}
	}
	snap, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

var expectZoe = engine.Expect{Peer: "server", Principal: "zoe"}

func TestDamagedSnapshots(t *testing.T) {
	snap := parkedFlow(t)
	if _, err := engine.Restore(snap, expectZoe); err != nil {
		t.Fatal(err)
	}
	refuse := func(name string, damaged []byte) {
		t.Helper()
		f, err := engine.Restore(damaged, expectZoe)
		if !errors.Is(err, fault.Snapshot) || f != nil {
			t.Errorf("%s: got %v, want fault.Snapshot", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error tells the state", name)
		}
	}
	for i := range snap {
		refuse("cut short", snap[:i])
		for _, bit := range []byte{1, 0x20, 0x80} {
			flipped := bytes.Clone(snap)
			flipped[i] ^= bit
			refuse("a bit flipped", flipped)
		}
		refuse("a space put in", append(append(bytes.Clone(snap[:i]), ' '), snap[i:]...))
	}
	for name, text := range map[string]string{
		"empty": "", "null": "null", "array": "[]", "foreign JSON": `{"parley":"flow"}`, "other JSON": `{"version":1}`,
		"future": strings.Replace(string(snap), `{"parley":2`, `{"parley":3`, 1),
		"twice":  string(snap) + string(snap),
	} {
		refuse(name, []byte(text))
	}
	if _, err := engine.Restore(snap, engine.Expect{Peer: "server", Principal: "zoe", Size: len(snap) - 1}); !errors.Is(err, fault.Snapshot) {
		t.Errorf("longer than Size: got %v", err)
	}
}

// Nothing within a snapshot is taken unread: text that is damaged and has the
// checksum it should have is refused, or is a snapshot of another call.
func TestSnapshotsDamagedUnderTheirSum(t *testing.T) {
	snap := parkedFlow(t)
	for i := range snap {
		for _, other := range []string{"", `"`, `\`, "{", "}", "[", "]", ",", ":", "0", "x", " ", "\x00", "\xff"} {
			damaged := withSum(append(append(bytes.Clone(snap[:i]), other...), snap[i+1:]...))
			f, err := engine.Restore(damaged, expectZoe)
			if err != nil {
				continue
			}
			if again, err := f.Snapshot(); err != nil || !bytes.Equal(again, damaged) || !rawjson.Valid(damaged) {
				t.Errorf("accepted, but not what it would write (%v): %s", err, damaged)
			}
		}
	}
}

func TestSnapshotIsSmall(t *testing.T) {
	snap := parkedFlow(t)
	payload := 0
	for _, part := range []string{
		"tools/call", `{"name":"t","arguments":{"x":1.0}}`, `{"elicitation":{}}`, "call-1server" + "zoe", `"secret"`,
		`{"action":"accept","content":{"n":"x"}}`,
	} {
		payload += len(part)
	}
	payload += bytes.Index(snap, []byte(`,"asks":`)) - bytes.Index(snap, []byte(`{"a":{`)) // inputRequests
	if extra := len(snap) - payload; extra > 280 {
		t.Errorf("the snapshot is %d bytes over its payload of %d", extra, payload)
	} else {
		t.Logf("%d bytes over a payload of %d", extra, payload)
	}
}

// The snapshot is the flow's, not the caller's: neither may change the other.
func TestRestoreCopies(t *testing.T) {
	snap := parkedFlow(t)
	own := bytes.Clone(snap)
	f, err := engine.Restore(own, expectZoe)
	if err != nil {
		t.Fatal(err)
	}
	clear(own)
	if again, err := f.Snapshot(); err != nil || !bytes.Equal(again, snap) {
		t.Errorf("the flow shares the caller's memory (%v)", err)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	snap := parkedFlow(b)
	b.Run("restore+snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f, err := engine.Restore(snap, expectZoe)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := f.Snapshot(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(snap)), "bytes")
	})
}
