package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/rawjson"
)

// ProtocolVersion is the protocol version this engine speaks by default.
const ProtocolVersion = envelope.ProtocolVersion

// Request is one leg as a JSON-RPC request, before it is text.
type Request = envelope.Request

// Header is an HTTP header field of a leg.
type Header = envelope.Header

// AppendRequest appends the JSON-RPC request: the params as they are, with
// _meta completed. A _meta of the caller's own is kept but for the members
// that the protocol defines. It fails with [engine.ErrOptions] where a part is
// not the JSON it must be.
func AppendRequest(dst []byte, r *Request) ([]byte, *engine.Error) { return envelope.Append(dst, r) }

// Headers returns the protocol's header fields for a request, the same on
// every leg: inputResponses and requestState are not mirrored in headers.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http, Standard Headers.
func Headers(r *Request) []Header { return envelope.Headers(r) }

// DecodeRequest reads a [Request]:
// {"id":1,"method":"tools/call","params":"{…}","capabilities":"{…}","clientInfo":"{…}","protocolVersion":"…","progress":true}.
// data is used as memory: see the package comment.
func DecodeRequest(data []byte) (*Request, *engine.Error) {
	r := &Request{}
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
func AppendEnvelope(dst []byte, r *Request) []byte {
	body, err := AppendRequest(nil, r)
	if err != nil {
		return AppendError(dst, err)
	}
	w := writer{dst}
	w.put("{")
	w.raw("body", body)
	w.headers(Headers(r))
	w.put("}")
	return w.dst
}

// headers writes header fields; none are left out.
func (w *writer) headers(headers []Header) {
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
