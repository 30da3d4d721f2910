// Package envelope is the JSON-RPC text around a request and what a transport
// must know of a message.
package envelope

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// ProtocolVersion is the protocol version that requests are of by default.
const ProtocolVersion = "2026-07-28"

// Request is a JSON-RPC request, before it is text.
type Request struct {
	ID              int64  // never that of a request still outstanding
	Quoted          bool   // the id is a string
	Method          string // as in [engine.Send]
	Params          []byte // as in [engine.Send]; nil means {}
	ProtocolVersion string // "" means [ProtocolVersion]
	Capabilities    []byte // clientCapabilities as JSON text; nil means {}
	ClientInfo      []byte // clientInfo as JSON text; nil leaves it out
	LogLevel        string // "" leaves it out
	Progress        bool   // ask for notifications/progress, with the id as progressToken
	Earlier         bool   // of an era whose requests carry none of these but the progressToken
	Beside          []byte // members beside params, each after a comma
}

// Version is the protocol version of the request.
func (r *Request) Version() string {
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
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaProgress     = "progressToken"
)

// Check fails with [fault.Options] if a part is not the JSON it must be.
func (r *Request) Check() (err *engine.Error) {
	if r.Params != nil {
		err = CheckObject("params", r.Params)
	}
	if err == nil && r.Capabilities != nil {
		err = CheckObject("capabilities", r.Capabilities)
	}
	if err == nil && r.ClientInfo != nil {
		err = CheckObject("clientInfo", r.ClientInfo)
	}
	return err
}

// Append appends the request as text, which [Request.Check] has let pass: the
// params as they are, with _meta completed. A _meta of the caller's own is kept
// except for the members that the protocol defines. It fails with
// [fault.Options] if that is no object.
func Append(dst []byte, r *Request) ([]byte, *engine.Error) {
	params, capabilities := r.Params, r.Capabilities
	if params == nil {
		params = []byte("{}")
	}
	if capabilities == nil {
		capabilities = []byte("{}")
	}
	size := len(r.Method) + len(params) + len(capabilities) + len(r.ClientInfo) + len(r.ProtocolVersion) + len(r.Beside) + 256 // the names and punctuation
	j := rawjson.Writer{Dst: rawjson.Grow(dst, size)}
	j.Put(`{"jsonrpc":"2.0","id":`)
	PutID(&j, r.ID, r.Quoted)
	j.Put(`,"method":`)
	j.Quoted(r.Method)
	j.Put(`,"params":{`)
	var meta []byte
	var m rawjson.Members
	for m.StartChecked(params); m.Next(); {
		if m.Is("_meta") {
			if err := CheckObject("params._meta", m.Value); err != nil {
				return j.Dst, err
			}
			meta = m.Value
			continue
		}
		j.Member(m.Name, m.Value)
	}
	if r.Earlier && meta == nil && !r.Progress {
		j.Put("}")
		j.Raw(r.Beside)
		j.Put("}")
		return j.Dst, nil
	}
	j.Begin(`"_meta":{`)
	if meta != nil {
		var m rawjson.Members
		for m.Start(meta); m.Next(); {
			switch {
			case m.Is(metaVersion), m.Is(metaInfo), m.Is(metaCapabilities), m.Is(metaLogLevel):
			case r.Progress && m.Is(metaProgress):
			default:
				j.Member(m.Name, m.Value)
			}
		}
	}
	if !r.Earlier {
		j.Begin(`"` + metaVersion + `":`)
		j.Quoted(r.Version())
		if r.ClientInfo != nil {
			j.Put(`,"` + metaInfo + `":`)
			j.Raw(r.ClientInfo)
		}
		j.Put(`,"` + metaCapabilities + `":`)
		j.Raw(capabilities)
		if r.LogLevel != "" {
			j.Put(`,"` + metaLogLevel + `":`)
			j.Quoted(r.LogLevel)
		}
	}
	if r.Progress {
		j.Begin(`"` + metaProgress + `":`)
		PutID(&j, r.ID, r.Quoted)
	}
	j.Put("}}")
	j.Raw(r.Beside)
	j.Put("}")
	return j.Dst, nil
}

// PutID writes a request's id.
func PutID(j *rawjson.Writer, id int64, quoted bool) {
	quote := ""
	if quoted {
		quote = `"`
	}
	j.Put(quote)
	j.Int(id)
	j.Put(quote)
}

// ReadID reads what [PutID] wrote, from a message that names the request.
func ReadID(token []byte, quoted bool) (id int64, ok bool) {
	if quoted {
		if len(token) < 2 || token[0] != '"' {
			return 0, false
		}
		token = token[1 : len(token)-1]
	}
	return rawjson.Int(token)
}

// CheckObject says what is wrong with a text that must be one JSON object.
func CheckObject(what sentence.Text, text []byte) *engine.Error {
	var m rawjson.Members
	for m.Start(text); m.Next(); {
	}
	if m.Err == nil {
		return nil
	}
	return &engine.Error{Code: fault.Options, Detail: sentence.Join(what, m.Err.Sentence())}
}
