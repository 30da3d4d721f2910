package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/fault"
)

// DecodeRequest reads an [envelope.Request]:
// {"id":1,"method":"tools/call","params":"{…}","capabilities":"{…}","clientInfo":"{…}","protocolVersion":"…","progress":true}.
// data is used as memory: see the package comment.
func (n Notation) DecodeRequest(data []byte) (*envelope.Request, *engine.Error) {
	r := &envelope.Request{}
	var w walk
	w.read(n, "request", data)
	for w.Next() {
		w.Int64("id", told, &r.ID)
		w.Text("method", told, &r.Method)
		w.Raw("params", may, &r.Params)
		w.Text("protocolVersion", may, &r.ProtocolVersion)
		w.Raw("capabilities", may, &r.Capabilities)
		w.Raw("clientInfo", may, &r.ClientInfo)
		w.Bool("progress", may, &r.Progress)
	}
	return r, w.flaw(fault.Order)
}

// AppendEnvelope appends {"body":"…","headers":[["Mcp-Method","tools/call"],…]}
// for a request, or the error.
func (n Notation) AppendEnvelope(dst []byte, r *envelope.Request) []byte {
	body, err := envelope.Append(nil, r)
	if err != nil {
		return n.AppendError(dst, err.(*engine.Error))
	}
	headers := envelope.Headers(r)
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.Raw("body", may, &body)
	w.headers(may, &headers)
	w.Close()
	return w.End()
}
