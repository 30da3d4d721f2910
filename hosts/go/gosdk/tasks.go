package gosdk

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TasksExtension is what clients and servers declare that have tasks. A server
// declares it in its Capabilities.Extensions.
const TasksExtension = "io.modelcontextprotocol/tasks"

// TaskOptions tune [NewTasks]; the zero value is ready to use.
type TaskOptions struct {
	// Store keeps the tasks. Nil means a [NewTaskMemory] of its own, with room
	// for [DefaultMaxTasks].
	Store TaskStore

	// Principal tells whose call made a task, and who asks for it: nobody else
	// gets to know that there is one. See [Options.Principal]; unlike there, an
	// error refuses the request. Nil means [TokenPrincipal].
	Principal func(ctx context.Context, req mcp.Request) (*string, error)

	// TTL is how long the work may take before it is stopped, and then how long
	// its result is kept. The time in which a question is open does not count:
	// that is a person's. Zero means an hour.
	TTL time.Duration

	// Patience is how long a person may take, for each time that something is
	// asked; then the task is stopped. Zero means 24 hours.
	Patience time.Duration

	// Poll is how often clients are told to ask. Zero means a second.
	Poll time.Duration

	// Page has tasks for clients of SEP-2322 too, as that proposal had them before
	// they became an extension: their calls have `task` in the params. See
	// [Tasks.Handler].
	Page bool

	// Now is the clock that tasks are forgotten by. Nil means time.Now.
	Now func() time.Time

	// Logger receives how tasks end, never an id, an answer or a principal. Nil
	// discards it.
	Logger *slog.Logger
}

// Tasks lets the tools of a server go on after their call was answered, by the
// extension io.modelcontextprotocol/tasks: the client gets a task, asks how it
// stands, answers what it asks, and gets the result in the end. It is safe for
// concurrent use.
//
// A tool's handler may ask first, in rounds (see [Asking]), and become a task
// after the last answer. What is settled before costs nothing to give up; a task
// asks for what it finds out on its way.
//
// Clients poll; with [Tasks.Handler] around the server they may listen as well.
//
// Source: ext-tasks 2026-07-28; SEP-2322, Persistent Tool Workflow.
type Tasks struct {
	o         TaskOptions
	listeners sync.Map // of *listener, by their keys
}

// NewTasks returns tasks for one server, or for several that share them.
func NewTasks(o TaskOptions) *Tasks {
	if o.Store == nil {
		o.Store = NewTaskMemory(0)
	}
	if o.Principal == nil {
		o.Principal = TokenPrincipal
	}
	if o.TTL == 0 {
		o.TTL = time.Hour
	}
	if o.Patience == 0 {
		o.Patience = 24 * time.Hour
	}
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Tasks{o: o}
}

// Add gives a server the methods tasks/get, tasks/update and tasks/cancel. Call
// it once for a server, after [Guard] and other middleware was added; declaring
// [TasksExtension] is up to the server's maker. With [TaskOptions].Page there are
// tasks/result and tasks/input_response too.
func (t *Tasks) Add(s *mcp.Server) {
	s.AddReceivingMiddleware(t.middleware)
	addTaskMethod(s, "tasks/get", t.get)
	addTaskMethod(s, "tasks/update", t.update)
	addTaskMethod(s, "tasks/cancel", t.cancel)
	if t.o.Page {
		addTaskMethod(s, "tasks/result", t.pageResult)
		addTaskMethod(s, "tasks/input_response", t.pageAnswer)
	}
}

// Work is what a task does. Its context ends when the task is canceled or its
// time is over, and keeps the values of the call's. An error that is a
// *jsonrpc.Error goes to the client as it is, any other only to the log. A
// result with IsError is a result: the task has completed.
type Work func(ctx context.Context, t *Task) (*mcp.CallToolResult, error)

