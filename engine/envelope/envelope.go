// Package envelope is the JSON-RPC text around what a flow sends, and what a
// transport must know of what comes back, for hosts that drive an
// [engine.Flow] by themselves. A session writes and reads all of that itself.
package envelope

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	text "github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// ProtocolVersion is the protocol version that requests are of by default.
const ProtocolVersion = text.ProtocolVersion

// Request is a JSON-RPC request, before it is text.
type Request struct {
	ID              int64  // never that of a request still outstanding; a retry's MUST differ
	Quoted          bool   // the id is a string
	Method          string // as in [engine.Send]
	Params          []byte // as in [engine.Send]; nil means {}
	ProtocolVersion string // "" means [ProtocolVersion]
	Capabilities    []byte // clientCapabilities as JSON text, as in [engine.Info]; nil means {}
	ClientInfo      []byte // clientInfo as JSON text; nil leaves it out
	LogLevel        string // "" leaves it out
	Progress        bool   // ask for notifications/progress, with the id as progressToken
}

func (r *Request) whole() *text.Request {
	return &text.Request{
		ID: r.ID, Quoted: r.Quoted, Method: r.Method, Params: r.Params, ProtocolVersion: r.ProtocolVersion,
		Capabilities: r.Capabilities, ClientInfo: r.ClientInfo, LogLevel: r.LogLevel, Progress: r.Progress,
	}
}

// Append appends the request as text: the params as they are, with _meta
// completed. A _meta of the caller's own is kept except for the members that
// the protocol defines. It fails with [fault.Options] if a part is not the JSON
// it must be.
func Append(dst []byte, r *Request) ([]byte, error) {
	whole := r.whole()
	if bad := whole.Check(); bad != nil {
		return dst, bad
	}
	dst, bad := text.Append(dst, whole)
	if bad != nil {
		return dst, bad
	}
	return dst, nil
}

// Header is an HTTP header field.
type Header = text.Header

// Headers returns the protocol's header fields for a request, the same on
// every leg: inputResponses and requestState are not mirrored in headers.
// Content-Type and Accept are the transport's.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http, Standard Headers.
func Headers(r *Request) []Header { return text.Headers(r.whole()) }

// Message is a JSON-RPC message from the server, parsed just far enough for a
// transport to know whose it is. What it holds is not checked, and points into
// the text.
type Message = text.Message

// Read takes one message apart, with what [engine.Response] may have around it. It
// fails with [fault.Malformed] on what is no JSON-RPC message, and on several.
func Read(data []byte) (Message, error) {
	m, bad := text.Read(data)
	if bad != nil {
		return Message{}, malformed(bad)
	}
	return m, nil
}

func malformed(bad *rawjson.Error) error {
	return &engine.Error{Code: fault.Malformed, Detail: sentence.Say("message: {0}", bad.Sentence())}
}
