package codec

import (
	"strconv"

	"github.com/parley-mcp/parley/codec/refusal"
)

// Error is the concrete type of every error this package returns. It is for the
// server's log: a client must learn nothing from it but [Error.Response].
type Error struct {
	Code    refusal.Code
	Detail  string // fixed text; never a token, state, key or principal
	Minting bool   // a state could not be sealed, so no client's state is at fault
	Err     error  // the cause, from Env.Rand, a ReplayStore or a Codec of one's own; may be nil
}

// Error renders "codec: what: detail".
func (e *Error) Error() string {
	text := "codec: " + e.Code.Error()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Is reports whether target is e's code.
func (e *Error) Is(target error) bool { return target == e.Code }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Response is the JSON-RPC error a client gets, as code, message and data
// (JSON text, "" for none). Every state that is refused gets the same answer,
// whatever the cause; every state that cannot be minted the same other one.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 4: servers
// "MUST reject" such state; the wording is the one the official SDKs share.
func (e *Error) Response() (code int, message, data string) {
	if e.Minting {
		return -32603, "Internal error", ""
	}
	return -32602, "Invalid or expired requestState", `{"reason":"invalid_request_state"}`
}

// AppendResponse appends [Error.Response] as the JSON-RPC error object.
func (e *Error) AppendResponse(dst []byte) []byte {
	code, message, data := e.Response()
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, int64(code), 10)
	dst = append(append(append(dst, `,"message":"`...), message...), '"')
	if data != "" {
		dst = append(append(dst, `,"data":`...), data...)
	}
	return append(dst, '}')
}
