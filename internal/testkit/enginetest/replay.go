package enginetest

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/wire"
)

// Host makes flows from the JSON that the wasm module's exports take.
type Host interface {
	// New answers a flow, or {"error":…} and no flow.
	New(request []byte) (Flow, []byte)

	// Restore does the same from a snapshot.
	Restore(request []byte) (Flow, []byte)
}

// Flow is one flow at a host.
type Flow interface {
	Step(now int64, event []byte) (answer []byte)
	Snapshot() (answer []byte) // {"snapshot":"…"} or {"error":…}
	Close()
}

// Mode says how [Run] replays.
type Mode int

const (
	Plain  Mode = iota
	Update      // rewrite the scripts with the answers the host gives
	Parked      // take a snapshot and restore it between every two events
)

// Run replays every script in dir on the host, each as a test of its own.
func Run(t *testing.T, dir string, host Host, mode Mode) {
	t.Helper()
	runScripts(t, dir, mode, func(t *testing.T) player {
		return &replay{t: t, host: host, mode: mode}
	})
}

type replay struct {
	t      *testing.T
	host   Host
	mode   Mode
	flow   Flow
	sliced bool                             // the last event was a part of one
	saving bool                             // a Save was not reported: what waits for that is in no snapshot
	labels struct{ Peer, Principal string } // to restore with
	can    json.RawMessage                  // to restore with, if the host draws any form, which no snapshot tells
}

func (r *replay) call(i int, call string) string {
	verb, arg, _ := strings.Cut(call, " ")
	switch {
	case verb == "new":
		var request struct {
			Options struct {
				Peer, Principal string
				Can             json.RawMessage
			}
		}
		json.Unmarshal([]byte(arg), &request) // what is not JSON is the host's to refuse
		r.labels.Peer, r.labels.Principal = request.Options.Peer, request.Options.Principal
		if strings.Contains(string(request.Options.Can), "anyForm") {
			r.can = request.Options.Can
		}
		return r.take(r.host.New([]byte(arg)))
	case verb == "load":
		json.Unmarshal([]byte(arg), &r.labels)
		return r.take(r.host.Restore([]byte(arg)))
	case r.flow == nil:
		r.t.Fatalf("block %d: %s without a flow", i, verb)
	case verb == "snapshot":
		return string(r.flow.Snapshot())
	case verb == "restore":
		return r.restore(arg)
	}
	now, err := strconv.ParseInt(verb, 10, 64)
	if err != nil {
		r.t.Fatalf("block %d: unknown call %q", i, verb)
	}
	// Begin goes on with a restored flow, so it must find the flow it had. What
	// came of a response is not in a snapshot.
	isPart := strings.Contains(arg, `"type":"part"`)
	defer func() { r.sliced = isPart }()
	if r.mode == Parked && !r.sliced && !r.saving && !strings.Contains(arg, `"type":"begin"`) {
		expect := map[string]any{"peer": r.labels.Peer, "principal": r.labels.Principal}
		if r.can != nil {
			expect["can"] = r.can
		}
		text, _ := json.Marshal(expect)
		if got := r.restore(string(text)); got != "ok" {
			r.t.Fatalf("block %d: restoring before it: %s", i, got)
		}
	}
	answer := string(r.flow.Step(now, []byte(arg)))
	if !strings.Contains(answer, `{"error"`) {
		r.saving = r.saves(arg, answer)
	}
	return answer
}

// saves reports whether a snapshot is to be kept after an event.
func (r *replay) saves(event, answer string) bool {
	switch {
	case strings.Contains(answer, `{"type":"save"}`):
		return true
	case strings.Contains(event, `{"type":"saved"}`), strings.Contains(event, `{"type":"begin"`), strings.Contains(answer, `{"type":"failed"`), strings.Contains(answer, `{"type":"parked"`), strings.Contains(answer, `{"type":"done"`):
		return false
	}
	return r.saving
}

// restore goes on with a flow restored from the one at hand. If that fails the
// one at hand stays.
func (r *replay) restore(expect string) string {
	snapshot, err := wire.Text.DecodeSnapshot(r.flow.Snapshot())
	if err != nil {
		return string(wire.Text.AppendError(nil, err.(*engine.Error)))
	}
	request := wire.Text.AppendRestore(nil, snapshot, engine.Expect{})
	if rest := strings.TrimPrefix(strings.TrimSpace(expect), "{"); rest != "" && rest != "}" {
		request = append(append(request[:len(request)-1], ','), rest...)
	}
	return r.take(r.host.Restore(request))
}

func (r *replay) take(flow Flow, bad []byte) string {
	if bad != nil {
		return string(bad)
	}
	r.close()
	r.flow = flow
	return "ok"
}

func (r *replay) close() {
	if r.flow != nil {
		r.flow.Close()
		r.flow = nil
	}
}
