package wasm_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

var update = flag.Bool("update", false, "rewrite the answers to refused frames")

// ask calls an export with a request in the notation of the scripts.
func (i instance) ask(name string, request string, args ...uint64) string {
	i.t.Helper()
	return i.frame(name, enginetest.RequestRaw().Frame([]byte(request)), args...)
}

// frame calls an export with a frame, and is the answer in the notation of the
// scripts.
func (i instance) frame(name string, frame []byte, args ...uint64) string {
	i.t.Helper()
	return i.text(i.call(name, append(args, i.write(string(frame)))...))
}

// text is an answer in the notation of the scripts.
func (i instance) text(size uint64) string {
	i.t.Helper()
	return string(enginetest.AnswerRaw().Text([]byte(i.read(size))))
}

func number(t *testing.T, answer, name string) uint64 {
	t.Helper()
	var n uint64
	if _, err := fmt.Sscanf(answer, `{"`+name+`":%d}`, &n); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	return n
}

// underWay is a flow and a session with a call, both begun, to which frames can be
// given.
type underWay struct {
	instance
	flow, session uint64
}

func begun(t *testing.T) underWay {
	i := instantiate(t, file("testdata/flow.wasm"))
	u := underWay{instance: i}
	u.flow = number(t, i.ask("parley_flow_new", `{"method":"tools/call"}`), "flow")
	i.ask("parley_flow_step", `{"type":"begin"}`, u.flow, 0)
	u.session = number(t, i.ask("parley_session_new", `{}`), "session")
	number(t, i.ask("parley_session_call", `{"method":"tools/call"}`, u.session), "call")
	i.ask("parley_session_step", `{"type":"begin","call":1}`, u.session, 0)
	return u
}

// give gives a frame to an export.
func (u underWay) give(export string, frame []byte) string {
	u.t.Helper()
	switch {
	case strings.HasSuffix(export, "flow_step"):
		return u.frame(export, frame, u.flow, api.EncodeF64(0))
	case strings.HasSuffix(export, "session_step"):
		return u.frame(export, frame, u.session, api.EncodeF64(0))
	case strings.Contains(export, "_session_") && !strings.HasSuffix(export, "_new"):
		return u.frame(export, frame, u.session)
	}
	return u.frame(export, frame)
}

// state is what must stay as it is.
func (u underWay) state() string {
	u.t.Helper()
	return u.text(u.call("parley_flow_snapshot", u.flow)) + u.text(u.call("parley_flow_info", u.flow)) +
		u.text(u.call("parley_session_snapshot", u.session, 1)) + u.text(u.call("parley_session_info", u.session, 1)) +
		fmt.Sprint(u.call("parley_live"))
}

// TestFramesRefused gives a module what no host should write: an error, and the
// flow as it was.
func TestFramesRefused(t *testing.T) {
	u := begun(t)
	before := u.state()
	if !strings.Contains(before, `{"snapshot":"`) {
		t.Fatalf("no snapshot: %s", before)
	}
	mode := enginetest.Plain
	if *update {
		mode = enginetest.Update
	}
	refused := 0
	for _, v := range enginetest.Vectors(t, enginetest.FramesDir(".."), mode, func(v enginetest.Vector) []byte {
		if v.Kind != "refused" {
			return nil
		}
		return []byte(u.give(v.Export, v.Frame))
	}) {
		if v.Kind != "refused" {
			continue
		}
		refused++
		if got := u.give(v.Export, v.Frame); got != string(v.Text) || !strings.Contains(got, `"error"`) && !strings.Contains(got, `"problem"`) {
			t.Errorf("%s %q: got %s, want %s", v.Export, v.Frame, got, v.Text)
		}
		if got := u.state(); got != before {
			t.Fatalf("%s %q changed the state\nfrom %s\n  to %s", v.Export, v.Frame, before, got)
		}
	}
	if refused < 20 {
		t.Errorf("only %d frames were refused", refused)
	}
}

// TestFramesCutShort cuts every request of the vectors at each byte: none has a
// byte that it can do without.
func TestFramesCutShort(t *testing.T) {
	u := begun(t)
	before := u.state()
	cut := 0
	for _, v := range enginetest.Vectors(t, enginetest.FramesDir(".."), enginetest.Plain, nil) {
		if v.Kind != "request" {
			continue
		}
		for n := range v.Frame {
			got := u.give(v.Export, v.Frame[:n])
			if !strings.HasPrefix(got, `{"error":{"code":`) || strings.Contains(got, `"detail":""`) {
				t.Fatalf("%s %q: got %s", v.Export, v.Frame[:n], got)
			}
			cut++
		}
		if got := u.state(); got != before {
			t.Fatalf("%s %s, cut short, changed the state\nfrom %s\n  to %s", v.Export, v.Text, before, got)
		}
	}
	if cut < 1000 {
		t.Errorf("only %d cuts were made", cut)
	}
}

// TestFramesInAnyOrder has blobs in another order than the head, with a gap
// between them.
func TestFramesInAnyOrder(t *testing.T) {
	u := begun(t)
	head := `{"method":"tools/call","params":[5,2],"options":{"capabilities":[0,2]}}`
	frame := append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head+"{}gap{}more"...)
	flow := number(t, u.give("parley_flow_new", frame), "flow")
	got := u.ask("parley_flow_step", `{"type":"begin"}`, flow, 0)
	if !strings.Contains(got, `"params":"{}"`) {
		t.Errorf("got %s", got)
	}
}

// TestNamesOfRawMembers finds no raw name that is a text's elsewhere in the same
// direction: a host that knows the names alone could not tell them apart.
func TestNamesOfRawMembers(t *testing.T) {
	for _, v := range enginetest.Vectors(t, enginetest.FramesDir(".."), enginetest.Plain, nil) {
		if v.Kind == "refused" {
			continue
		}
		raw := enginetest.AnswerRaw()
		if v.Kind == "request" {
			raw = enginetest.RequestRaw()
		}
		head := v.Frame[4 : 4+binary.LittleEndian.Uint32(v.Frame)]
		for name := range raw {
			if bytes.Contains(head, []byte(`"`+name+`":"`)) {
				t.Errorf("%s: %s is a text", head, name)
			}
		}
	}
}
