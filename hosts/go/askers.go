package parley

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/engine"
)

// Question is what the server asks, as an asker of [Askers] gets it. Problem
// says why the asker's last answer to this very question could not be sent;
// Earlier is what the same form was filled in with before the call was begun
// again.
type Question = engine.Ask

// ErrPark is what an asker returns to park the call: everything is kept in a
// snapshot, and [Session.Resume] asks the question again. It is also what a
// typed call, such as [Session.CallTool], fails with when it was parked.
var ErrPark = errors.New("parley: the call is parked")

// Askers answer what a server asks for. A missing one is a capability not
// declared. Each may be called from a goroutine of its own; the questions of
// one call come one at a time unless Options.AskConcurrency says otherwise. An
// asker should return soon after its context ends; nobody waits for one that
// does not.
//
// An asker returns its answer as JSON text, or [ErrPark], or any other error,
// which refuses the question and ends the call resumably. If what it returned
// cannot be used it is asked again, with [Question.Problem].
type Askers struct {
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

	// Authorize signs in because the server wants authorization over HTTP; its
	// Params are described at [engine.KindAuthorize]. It returns {} or an object
	// that names the account; then what was refused goes out again, with what
	// [StreamableHTTP.Authorization] says by then. An error ends the call
	// resumably, its text for the person to read, with [github.com/parley-mcp/parley/engine/fault.Unauthorized]. Package
	// [github.com/parley-mcp/parley/hosts/go/oauth] has one.
	Authorize func(ctx context.Context, q Question) (result []byte, err error)

	// Tasks lets the server make a task of a tools/call, which is polled until
	// it ends.
	Tasks bool

	// AnyForm says that Elicit draws forms itself that Parley cannot read, such as
	// one with a list of objects, from their schema. Of the answer to such a form only
	// the shape is checked.
	AnyForm bool

	// Fill puts the schema's defaults into an accepted form where fields are
	// left out: for hosts without a person. A form shows them pre-filled.
	Fill bool
}

// can is what they can answer.
func (a *Askers) can() *engine.Can {
	return &engine.Can{
		Form: a.Elicit != nil, URL: a.ElicitURL != nil, Sampling: a.Sample != nil, SamplingTools: a.SampleTools,
		Roots: a.ListRoots != nil, Tasks: a.Tasks, Authorize: a.Authorize != nil, AnyForm: a.AnyForm && a.Elicit != nil,
	}
}

// of is the asker for a question.
func (a *Askers) of(q Question) func(context.Context, Question) ([]byte, error) {
	switch {
	case q.Kind == engine.KindAuthorize:
		return a.Authorize
	case q.Kind == engine.KindSample:
		return a.Sample
	case q.Kind == engine.KindListRoots:
		return a.ListRoots
	case q.Mode == engine.ModeURL:
		return a.ElicitURL
	}
	return a.Elicit
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
