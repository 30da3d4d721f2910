package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// AppendHandle appends {"flow":…}, the answer to new.
func (n Notation) AppendHandle(dst []byte, handle uint32) []byte {
	return n.appendNumber(dst, "flow", int64(handle))
}

// DecodeHandle reads what [Notation.AppendHandle] or [Notation.AppendError] wrote.
func (n Notation) DecodeHandle(data []byte) (handle uint32, err error) {
	number, err := n.decodeNumber(data, "flow")
	return uint32(number), err
}

// AppendSnapshot appends {"snapshot":"…"}.
func (n Notation) AppendSnapshot(dst, snapshot []byte) []byte {
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.Raw("snapshot", may, &snapshot)
	w.Close()
	return w.End()
}

// DecodeSnapshot reads what [Notation.AppendSnapshot] or [Notation.AppendError] wrote. The
// snapshot points into data.
func (n Notation) DecodeSnapshot(data []byte) (snapshot []byte, err error) {
	var w walk
	var failed *engine.Error
	w.read(n, "answer of the engine", data)
	for w.Next() {
		w.error(&failed)
		w.Raw("snapshot", may, &snapshot)
	}
	return snapshot, w.flawed(failed)
}

// AppendRestore appends what [Notation.DecodeRestore] reads:
// {"snapshot":"…","peer":"…","principal":"…",…}.
func (n Notation) AppendRestore(dst, snapshot []byte, expect engine.Expect) []byte {
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.restore(&snapshot, &expect)
	w.Close()
	return w.End()
}

// DecodeRestore reads the arguments of [engine.Restore]. data is used as
// memory: see the package comment.
func (n Notation) DecodeRestore(data []byte) (snapshot []byte, expect engine.Expect, err *engine.Error) {
	var w walk
	w.read(n, "restore", data)
	for w.Next() {
		w.restore(&snapshot, &expect)
	}
	return snapshot, expect, w.flaw(fault.Order)
}

// What a snapshot must match, and which of its bounds to replace.
func (w *walk) restore(snapshot *[]byte, expect *engine.Expect) {
	w.Raw("snapshot", told, snapshot)           // as it came
	w.Text("peer", may, &expect.Peer)           // must be what the call was made with
	w.Text("principal", may, &expect.Principal) // must be what the call was made with
	w.can(&expect.Can)                          // what the host can answer: a call that declared more is refused, and so is one with an open form that only `anyForm` can draw; if absent, nothing is checked
	w.Int64("deadline", may, &expect.Deadline)  // replaces the call's own, as do the next three
	w.Millis("budget", may, &expect.Budget)
	w.Int("maxRounds", may, &expect.MaxRounds)
	w.Int("maxWaits", may, &expect.MaxWaits)
	w.Int("size", may, &expect.Size) // the longest snapshot accepted, in bytes; 8 MiB if absent
}

// AppendInfo appends an [engine.Info].
func (n Notation) AppendInfo(dst []byte, info *engine.Info) []byte {
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.info(info)
	w.Close()
	return w.End()
}

// DecodeInfo reads what [Notation.AppendInfo] or [Notation.AppendError] wrote. The texts point
// into data.
func (n Notation) DecodeInfo(data []byte) (info engine.Info, err error) {
	var w walk
	var failed *engine.Error
	w.read(n, "answer of the engine", data)
	for w.Next() {
		w.error(&failed)
		w.info(&info)
	}
	return info, w.flawed(failed)
}

// What a call is, for a list of parked calls.
func (w *walk) info(info *engine.Info) {
	w.Text("method", told, &info.Method)
	w.Raw("params", told, &info.Params)
	w.Raw("capabilities", told, &info.Capabilities) // sent with every leg
	w.Text("id", may, &info.ID)
	w.Text("peer", may, &info.Peer)
	w.Text("principal", may, &info.Principal)
	w.Bool("form", may, &info.Form) // this and the next four: what it declares, which the host must be able to answer
	w.Bool("url", may, &info.URL)
	w.Bool("sampling", may, &info.Sampling)
	w.Bool("samplingTools", may, &info.SamplingTools)
	w.Bool("roots", may, &info.Roots)
	w.Int("round", told, &info.Round)
	w.Int("leg", told, &info.Leg)
	w.Int("questions", told, &info.Questions) // not answered
	w.Bool("inDoubt", may, &info.InDoubt)     // only `begin` with `resend` continues it
	w.Bool("over", may, &info.Over)           // nothing can continue
	w.Text("task", may, &info.Task)           // the status of the task that the call has become
}
