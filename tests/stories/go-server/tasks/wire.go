package tasks

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// params are those of all three methods.
type params struct {
	mcp.ParamsBase
	TaskID         string               `json:"taskId"`
	InputResponses mcp.InputResponseMap `json:"inputResponses"` // of tasks/update
}

// state is a task on the wire.
//
// Source: ext-tasks 2026-07-28, Tasks: Task and DetailedTask.
type state struct {
	mcp.ResultBase
	ResultType     string `json:"resultType"`
	TaskID         string `json:"taskId"`
	Status         string `json:"status"`
	StatusMessage  string `json:"statusMessage,omitempty"`
	CreatedAt      string `json:"createdAt"`
	LastUpdatedAt  string `json:"lastUpdatedAt"`
	TTLMs          int64  `json:"ttlMs"`
	PollIntervalMs int64  `json:"pollIntervalMs"`

	// Of tasks/get, as the status says.
	InputRequests mcp.InputRequestMap `json:"inputRequests,omitempty"`
	Result        *mcp.CallToolResult `json:"result,omitempty"`
	Error         *jsonrpc.Error      `json:"error,omitempty"`
}

// ack is the answer to tasks/update and tasks/cancel.
type ack struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
}

// seed is the task as the answer to tools/call.
func (t *Task) seed() *state {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.state()
	s.ResultType = "task"
	return s
}

// state is what every form of a task says. The caller holds the lock.
func (t *Task) state() *state {
	s := &state{
		ResultType: "complete", TaskID: t.id, Status: t.status, StatusMessage: t.message,
		CreatedAt: stamp(t.created), LastUpdatedAt: stamp(t.updated),
		TTLMs: t.tasks.o.TTL.Milliseconds(), PollIntervalMs: t.tasks.o.Poll.Milliseconds(),
	}
	if len(t.asked) > 0 {
		s.Status = "input_required"
	}
	return s
}

// detailed is the task as the answer to tasks/get.
func (t *Task) detailed() *state {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.state()
	s.Result, s.Error = t.result, t.failure
	if len(t.asked) > 0 {
		s.InputRequests = mcp.InputRequestMap{}
		for key, a := range t.asked {
			s.InputRequests[key] = a.question
		}
	}
	return s
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func (t *Tasks) get(ctx context.Context, p *params) (*state, error) {
	task, err := t.find(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	s := task.detailed()
	if err := gosdk.Undeclared(s.InputRequests, callerFrom(ctx).capabilities); err != nil {
		return nil, err
	}
	return s, nil
}

func (t *Tasks) update(ctx context.Context, p *params) (*ack, error) {
	task, err := t.find(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	task.answer(p.InputResponses)
	return &ack{ResultType: "complete"}, nil
}

func (t *Tasks) cancel(ctx context.Context, p *params) (*ack, error) {
	task, err := t.find(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	task.cancel()
	return &ack{ResultType: "complete"}, nil
}

// add registers a method.
func add[R mcp.Result](s *mcp.Server, method string, answer func(context.Context, *params) (R, error)) {
	err := mcp.AddReceivingCustomMethod(s, method, func(ctx context.Context, _ *mcp.ServerSession, p *params) (R, error) {
		if p == nil {
			p = &params{}
		}
		return answer(ctx, p)
	})
	if err != nil {
		panic(err) // the SDK has learnt the extension: use that
	}
}
