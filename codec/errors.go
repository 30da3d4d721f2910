package codec

import "strconv"

// Code classifies every failure of this package. Values are part of the wasm
// ABI: append only, never renumber. A Code is itself an error, so
// errors.Is(err, codec.ErrExpired) works.
type Code int32

const (
	ErrMalformed   Code = 1  // no token of this form, or a request whose state cannot be told apart
	ErrTooLarge    Code = 2  // token or plaintext over the cap
	ErrUnknownKey  Code = 3  // sealed with a key that is not in the ring
	ErrForged      Code = 4  // does not authenticate
	ErrClock       Code = 5  // the host's clock cannot be right
	ErrNotYetValid Code = 6  // minted in the future
	ErrExpired     Code = 7  // came back too late
	ErrFlowAge     Code = 8  // the flow it belongs to is too old
	ErrTarget      Code = 9  // minted for another audience, method, tool, prompt or resource
	ErrArguments   Code = 10 // minted for other arguments
	ErrPrincipal   Code = 11 // minted for another principal
	ErrRounds      Code = 12 // too many rounds
	ErrReplayed    Code = 13 // used before, and may be used once
	ErrReplayStore Code = 14 // the replay store failed or is full
	ErrKey         Code = 15 // an unusable key, key ring or key file
	ErrOptions     Code = 16 // unusable options
	ErrRand        Code = 17 // the source of randomness failed
	ErrResult      Code = 18 // a result of the server that cannot be sealed
)

var codeText = [...]string{
	ErrMalformed:   "malformed",
	ErrTooLarge:    "too large",
	ErrUnknownKey:  "unknown key",
	ErrForged:      "forged",
	ErrClock:       "clock",
	ErrNotYetValid: "not yet valid",
	ErrExpired:     "expired",
	ErrFlowAge:     "flow age",
	ErrTarget:      "target",
	ErrArguments:   "arguments",
	ErrPrincipal:   "principal",
	ErrRounds:      "rounds",
	ErrReplayed:    "replayed",
	ErrReplayStore: "replay store",
	ErrKey:         "unusable key",
	ErrOptions:     "unusable options",
	ErrRand:        "no randomness",
	ErrResult:      "unusable result",
}

// Error is the reason in a word or two, as a server's log should name it.
func (c Code) Error() string {
	if c > 0 && int(c) < len(codeText) {
		return codeText[c]
	}
	return "code " + strconv.Itoa(int(c))
}

// Error is the concrete type of every error this package returns. It is for the
// server's log: a client must learn nothing from it but [Error.Response].
type Error struct {
	Code    Code
	Detail  string // fixed text; never a token, state, key or principal
	Minting bool   // a state could not be sealed, so no client's state is at fault
	Err     error  // the cause, from Env.Rand or a ReplayStore; may be nil
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
