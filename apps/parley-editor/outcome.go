package main

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// outcome is how a call ended.
type outcome struct {
	Call   string `json:"call"`
	Status string `json:"status"`

	// Of a call that is done.
	Text    string `json:"text,omitempty"`    // the result, to be shown
	Result  string `json:"result,omitempty"`  // the result as JSON text, byte for byte
	IsError bool   `json:"isError,omitempty"` // the tool says that it failed

	// Of one that is not.
	Reason  string `json:"reason,omitempty"`  // in words for the person
	Kept    bool   `json:"kept,omitempty"`    // it is in the store: resume goes on with it
	InDoubt bool   `json:"inDoubt,omitempty"` // the tool may have been called: resume needs resend
	Again   bool   `json:"again,omitempty"`   // resume needs again: the server does not know the call any more
	Problem string `json:"problem,omitempty"` // with keeping it
}

// How a call ends.
const (
	statusDone    = "done"
	statusParked  = "parked"
	statusStopped = "stopped" // by the person, and nothing is kept
	statusFailed  = "failed"
)

// conclude says how the call ended, and keeps it if it can go on.
func (c *call) conclude(out parley.Outcome, err error) *outcome {
	o := &outcome{Call: c.id}
	switch {
	case err == nil && out.Parked:
		o.Status = statusParked
		c.leave(o, out.Snapshot)
		return o
	case err == nil:
		o.Status, o.Result = statusDone, string(out.Result)
		o.Text, o.IsError = resultText(out.Result)
		c.forget(o)
		return o
	}
	o.Status, o.Reason = statusFailed, c.server.reason(c.subject, err)
	var failed *parley.Error
	isCall := errors.As(err, &failed)
	if isCall {
		o.InDoubt, o.Again = failed.InDoubt, failed.Code == engine.ErrState
	}
	stopped := errors.Is(context.Cause(c.ctx), errStopped)
	if stopped {
		o.Status, o.Reason = statusStopped, errStopped.Error()
	}
	switch {
	case c.saved == nil:
	case errors.Is(err, parley.ErrTaken):
		c.saved.endKeep()
	case !isCall && c.resumed && !stopped: // it did not even begin
		c.leave(o, nil)
	case isCall && failed.Resumable && !stopped && c.worth(failed):
		c.leave(o, failed.Snapshot)
	default:
		c.forget(o)
	}
	return o
}

// leave leaves the call in the store, with a snapshot if there is a newer one.
func (c *call) leave(o *outcome, snapshot []byte) {
	err := c.saved.leave(snapshot)
	o.Kept = err == nil
	if err != nil {
		o.Problem = "the call could not be kept: " + storeProblem(err)
	}
}

// forget takes the call out of the store.
func (c *call) forget(o *outcome) {
	if c.saved == nil {
		return
	}
	if err := c.saved.forget(); err != nil {
		o.Problem = "the call is still kept: " + storeProblem(err)
	}
}
