package parley

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/engine"
)

// Request is one leg to be sent.
type Request struct {
	Leg          int // 0 for a request whose answer nobody waits for
	Method       string
	Params       []byte // JSON object, to go out as it is
	Capabilities []byte // clientCapabilities, the same on every leg

	// Progress is to be called with the params of each notifications/progress
	// for this request: it gives the leg its time anew. It may be nil.
	Progress func(params []byte)
}

// Question is an ask as it is put to a callback.
type Question struct {
	engine.Ask

	// Problem says why the callback's last answer to this very question
	// could not be sent, or why the call cannot be parked now, in words for a
	// person; "" the first time.
	Problem string
}

// ErrPark is what a callback returns to park the call: everything is kept in a
// snapshot, and [Resume] asks the question again.
var ErrPark = errors.New("parley: park the call")

// ErrUnsent is what an error of Callbacks.Send wraps if the request certainly
// never reached the server: a tool call that failed so is not in doubt.
var ErrUnsent = errors.New("parley: the request was not sent")

// Callbacks are the host's side of a call. Each may be called from a goroutine
// of its own; the questions of one call come one at a time unless
// Options.AskConcurrency says otherwise. A callback should return soon after
// its context ends; [Run] does not wait for one that does not.
//
// A callback that asks returns its answer as JSON text, or [ErrPark], or any
// other error, which refuses the question and ends the call resumably. A
// missing callback is a capability not declared.
type Callbacks struct {
	// Send sends one leg as a JSON-RPC request with a fresh id and returns
	// the whole response as text, an error response included. What it returns
	// for leg 0, such as the cancellation of a task, is dropped. An error means
	// that no answer will come; one that wraps [ErrUnsent] also means that
	// the server never saw the request. Required, but in a [Session], which
	// does not use it.
	Send func(ctx context.Context, r Request) (response []byte, err error)

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
	// it ends: the extension io.modelcontextprotocol/tasks is declared.
	Tasks bool

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
	// that the call has become. They are called from the goroutine of Run and
	// must not block.
	OnNote     func(engine.Note)
	OnProgress func(leg int, params []byte)
	OnTask     func(engine.Task)
}

// Capabilities is the clientCapabilities object that these callbacks can live
// up to.
func (c Callbacks) Capabilities() []byte {
	object := struct{}{}
	declared := map[string]any{}
	elicitation := map[string]any{}
	if c.Elicit != nil {
		elicitation["form"] = object
	}
	if c.ElicitURL != nil {
		elicitation["url"] = object
	}
	if len(elicitation) > 0 {
		declared["elicitation"] = elicitation
	}
	if c.Sample != nil {
		sampling := map[string]any{}
		if c.SampleTools {
			sampling["tools"] = object
		}
		declared["sampling"] = sampling
	}
	if c.ListRoots != nil {
		declared["roots"] = object
	}
	if c.Tasks {
		declared["extensions"] = map[string]any{"io.modelcontextprotocol/tasks": object}
	}
	text, _ := json.Marshal(declared) // maps of constants cannot fail
	return text
}

// missing names the first callback that a flow's capabilities need and that is
// not there.
func (c Callbacks) missing(info engine.Info) string {
	switch {
	case info.Form && c.Elicit == nil:
		return "Elicit"
	case info.URL && c.ElicitURL == nil:
		return "ElicitURL"
	case info.Sampling && c.Sample == nil:
		return "Sample"
	case info.SamplingTools && !c.SampleTools:
		return "SampleTools"
	case info.Roots && c.ListRoots == nil:
		return "ListRoots"
	}
	return ""
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
