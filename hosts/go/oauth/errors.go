package oauth

import "fmt"

// Code classifies what went wrong.
type Code uint8

// Codes of an [Error].
const (
	ErrUsage       Code = 1 // the options cannot be used
	ErrNobody      Code = 2 // there is nobody who could sign in
	ErrDenied      Code = 3 // the person or the authorization server said no
	ErrDiscovery   Code = 4 // there is no authorization server, or none that can be trusted
	ErrUnreachable Code = 5 // a server did not answer, or not in time
	ErrServer      Code = 6 // the authorization server's answer cannot be used
	ErrStore       Code = 7 // the account could not be read, kept or forgotten
)

// Error implements error.
func (c Code) Error() string {
	switch c {
	case ErrUsage:
		return "oauth: wrong use"
	case ErrNobody:
		return "oauth: nobody can sign in"
	case ErrDenied:
		return "oauth: denied"
	case ErrDiscovery:
		return "oauth: nowhere to sign in"
	case ErrUnreachable:
		return "oauth: no answer"
	case ErrServer:
		return "oauth: unusable answer"
	case ErrStore:
		return "oauth: the store failed"
	}
	return "oauth: unknown code"
}

// Error is the concrete type of the errors of this package, except those that a
// host's own functions returned.
type Error struct {
	Code Code
	Text string // a sentence for a person: what is wrong, and what to do about it
	Err  error  // the cause, may be nil
}

// Error implements error.
func (e *Error) Error() string { return "oauth: " + e.Text }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is e's code.
func (e *Error) Is(target error) bool { return target == e.Code }

func untrusted(format string, args ...any) error {
	return &Error{Code: ErrDiscovery, Text: fmt.Sprintf(format, args...)}
}
