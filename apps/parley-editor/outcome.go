package main

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/engine/fault"
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
	stopped := errors.Is(context.Cause(c.ctx), errStopped)
	var failed *parley.Error
	switch {
	case err == nil && out.Parked:
		o.Status = statusParked
	case err == nil:
		r := display.Read(c.method, out.Result)
		o.Status, o.Result, o.Text, o.IsError = statusDone, string(out.Result), r.Text(), r.IsError
		if r.Lacks != "" {
			o.Text = r.Lacks + ": here it is as JSON\n\n" + display.JSON(out.Result)
		} else if o.Text == "" {
			o.Text = display.JSON(out.Result)
		}
	case stopped:
		o.Status, o.Reason = statusStopped, errStopped.Error()
	default:
		o.Status, o.Reason = statusFailed, reason(c.server.Label, c.subject, err)+c.noSignIn(err)
	}
	if errors.As(err, &failed) {
		o.InDoubt, o.Again = failed.InDoubt, failed.Code == fault.State
	}
	var problem error
	if o.Kept, problem = c.saved.End(out, err, stopped, c.isWorth()); problem != nil {
		o.Problem = problem.Error()
	}
	return o
}
