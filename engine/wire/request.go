package wire

import (
	"encoding/base64"
	"slices"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/rawjson"
)

// ProtocolVersion is the protocol version this engine speaks by default.
const ProtocolVersion = "2026-07-28"

// Request is one leg as a JSON-RPC request, before it is text.
type Request struct {
	ID              int64  // never that of a request still outstanding
	Method          string // as in [engine.Send]
	Params          []byte // as in [engine.Send]; nil means {}
	ProtocolVersion string // "" means [ProtocolVersion]
	Capabilities    []byte // clientCapabilities as JSON text; nil means {}
	ClientInfo      []byte // clientInfo as JSON text; nil leaves it out
	Progress        bool   // ask for notifications/progress, with the id as progressToken
}

func (r *Request) version() string {
	if r.ProtocolVersion == "" {
		return ProtocolVersion
	}
	return r.ProtocolVersion
}

// The members of _meta that every request carries.
// Source: MCP 2026-07-28, basic/index, Per-request protocol fields.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaInfo         = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaProgress     = "progressToken"
)

// AppendRequest appends the JSON-RPC request: the params as they are, with
// _meta completed. A _meta of the caller's own is kept but for the members
// that the protocol defines. It fails with [engine.ErrOptions] where a part is
// not the JSON it must be.
func AppendRequest(dst []byte, r *Request) ([]byte, *engine.Error) {
	params, capabilities := r.Params, r.Capabilities
	if params == nil {
		params = []byte("{}")
	}
	if capabilities == nil {
		capabilities = []byte("{}")
	}
	err := checkObject("params", params)
	if err == nil {
		err = checkObject("capabilities", capabilities)
	}
	if err == nil && r.ClientInfo != nil {
		err = checkObject("clientInfo", r.ClientInfo)
	}
	if err != nil {
		return dst, err
	}
	size := len(r.Method) + len(params) + len(capabilities) + len(r.ClientInfo) + len(r.ProtocolVersion) + 256 // the names and punctuation
	w := writer{slices.Grow(dst, size)}
	w.put(`{"jsonrpc":"2.0"`)
	w.integer("id", r.ID)
	w.string("method", r.Method)
	w.put(`,"params":{`)
	var meta []byte
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		if m.Is("_meta") {
			if err := checkObject("params._meta", m.Value); err != nil {
				return dst, err
			}
			meta = m.Value
			continue
		}
		w.member(m.Name, m.Value)
	}
	w.name("_meta")
	w.put("{")
	if meta != nil {
		var m rawjson.Members
		for m.Start(meta); m.Next(); {
			switch {
			case m.Is(metaVersion), m.Is(metaInfo), m.Is(metaCapabilities):
			case r.Progress && m.Is(metaProgress):
			default:
				w.member(m.Name, m.Value)
			}
		}
	}
	w.string(metaVersion, r.version())
	if r.ClientInfo != nil {
		w.name(metaInfo)
		w.dst = append(w.dst, r.ClientInfo...)
	}
	w.name(metaCapabilities)
	w.dst = append(w.dst, capabilities...)
	if r.Progress {
		w.integer(metaProgress, r.ID)
	}
	w.put("}}}")
	return w.dst, nil
}

func checkObject(what string, text []byte) *engine.Error {
	var m rawjson.Members
	for m.Start(text); m.Next(); {
	}
	if m.Err == nil {
		return nil
	}
	return &engine.Error{Code: engine.ErrOptions, Detail: what + ": " + m.Err.Error()}
}

// Header is an HTTP header field of a leg.
type Header struct{ Name, Value string }

// Headers returns the protocol's header fields for a request, the same on
// every leg: inputResponses and requestState are not mirrored in headers.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http, Standard Headers.
func Headers(r *Request) []Header {
	headers := append(make([]Header, 0, 3), Header{"MCP-Protocol-Version", r.version()}, Header{"Mcp-Method", r.Method})
	member := ""
	switch r.Method {
	case "tools/call", "prompts/get":
		member = "name"
	case "resources/read":
		member = "uri"
	default:
		return headers
	}
	var m rawjson.Members
	for m.Start(r.Params); m.Next(); {
		if m.Is(member) {
			if name, ok := rawjson.Unquote(m.Value); ok {
				headers = append(headers, Header{"Mcp-Name", headerValue(name)})
			}
			break
		}
	}
	return headers
}

// headerValue encodes a value that is not plain ASCII, or that could be taken
// for an encoded one, as =?base64?…?=.
func headerValue(text string) string {
	const prefix, suffix = "=?base64?", "?="
	plain := !(len(text) >= len(prefix)+len(suffix) && text[:len(prefix)] == prefix && text[len(text)-len(suffix):] == suffix)
	for i := 0; i < len(text) && plain; i++ {
		edge := i == 0 || i == len(text)-1
		plain = text[i] > ' ' && text[i] < 0x7F || text[i] == ' ' && !edge
	}
	if plain {
		return text
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(text)) + suffix
}

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
	w.put(`,"headers":[`)
	for i, h := range Headers(r) {
		if i > 0 {
			w.put(",")
		}
		w.put("[")
		w.dst = rawjson.AppendQuoted(w.dst, h.Name)
		w.put(",")
		w.dst = rawjson.AppendQuoted(w.dst, h.Value)
		w.put("]")
	}
	w.put("]}")
	return w.dst
}
