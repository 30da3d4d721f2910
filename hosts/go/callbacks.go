package parley

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/engine"
)

// Question is an ask as it is put to a callback. Problem says why the callback's
// last answer to this very question could not be sent; Earlier is what the same
// form was filled in with before the call was begun again.
type Question = engine.Ask

// ErrPark is what a callback returns to park the call: everything is kept in a
// snapshot, and [Session.Resume] asks the question again.
var ErrPark = errors.New("parley: park the call")

// ErrUnsent is what an error of [Requests] or of an http.RoundTripper wraps if
// the request certainly never reached the server: a tool call that failed so is
// not in doubt.
var ErrUnsent = errors.New("parley: the request was not sent")

// Callbacks are the host's side of a call. Each may be called from a goroutine
// of its own; the questions of one call come one at a time unless
// Options.AskConcurrency says otherwise. A callback should return soon after
// its context ends; nobody waits for one that does not.
//
// A callback that asks returns its answer as JSON text, or [ErrPark], or any
// other error, which refuses the question and ends the call resumably. It is
// asked again, with Question.Problem, where what it returned cannot be used. A
// missing callback is a capability not declared.
type Callbacks struct {
	// Elicit asks the person to fill in a form and returns an ElicitResult;
	// see [Accept], [Decline] and [Dismiss].
	Elicit func(ctx context.Context, q Question) (result []byte, err error)

	// ElicitURL asks the person for consent to open a url, opens it, and
	// returns an ElicitResult without content.
	ElicitURL func(ctx context.Context, q Question) (result []byte, err error)

	// Sample asks a model and returns a CreateMessageResult. Unless
	// SampleTools is set the server may not ask for tools.
	Sample      func(ctx context.Context, q Question) (result []byte, err error)
	SampleTools bool

	// ListRoots returns a ListRootsResult.
	ListRoots func(ctx context.Context, q Question) (result []byte, err error)

	// Tasks lets the server make a task of a tools/call, which is polled until
	// it ends. NoTasks forbids it for a call although its session allows it.
	Tasks, NoTasks bool

	// Fill puts the defaults of its schema into an accepted form where fields
	// are left out: for hosts without a person. A form shows them pre-filled.
	Fill bool

	// Save keeps a snapshot, which holds a secret. It is called before each
	// leg is sent, when questions open and after each answer, and waited for:
	// with it a process that is killed loses nothing. An error ends the call.
	Save func(ctx context.Context, snapshot []byte) error

	// Park, once it is closed, parks the call as soon as it can: a leg in
	// flight is waited for, unless it can be sent again. A call that cannot be
	// parked goes on.
	Park <-chan struct{}

	// OnNote gets audit records, if Options.Audit asks for them, OnProgress
	// the params of progress notifications, and OnTask how the task stands
	// that the call has become. OnLeg is told what goes out and what comes
	// back, OnPause that the call waits for a time. OnNotification gets other
	// notifications, in place of the session's, where they are known to belong
	// to the call: over HTTP. They are called from the goroutine of the call,
	// in order and not after it has returned, and must not block.
	OnNote         func(engine.Note)
	OnProgress     func(leg int, params []byte)
	OnTask         func(engine.Task)
	OnLeg          func(engine.Leg)
	OnPause        func(engine.Pause)
	OnNotification func(method string, params []byte)
}

// within are the callbacks of a call in a session whose own ask where it has
// none. Whether tools may be asked for is for whoever samples to say.
func (c Callbacks) within(own Callbacks) Callbacks {
	if c.Elicit == nil {
		c.Elicit = own.Elicit
	}
	if c.ElicitURL == nil {
		c.ElicitURL = own.ElicitURL
	}
	if c.Sample == nil {
		c.Sample, c.SampleTools = own.Sample, own.SampleTools
	}
	if c.ListRoots == nil {
		c.ListRoots = own.ListRoots
	}
	c.Tasks = (c.Tasks || own.Tasks) && !c.NoTasks
	return c
}

// can is what the callbacks can answer.
func (c Callbacks) can() *engine.Can {
	return &engine.Can{
		Form: c.Elicit != nil, URL: c.ElicitURL != nil, Sampling: c.Sample != nil, SamplingTools: c.SampleTools,
		Roots: c.ListRoots != nil, Tasks: c.Tasks,
	}
}

// of is the callback for a question.
func (c Callbacks) of(a engine.Ask) func(context.Context, Question) ([]byte, error) {
	switch {
	case a.Kind == engine.Sample:
		return c.Sample
	case a.Kind == engine.ListRoots:
		return c.ListRoots
	case a.Mode == engine.URL:
		return c.ElicitURL
	}
	return c.Elicit
}

// Accept is the ElicitResult of a person who filled in the form. content is
// anything encoding/json makes an object of; a json.RawMessage goes out byte
// for byte.
func Accept(content any) ([]byte, error) {
	text, ok := content.(json.RawMessage)
	if !ok {
		var err error
		if text, err = json.Marshal(content); err != nil {
			return nil, err
		}
	}
	return append(append([]byte(`{"action":"accept","content":`), text...), '}'), nil
}

// Decline is the ElicitResult of a person who said no.
func Decline() []byte { return []byte(`{"action":"decline"}`) }

// Dismiss is the ElicitResult of a person who closed the question without
// choosing: the action "cancel".
func Dismiss() []byte { return []byte(`{"action":"cancel"}`) }
