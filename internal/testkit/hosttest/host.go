package hosttest

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Callbacks are all that a host brings to a call. Without any asker the call has
// those of its session, or none with NoAskers.
type Callbacks struct {
	parley.Askers
	NoAskers bool
	parley.Watchers
	Save func(ctx context.Context, snapshot []byte) error
	Park <-chan struct{}
}

// Request is a call with the callbacks.
func (c Callbacks) Request(method string, params []byte, opts engine.Options) parley.Request {
	return parley.Request{Method: method, Params: params, Options: opts, Askers: c.askers(), Watchers: c.Watchers, Save: c.Save, Park: c.Park}
}

// Resumption is a call that goes on with the callbacks.
func (c Callbacks) Resumption(r parley.Resumption) parley.Resumption {
	r.Askers, r.Watchers, r.Save, r.Park = c.askers(), c.Watchers, c.Save, c.Park
	return r
}

func (c Callbacks) askers() *parley.Askers {
	a := &c.Askers
	if !c.NoAskers && a.Elicit == nil && a.ElicitURL == nil && a.Sample == nil && !a.SampleTools && a.ListRoots == nil && !a.Tasks && !a.Fill {
		return nil
	}
	return a
}

// Host is what a test is to a call: a function that sends its requests, and
// callbacks.
type Host struct {
	Send parley.Requests
	Callbacks
}

// Call makes one call in a session of its own.
func Call(ctx context.Context, e parley.Engine, method string, params []byte, opts engine.Options, host Host) (parley.Outcome, error) {
	return inSession(e, host, func(s *parley.Session) (parley.Outcome, error) {
		return s.Call(ctx, host.Request(method, params, opts))
	})
}

// Resume goes on with a call in a session of its own.
func Resume(ctx context.Context, e parley.Engine, r parley.Resumption, host Host) (parley.Outcome, error) {
	return inSession(e, host, func(s *parley.Session) (parley.Outcome, error) {
		return s.Resume(ctx, host.Resumption(r))
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
