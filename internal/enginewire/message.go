package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
)

// AppendMessage takes one message apart and appends what a transport must know
// of it, for hosts that do not run Go, as
// {"id":"1","method":"notifications/progress","params":"{…}","failed":false}
// with the members it has; or the error, which is fault.Malformed for
// what is no JSON-RPC message, and for several.
func (n Notation) AppendMessage(dst, data []byte) []byte {
	m, bad := envelope.Read(data)
	if bad != nil {
		return n.AppendError(dst, bad.(*engine.Error))
	}
	var w walk
	w.write(n, dst)
	w.Put("{")
	id := string(m.ID)
	w.Text("id", may, &id) // of a label, too, in what tells of a flow
	w.Text("method", may, &m.Method)
	w.Raw("params", may, &m.Params)
	w.Bool("failed", must, &m.Failed)
	w.Close()
	return w.End()
}
