package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/rawjson"
)

// DecodeRequest reads an [envelope.Request]:
// {"id":1,"method":"tools/call","params":"{…}","capabilities":"{…}","clientInfo":"{…}","protocolVersion":"…","progress":true}.
// data is used as memory: see the package comment.
func DecodeRequest(data []byte) (*envelope.Request, *engine.Error) {
	r := &envelope.Request{}
	var o object
	o.start("request", data)
	for o.next() {
		switch {
		case o.is("id"):
			r.ID = o.integer()
		case o.is("method"):
			r.Method = string(o.text())
		case o.is("params"):
			r.Params = o.text()
		case o.is("protocolVersion"):
			r.ProtocolVersion = string(o.text())
		case o.is("capabilities"):
			r.Capabilities = o.text()
		case o.is("clientInfo"):
			r.ClientInfo = o.text()
		case o.is("progress"):
			r.Progress = o.boolean()
		default:
			o.unknown()
		}
	}
	return r, o.err
}

// AppendEnvelope appends {"body":"…","headers":[["Mcp-Method","tools/call"],…]}
// for a request, or the error.
func AppendEnvelope(dst []byte, r *envelope.Request) []byte {
	body, err := envelope.Append(nil, r)
	if err != nil {
		return AppendError(dst, err.(*engine.Error))
	}
	w := writer{dst}
	w.put("{")
	w.raw("body", body)
	w.headers(envelope.Headers(r))
	w.put("}")
	return w.dst
}

// headers writes header fields; none are left out.
func (w *writer) headers(headers []envelope.Header) {
	if len(headers) == 0 {
		return
	}
	w.name("headers")
	for i, h := range headers {
		w.dst = append(w.dst, "[,"[min(i, 1)], '[')
		w.dst = rawjson.AppendQuoted(w.dst, h.Name)
		w.put(",")
		w.dst = rawjson.AppendQuoted(w.dst, h.Value)
		w.put("]")
	}
	w.put("]")
}