// Start makes a task of the tools/call that ctx belongs to, and starts its work
// in a goroutine. The handler returns right after it, without an error: whatever
// its result is, the client gets the task. Start fails where [Tasks.Require]
// does, and where the store has no room.
func (t *Tasks) Start(ctx context.Context, work Work) error {
	if err := t.Require(ctx); err != nil {
		return err
	}
	c := taskCallerFrom(ctx)
	if c.made != nil {
		return errors.New("gosdk: this call has a task already")
	}
	now := t.o.Now()
	task := &Task{tasks: t, id: rand.Text(), declared: c.capabilities, used: map[string]bool{}}
	seed := &TaskRecord{
		ID: task.id, Principal: c.principal, Created: now, Updated: now, Expires: now.Add(t.o.TTL), Page: c.page, Status: taskWorking,
	}
	if err := t.o.Store.Create(ctx, seed); err != nil {
		t.o.Logger.Error("task not kept", "cause", err)
		if errors.Is(err, ErrTooManyTasks) {
			return internalError("There are too many tasks already: try again later")
		}
		return internalError("The task cannot be made")
	}
	running, stop := context.WithCancelCause(context.WithoutCancel(ctx)) // it outlives the request
	task.stop = stop
	c.made, c.seed = task, t.state(seed)
	go task.run(running, seed, work)
	return nil
}

// Run is [Tasks.Start] for work that need not be a task. For a client that has no
// tasks it is done while the call waits, and Run returns its
// result; else the result is an empty one, for the handler to return.
//
// Work that asks while the call waits asks as a handler of [Asking] does, and the
// server needs the middleware [Guard] for that. A client with rounds gets the
// questions as the result of the call, and with its answers the handler and the
// work begin again: a method of [Task] gives the same answer as before, or returns
// [ErrPending], which the work returns. So effects belong after the last question,
// and goroutines that ask at once have to ask by one [Task.All] instead. Clients of
// earlier revisions are asked by requests of the server; the work runs once then.
//
// A handler of Asking may call Run after its own questions. It returns what Run
// returns, at once.
func (t *Tasks) Run(ctx context.Context, req *mcp.CallToolRequest, work Work) (*mcp.CallToolResult, error) {
	if t.Require(ctx) == nil {
		return &mcp.CallToolResult{Content: []mcp.Content{}}, t.Start(ctx, work)
	}
	inCall := func(ctx context.Context, ask *Ask, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return perform(ctx, &Task{tasks: t, declared: req.ClientCapabilities(), used: map[string]bool{}, asked: ask.asked, ask: ask}, work)
	}
	if ask, ok := ctx.Value(askKey{}).(*Ask); ok {
		return inCall(ctx, ask, req)
	}
	return Asking(inCall)(ctx, req)
}

// Require is the error -32021 for a client that did not declare the extension
// in the tools/call that ctx belongs to, nil for any other. A handler that asks
// before it starts a task calls it first: the answers would be for nothing.
//
// Source: ext-tasks 2026-07-28, Capability Negotiation.
func (t *Tasks) Require(ctx context.Context) error {
	if c := taskCallerFrom(ctx); c == nil || !c.declares() && !c.page {
		return &jsonrpc.Error{
			Code:    mcp.CodeMissingRequiredClientCapabilities,
			Message: "This needs a client that declares the extension " + TasksExtension,
			Data:    []byte(`{"requiredCapabilities":{"extensions":{"` + TasksExtension + `":{}}}}`),
		}
	}
	return nil
}

// find is the task of an id that belongs to the caller. Why there is none, the
// caller is not told.
func (t *Tasks) find(ctx context.Context, id string) (*TaskRecord, error) {
	c := taskCallerFrom(ctx)
	if !c.declares() && !t.o.Page {
		return nil, t.Require(ctx)
	}
	r, err := t.o.Store.Load(ctx, id)
	switch {
	case err != nil && !errors.Is(err, ErrNoTask):
		t.o.Logger.Error("task not read", "cause", err)
		return nil, internalError("The task cannot be read now")
	case err != nil || r.Principal != c.principal || t.o.Now().After(r.Expires) || r.Page == c.declares():
		return nil, noSuchTask
	}
	return r, nil
}

var noSuchTask = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "There is no such task, or not any more"}

func internalError(message string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message}
}
