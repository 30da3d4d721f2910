package wire_test

import (
	"bytes"
	"flag"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/internal/wire"
)

var update = flag.Bool("update", false, "rewrite the vectors of frames")

// TestFrames holds the field table to the vectors, both ways, and to a host that
// knows the names of the raw members and nothing else.
func TestFrames(t *testing.T) {
	mode := enginetest.Plain
	if *update {
		mode = enginetest.Update
	}
	vectors := enginetest.Vectors(t, enginetest.FramesDir("../.."), mode, func(v enginetest.Vector) []byte {
		if v.Kind == "refused" {
			return nil
		}
		return rawOf(v).Frame(v.Text)
	})
	if len(vectors) < 50 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	for _, v := range vectors {
		if v.Kind == "refused" {
			continue // wasm has them refused
		}
		name := v.Kind + " " + v.Export + " " + string(v.Text)
		if got := rawOf(v).Frame(v.Text); !bytes.Equal(got, v.Frame) {
			t.Errorf("%s\n got %q\nwant %q, by the names", name, got, v.Frame)
		}
		if got := rawOf(v).Text(v.Frame); !bytes.Equal(got, v.Text) {
			t.Errorf("%s\n got %s, by the names", name, got)
		}
		if got := reframed(t, v, wire.Text, wire.Frame, v.Text); got != nil && !bytes.Equal(got, v.Frame) {
			t.Errorf("%s\n got %q\nwant %q, by the table", name, got, v.Frame)
		}
		for _, from := range []wire.Notation{wire.Frame, wire.View} {
			if got := reframed(t, v, from, wire.Text, v.Frame); got != nil && !bytes.Equal(got, v.Text) {
				t.Errorf("%s\n got %s, by the table", name, got)
			}
		}
	}
}

func rawOf(v enginetest.Vector) enginetest.Raw {
	if v.Kind == "request" {
		return enginetest.RequestRaw()
	}
	return enginetest.AnswerRaw()
}

// reframed reads a payload in one notation and writes it in another; nil where
// only a module does the one or the other.
func reframed(t *testing.T, v enginetest.Vector, from, to wire.Notation, data []byte) []byte {
	t.Helper()
	data = bytes.Clone(data)
	var r wire.Request
	whole := func() []byte { return append(r.Head, bytes.Join(r.Blobs, nil)...) }
	verb := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(v.Export, "parley_"), "flow_"), "session_")
	of := strings.Contains(v.Export, "_session_")
	var err error
	var got []byte
	switch {
	case v.Kind == "request" && (verb == "new" && !of || verb == "call"):
		method, params, opts, bad := from.DecodeNew(data)
		if bad != nil {
			t.Fatal(bad)
		}
		if r.New(method, params, &opts); to == wire.Frame {
			return whole()
		}
		got = to.AppendNew(nil, method, params, opts)
	case v.Kind == "request" && verb == "new":
		opts, bad := from.DecodeSessionNew(data)
		if bad != nil {
			t.Fatal(bad)
		}
		if r.SessionNew(&opts); to == wire.Frame {
			return whole()
		}
		got = to.AppendSessionNew(nil, &opts)
	case v.Kind == "request" && verb == "restore":
		snapshot, expect, bad := from.DecodeRestore(data)
		if bad != nil {
			t.Fatal(bad)
		}
		if r.Restore(snapshot, &expect); to == wire.Frame {
			return whole()
		}
		got = to.AppendRestore(nil, snapshot, expect)
	case v.Kind == "request" && verb == "step" && of:
		ev, bad := from.DecodeSessionEvent(data)
		if bad != nil {
			t.Fatal(bad)
		}
		if r.SessionEvent(ev); to == wire.Frame {
			return whole()
		}
		got = to.AppendSessionEvent(nil, ev)
	case v.Kind == "request" && verb == "step":
		ev, bad := from.DecodeEvent(data)
		if bad != nil {
			t.Fatal(bad)
		}
		if to == wire.Frame { // no host in Go writes it
			return nil
		}
		got = to.AppendEvent(nil, ev)
	case bytes.Contains(v.Text, []byte(`{"error"`)):
		return nil
	case verb == "step" && of:
		actions, e := from.DecodeSessionActions(data)
		got, err = to.AppendSessionActions(nil, actions), e
	case verb == "step":
		actions, e := from.DecodeActions(data)
		got, err = to.AppendActions(nil, actions), e
	case verb == "snapshot":
		snapshot, e := from.DecodeSnapshot(data)
		got, err = to.AppendSnapshot(nil, snapshot), e
	case verb == "info":
		info, e := from.DecodeInfo(data)
		got, err = to.AppendInfo(nil, &info), e
	case verb == "call":
		call, e := from.DecodeCall(data)
		got, err = to.AppendCall(nil, call), e
	case verb == "new" && of:
		handle, e := from.DecodeSession(data)
		got, err = to.AppendSession(nil, handle), e
	case verb == "new":
		handle, e := from.DecodeHandle(data)
		got, err = to.AppendHandle(nil, handle), e
	}
	if err != nil {
		t.Fatalf("%s: %v", v.Text, err)
	}
	return got
}

// TestFramesOfTheLeaves compares what only a module writes with what a host makes
// of it by the names.
func TestFramesOfTheLeaves(t *testing.T) {
	const schema = `{"type":"object","properties":{"size":{"type":"string","enum":["s","m"],"default":"s"},"n":{"type":"integer"}}}`
	check := func(name string, text, frame []byte) {
		t.Helper()
		if got := enginetest.AnswerRaw().Text(frame); !bytes.Equal(got, text) {
			t.Errorf("%s: got %s, want %s", name, got, text)
		}
		if got := enginetest.AnswerRaw().Frame(text); !bytes.Equal(got, frame) {
			t.Errorf("%s: got %q, want %q", name, got, frame)
		}
	}
	check("form", wire.Text.AppendForm(nil, []byte(schema)), wire.Frame.AppendForm(nil, []byte(schema)))
	for _, request := range []string{`{"schema":` + quoted(schema) + `,"field":"n","typed":"1"}`, `{"schema":` + quoted(schema) + `,"field":"n","value":"1"}`,
		`{"schema":` + quoted(schema) + `,"field":"n","typed":""}`, `{"schema":` + quoted(schema) + `,"field":"n","typed":"x"}`, `{"schema":"{"}`} {
		frame := enginetest.RequestRaw().Frame([]byte(request))
		check("form_check "+request, wire.Text.AppendFieldCheck(nil, []byte(request)), wire.Frame.AppendFieldCheck(nil, frame))
	}
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"` }
