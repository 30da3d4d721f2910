// Package tasks lets tools of the official Go SDK go on as tasks, the extension
// io.modelcontextprotocol/tasks: a call is answered with a task at once, and the
// client asks how it stands until it ends. The SDK (1.8.0) does not know the
// extension, so its methods are custom ones, and a middleware puts the task in
// the place of the tool's result.
//
//	long := tasks.New(tasks.Options{Codec: c, Audience: "my-service"})
//	long.Add(server)
//	mcp.AddTool(server, tool, func(ctx context.Context, req *mcp.CallToolRequest, in args) (*mcp.CallToolResult, any, error) {
//		return nil, nil, long.Start(ctx, func(ctx context.Context, t *tasks.Task) (*mcp.CallToolResult, error) {
//			t.Say("Halfway there.")
//			…
//		})
//	})
//
// Tasks are kept in memory, so they end with the process, and polls have to
// reach the process that made them: Mcp-Name carries the task's id, by which a
// balancer can tell.
package tasks

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
)

// Extension is what clients and servers declare.
const Extension = "io.modelcontextprotocol/tasks"

// Options tune [New]. Codec is required.
type Options struct {
	// Codec seals task ids, and Audience names the service in them: an id
	// opens for the user whose call made the task, and for nobody else.
	Codec    codec.Codec
	Audience string

	// TTL is how long a task may take, a person's time included; then it is
	// stopped and forgotten. Zero means an hour.
	TTL time.Duration

	// Poll is how often clients are told to ask. Zero means a second.
	Poll time.Duration

	// Now is the clock that tasks are forgotten by. Nil means time.Now.
	Now func() time.Time

	// Logger receives how tasks stand, never an id or an answer. Nil discards
	// it.
	Logger *slog.Logger
}

// Tasks are the tasks of a server. It is safe for concurrent use.
type Tasks struct {
	o Options

	mu       sync.Mutex
	byHandle map[string]*Task
}

// mostTasks bounds the memory that clients can take.
const mostTasks = 1000

// New returns a place for tasks, with none in it.
func New(o Options) *Tasks {
	if o.TTL == 0 {
		o.TTL = time.Hour
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
	return &Tasks{o: o, byHandle: map[string]*Task{}}
}

// Add gives a server the methods of the extension. Call it after other
// middleware was added; that the server declares [Extension] is its maker's to
// see to.
func (t *Tasks) Add(s *mcp.Server) {
	s.AddReceivingMiddleware(t.middleware)
	add(s, "tasks/get", t.get)
	add(s, "tasks/update", t.update)
	add(s, "tasks/cancel", t.cancel)
}

// A Work is what a task does. Its context ends when the task is canceled or has
// outlived its time. An error that is a *jsonrpc.Error goes to the client as it
// is, any other only to the log.
type Work func(ctx context.Context, t *Task) (*mcp.CallToolResult, error)

// Start makes a task of the tools/call that ctx belongs to, and starts its work:
// whatever result the tool's handler returns then, the client gets the task.
// It fails where [Tasks.Require] does, and where there are too many tasks.
func (t *Tasks) Start(ctx context.Context, work Work) error {
	if err := t.Require(ctx); err != nil {
		return err
	}
	c := callerFrom(ctx)
	handle := rand.Text()
	id, err := t.seal(handle, c.owner)
	if err != nil {
		t.o.Logger.Error("task id not sealed", "cause", err)
		return internal("The task cannot be made")
	}
	running, cancel := context.WithTimeout(context.Background(), t.o.TTL) // it outlives the request
	now := t.o.Now()
	task := &Task{
		tasks: t, id: id, stop: cancel, created: now, updated: now, status: working,
		asked: map[string]*asked{}, used: map[string]bool{},
	}
	if !t.keep(handle, task) {
		cancel()
		return internal("There are too many tasks already: try again later")
	}
	c.made = task
	go task.run(running, work)
	return nil
}

// Require is the error -32021 for a client that did not declare the extension
// in the tools/call that ctx belongs to, nil for any other.
//
// Source: ext-tasks 2026-07-28, Capability Negotiation.
func (t *Tasks) Require(ctx context.Context) error {
	if c := callerFrom(ctx); c == nil || !c.declares() {
		return undeclared()
	}
	return nil
}

// keep forgets the tasks that are over their time, and keeps one more if there
// is room for it.
func (t *Tasks) keep(handle string, task *Task) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for handle, other := range t.byHandle {
		if t.expired(other) {
			delete(t.byHandle, handle)
		}
	}
	if len(t.byHandle) >= mostTasks {
		return false
	}
	t.byHandle[handle] = task
	return true
}

func (t *Tasks) expired(task *Task) bool { return t.o.Now().After(task.created.Add(t.o.TTL)) }

// find is the task of an id that belongs to the caller. Why there is none, the
// caller is not told.
func (t *Tasks) find(ctx context.Context, id string) (*Task, error) {
	c := callerFrom(ctx)
	if !c.declares() {
		return nil, undeclared()
	}
	handle, err := t.open(id, c.owner)
	if err == nil {
		t.mu.Lock()
		task := t.byHandle[handle]
		t.mu.Unlock()
		if task != nil && !t.expired(task) {
			return task, nil
		}
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "There is no such task, or not any more"}
}

// The ids. A handle alone would do for one user, as it cannot be guessed; sealed
// for its owner it is of no use to another one who got hold of it, and nothing
// is looked up for an id that this service did not make.

func (t *Tasks) seal(handle, owner string) (id string, err error) {
	return t.o.Codec.Seal([]byte(handle), t.purpose(owner))
}

func (t *Tasks) open(id, owner string) (handle string, err error) {
	plain, err := t.o.Codec.Open(id, t.purpose(owner))
	return string(plain), err
}

func (t *Tasks) purpose(owner string) []byte {
	return []byte("parley-example-task/1\x00" + t.o.Audience + "\x00" + owner)
}
