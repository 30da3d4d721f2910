package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// newFlow is what [engine.New] takes.
type newFlow struct {
	method string
	params []byte
	opts   engine.Options
}

// A new call.
func (w *walk) newFlow(n *newFlow) {
	w.Text("method", told, &n.method)
	w.Raw("params", may, &n.params) // a JSON object; absent for none
	var in walk
	if w.Nested("options", true, &in.Walk) {
		for in.Next() {
			in.can(&n.opts.Can)
			n.opts.Fields(&in.Walk)
		}
		w.Leave(&in.Walk)
	}
}

// AppendNew appends what [Notation.DecodeNew] reads:
// {"method":"tools/call","params":"{…}","options":{…}}. Options with their
// zero value are left out; durations are milliseconds, rounded up.
func (n Notation) AppendNew(dst []byte, method string, params []byte, opts engine.Options) []byte {
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.newFlow(&newFlow{method, params, opts})
	w.Close()
	return w.End()
}

// DecodeNew reads the arguments of [engine.New]. data is used as memory: see
// the package comment. It fails with [fault.Options].
func (n Notation) DecodeNew(data []byte) (method string, params []byte, opts engine.Options, err *engine.Error) {
	var w walk
	var flow newFlow
	w.read(n, "new", data)
	for w.Next() {
		w.newFlow(&flow)
	}
	return flow.method, flow.params, flow.opts, w.flaw(fault.Options)
}
