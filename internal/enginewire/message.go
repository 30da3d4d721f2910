package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
)

// AppendMessage takes one message apart and appends what a transport must know
// of it, for hosts that do not run Go, as
// {"id":"1","method":"notifications/progress","params":"{…}","failed":false}
// with the members it has; or the error, which is fault.Malformed for
// what is no JSON-RPC message, batches included.
func AppendMessage(dst, data []byte) []byte {
	m, bad := envelope.Read(data)
	if bad != nil {
		return AppendError(dst, bad.(*engine.Error))
	}
	w := writer{append(dst, '{')}
	w.raw("id", m.ID)
	if m.Method != "" {
		w.string("method", m.Method)
	}
	w.raw("params", m.Params)
	w.boolean("failed", m.Failed)
	w.close()
	return w.dst
}
