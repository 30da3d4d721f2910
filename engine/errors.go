package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/sentence"
)

// Error is the concrete type of every error this package returns.
type Error struct {
	Code   fault.Code
	Detail sentence.Text // what is wrong and where; never requestState, an answer or a secret
}

// newError makes an error. A TinyGo module pays for what it does once, and a dozen
// bytes for each call.
func newError(code fault.Code, detail sentence.Text) *Error { return &Error{code, detail} }

// Error implements error: "engine: what failed: detail".
func (e *Error) Error() string { return e.Code.Error() + ": " + e.Detail.String() }

// Is reports whether target is e's code.
func (e *Error) Is(target error) bool {
	code, ok := target.(fault.Code)
	return ok && code == e.Code
}
