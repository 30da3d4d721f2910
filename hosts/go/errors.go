package parley

import (
	"encoding/json"

	"github.com/parley-mcp/parley/engine"
)

// Error is how a call fails. errors.Is finds the engine's code in it, such as
// [engine.ErrRounds], and the cause, such as [context.Canceled] or the error a
// callback returned.
type Error struct {
	Code      engine.Code
	Detail    string          // what is wrong and where; never requestState or an answer
	Resumable bool            // the fault is not in what the server said
	InDoubt   bool            // a tool may have run of whose call no answer came: going on needs Resend
	Response  json.RawMessage // the server's JSON-RPC error object, if it sent one; its text is the server's
	Cause     error           // what a callback or the context said, may be nil

	// Snapshot holds everything that was collected, if Resumable: [Session.Resume]
	// goes on with it. It holds a secret.
	Snapshot []byte
}

// Error implements error. It does not repeat what the server or a callback
// said; see Response and Cause.
func (e *Error) Error() string { return "parley: " + e.Code.String() + ": " + e.Detail }

// Unwrap returns the code and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.Cause}
}
