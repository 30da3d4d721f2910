package hosttest

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Host is what a test is to a call: a function that sends its requests, and
// callbacks.
type Host struct {
	Send parley.Requests
	parley.Callbacks
}

// Call makes one call in a session of its own.
func Call(ctx context.Context, e parley.Engine, method string, params []byte, opts engine.Options, host Host) (parley.Outcome, error) {
	return inSession(e, host, func(s *parley.Session) (parley.Outcome, error) {
		return s.Call(ctx, method, params, opts, host.Callbacks)
	})
}

// Resume goes on with a call in a session of its own.
func Resume(ctx context.Context, e parley.Engine, snapshot []byte, opts parley.ResumeOptions, host Host) (parley.Outcome, error) {
	return inSession(e, host, func(s *parley.Session) (parley.Outcome, error) {
		return s.Resume(ctx, snapshot, opts, host.Callbacks)
	})
}

func inSession(e parley.Engine, host Host, do func(*parley.Session) (parley.Outcome, error)) (parley.Outcome, error) {
	s, err := parley.NewSession(e, host.Send, parley.SessionOptions{})
	if err != nil {
		return parley.Outcome{}, err
	}
	out, err := do(s)
	return out, errors.Join(err, s.Close())
}
