package gosdk

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/rawjson"
)

const (
	relatedTask = "io.modelcontextprotocol/related-task"

	// taskMeta is where [Tasks.Handler] puts what a call says of its task.
	taskMeta = "parley/task"
)

func asksForTask(req mcp.Request) bool {
	_, ok := req.GetParams().GetMeta()[taskMeta].(map[string]any)
	return ok
}

// carryTask copies a call's task into its metadata.
func carryTask(params []byte) []byte {
	task := rawjson.Member(params, "task")
	if !rawjson.IsObject(task) {
		return params
	}
	return withMeta(params, taskMeta, task)
}

// pageNames has a task in the page's notation, where a result that is an error
// is a failure.
//
// Source: MCP 2025-11-25, basic/utilities/tasks.
func pageNames(s *taskState, r *TaskRecord) {
	s.TTL, s.PollInterval, s.TTLMs, s.PollIntervalMs = s.TTLMs, s.PollIntervalMs, 0, 0
	if rawjson.Is(rawjson.Member(r.Result, "isError"), "true") {
		s.Status = taskFailed
	}
}

// pageCreated is the answer to a call that has become a task.
type pageCreated struct {
	mcp.ResultBase
	ResultType string     `json:"resultType"`
	Task       *taskState `json:"task"`
}

// pageAsks is the answer to tasks/result of a task that asks.
type pageAsks struct {
	mcp.ResultBase
	ResultType    string                     `json:"resultType"`
	InputRequests map[string]json.RawMessage `json:"inputRequests"`
}

// pageDone is the result of a task.
type pageDone struct {
	mcp.ResultBase
	result json.RawMessage
}

func (d *pageDone) MarshalJSON() ([]byte, error) {
	meta, err := json.Marshal(d.Meta)
	if err != nil {
		return nil, err
	}
	var own rawjson.Members
	for own.Start(rawjson.Member(d.result, "_meta")); own.Next(); {
		if name, _ := rawjson.Unquote(own.Name); name != relatedTask {
			meta = replaced(meta, name, own.Value)
		}
	}
	return replaced(d.result, "_meta", meta), nil
}

// pageResult waits until the task asks or is over.
func (t *Tasks) pageResult(ctx context.Context, p *taskParams) (mcp.Result, error) {
	if taskCallerFrom(ctx).declares() {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "The extension has no tasks/result"}
	}
	r, err := t.find(ctx, p.TaskID)
	for err == nil && r.Status == taskWorking && len(r.Asked) == 0 {
		r, err = t.o.Store.Wait(ctx, r.ID, r.Version)
	}
	if errors.Is(err, ErrNoTask) { // forgotten meanwhile
		err = noSuchTask
	}
	if err != nil {
		return nil, err
	}
	about := mcp.ResultBase{Meta: mcp.Meta{relatedTask: map[string]any{"taskId": r.ID}}}
	switch r.Status {
	case taskWorking:
		return &pageAsks{about, "input_required", r.Asked}, mayAsk(ctx, r)
	case taskCompleted:
		return &pageDone{about, r.Result}, nil
	case taskFailed:
		failure := &jsonrpc.Error{}
		if json.Unmarshal(r.Error, failure) == nil {
			return nil, failure
		}
	}
	return nil, internalError("The task was canceled")
}

// pageAnswer takes answers, as tasks/update does, of a task that its metadata
// names and that asks.
func (t *Tasks) pageAnswer(ctx context.Context, p *taskParams) (*taskAck, error) {
	related, _ := p.GetMeta()[relatedTask].(map[string]any)
	id, _ := related["taskId"].(string)
	before, err := t.tell(ctx, id, p.answer)
	if err != nil {
		return nil, err
	}
	if len(before.Asked) == 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The task asks nothing now"}
	}
	return &taskAck{ResultBase: mcp.ResultBase{Meta: mcp.Meta{relatedTask: map[string]any{"taskId": id}}}, ResultType: "complete"}, nil
}
