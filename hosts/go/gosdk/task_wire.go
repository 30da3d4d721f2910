package gosdk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// taskParams are those of all the methods.
type taskParams struct {
	mcp.ParamsBase
	TaskID         string                     `json:"taskId"`
	InputResponses map[string]json.RawMessage `json:"inputResponses"` // of tasks/update and tasks/input_response
}

// taskState is a task on the wire, in one of its two notations.
//
// Source: ext-tasks 2026-07-28, Tasks: Task and DetailedTask; SEP-2322,
// Persistent Tool Workflow.
type taskState struct {
	mcp.ResultBase
	ResultType     string `json:"resultType,omitempty"`
	TaskID         string `json:"taskId"`
	Status         string `json:"status"`
	StatusMessage  string `json:"statusMessage,omitempty"`
	CreatedAt      string `json:"createdAt"`
	LastUpdatedAt  string `json:"lastUpdatedAt"`
	TTLMs          int64  `json:"ttlMs,omitempty"`
	PollIntervalMs int64  `json:"pollIntervalMs,omitempty"`

	// The page's names.
	TTL          int64 `json:"ttl,omitempty"`
	PollInterval int64 `json:"pollInterval,omitempty"`

	// Of tasks/get, as the status says.
	InputRequests map[string]json.RawMessage `json:"inputRequests,omitempty"`
	Result        json.RawMessage            `json:"result,omitempty"`
	Error         json.RawMessage            `json:"error,omitempty"`
}

// taskAck is the answer to tasks/update and tasks/cancel.
type taskAck struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
}

// state is what every form of a task says. How long it lives changes while it waits
// for a person.
func (t *Tasks) state(r *TaskRecord) *taskState {
	s := &taskState{
		ResultType: "complete", TaskID: r.ID, Status: r.Status, StatusMessage: r.Message,
		CreatedAt: stamp(r.Created), LastUpdatedAt: stamp(r.Updated),
		TTLMs: r.Expires.Sub(r.Created).Milliseconds(), PollIntervalMs: t.o.Poll.Milliseconds(),
	}
	if len(r.Asked) > 0 {
		s.Status = "input_required"
	}
	if r.Page {
		pageNames(s, r)
	}
	return s
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func (t *Tasks) get(ctx context.Context, p *taskParams) (*taskState, error) {
	r, err := t.find(ctx, p.TaskID)
	if err != nil {
		return nil, err
	}
	s := t.state(r)
	if r.Page { // tasks/result has the rest
		return s, nil
	}
	s.InputRequests, s.Result, s.Error = r.Asked, r.Result, r.Error
	return s, mayAsk(ctx, r)
}

// mayAsk fails for a caller who did not declare what the task asks for.
func mayAsk(ctx context.Context, r *TaskRecord) error {
	if len(r.Asked) == 0 {
		return nil
	}
	text, _ := json.Marshal(r.Asked)
	var questions mcp.InputRequestMap
	if err := json.Unmarshal(text, &questions); err != nil {
		return internalError("The task's questions cannot be read")
	}
	return Undeclared(questions, taskCallerFrom(ctx).capabilities)
}

// update takes what the client says. What it was not asked, or has answered, is
// ignored.
//
// Source: ext-tasks 2026-07-28, Task Update Requests.
func (t *Tasks) update(ctx context.Context, p *taskParams) (*taskAck, error) {
	if _, err := t.tell(ctx, p.TaskID, p.answer); err != nil {
		return nil, err
	}
	return &taskAck{ResultType: "complete"}, nil
}

func (p *taskParams) answer(r *TaskRecord, now time.Time) {
	for key, answer := range p.InputResponses {
		if _, ok := r.Asked[key]; !ok {
			continue
		}
		if r.Answers == nil {
			r.Answers = map[string]json.RawMessage{}
		}
		r.closeQuestion(key, now)
		r.Answers[key] = answer
	}
}

// cancel has the work stop, if it is not over: the status follows.
func (t *Tasks) cancel(ctx context.Context, p *taskParams) (mcp.Result, error) {
	r, err := t.tell(ctx, p.TaskID, func(r *TaskRecord, _ time.Time) { r.Cancel = true })
	if err != nil {
		return nil, err
	}
	switch {
	case !r.Page:
		return &taskAck{ResultType: "complete"}, nil
	case r.Status != taskWorking:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The task is over"}
	}
	return t.state(r), nil
}

// tell edits a task of the caller's, and returns it as it was before.
func (t *Tasks) tell(ctx context.Context, id string, edit func(*TaskRecord, time.Time)) (*TaskRecord, error) {
	r, err := t.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := t.change(ctx, r.ID, edit); err != nil {
		t.o.Logger.Error("task not changed", "cause", err)
		return nil, internalError("The task cannot be changed now")
	}
	return r, nil
}

func addTaskMethod[R mcp.Result](s *mcp.Server, method string, answer func(context.Context, *taskParams) (R, error)) {
	err := mcp.AddReceivingCustomMethod(s, method, func(ctx context.Context, _ *mcp.ServerSession, p *taskParams) (R, error) {
		if p == nil {
			p = &taskParams{}
		}
		return answer(ctx, p)
	})
	if err != nil {
		panic(err) // the SDK has learnt the extension: use that
	}
}
