package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ErrUnusable is what the methods of [Task] return for an answer that does not
// fit its question. The work may ask again, best in other words.
var ErrUnusable = errors.New("gosdk: the client's answer does not fit the question")

// Task is a tool call that goes on. Its methods are for its [Work] and safe for
// concurrent use: questions that goroutines ask at once are open at once.
type Task struct {
	tasks    *Tasks
	id       string // "" for one that is done while its call waits
	declared *mcp.ClientCapabilities
	stop     context.CancelCauseFunc

	ask    *Ask // for one that is done while its call waits; else nil
	asking sync.Mutex

	mu    sync.Mutex
	asked int             // questions without a key of their own
	used  map[string]bool // keys: one means the same question for the task's whole life
}

// The statuses but input_required, which is working with questions.
const (
	taskWorking   = "working"
	taskCompleted = "completed"
	taskFailed    = "failed"
	taskCancelled = "cancelled"
)

// maxQuestions bounds what one task may ask, and with it its record.
const maxQuestions = 1000

// Say tells the client how the task stands, in words for a person. It does
// nothing while the call waits.
func (t *Task) Say(format string, args ...any) {
	if t.id == "" {
		return
	}
	if err := t.change(context.Background(), func(r *TaskRecord, _ time.Time) { r.Message = fmt.Sprintf(format, args...) }); err != nil {
		t.tasks.o.Logger.Error("task message not kept", "cause", err)
	}
}

// Elicit asks the person, as [Ask.Elicit] does, and waits for the answer.
func (t *Task) Elicit(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	answer, err := t.one(ctx, "elicitation", p)
	res, _ := answer.(*mcp.ElicitResult)
	return res, err
}

// Sample asks the client's model, and waits for what it says.
func (t *Task) Sample(ctx context.Context, p *mcp.CreateMessageParams) (*mcp.CreateMessageWithToolsResult, error) {
	answer, err := t.one(ctx, "sampling", p)
	res, _ := answer.(*mcp.CreateMessageWithToolsResult)
	return res, err
}

// ListRoots asks for the client's roots, and waits for them.
func (t *Task) ListRoots(ctx context.Context) (*mcp.ListRootsResult, error) {
	answer, err := t.one(ctx, "roots", &mcp.ListRootsParams{})
	res, _ := answer.(*mcp.ListRootsResult)
	return res, err
}

func (t *Task) one(ctx context.Context, kind string, q mcp.InputRequest) (mcp.InputResponse, error) {
	t.mu.Lock()
	t.asked++
	key := kind + "-" + strconv.Itoa(t.asked)
	t.mu.Unlock()
	answers, err := t.All(ctx, mcp.InputRequestMap{key: q})
	if err != nil {
		return nil, err
	}
	return answers[key], nil
}

// All asks several questions at once, under keys of the work's choice, and waits
// for all the answers, which a client may give one by one. The answers are of
// the types that [Ask.All] names. A key is used once in a task: to the client it
// is the same question for the task's whole life.
//
// The error is [ErrUnusable] if an answer does not fit, that of ctx, or -32021
// for a question that the client cannot answer. While the call waits, it may also
// be [ErrPending]: see [Tasks.Run].
func (t *Task) All(ctx context.Context, questions mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	if t.ask != nil {
		return t.allInCall(ctx, questions)
	}
	kinds, questions, err := kindsOf(questions)
	if err != nil {
		return nil, err
	}
	entries, err := readQuestions(questions)
	if err != nil {
		return nil, err
	}
	if err := Undeclared(questions, t.declared); err != nil {
		return nil, err
	}
	if err := t.use(questions); err != nil {
		return nil, err
	}
	asked := make(map[string]json.RawMessage, len(entries))
	for _, e := range entries {
		asked[e.Key], _ = json.Marshal(map[string]json.RawMessage{"method": fmt.Appendf(nil, "%q", e.Method), "params": e.Params})
	}
	err = t.change(ctx, func(r *TaskRecord, now time.Time) { r.ask(asked, now, t.tasks.o.Patience) })
	if err != nil {
		return nil, err
	}
	given, err := t.wait(ctx, questions)
	t.withdraw(questions)
	if err != nil {
		return nil, err
	}
	answers := make(mcp.InputResponseMap, len(questions))
	for key, k := range kinds {
		answer := k.recall(given[key])
		if answer != nil {
			answer = k.accept(answer)
		}
		if answer == nil {
			return nil, ErrUnusable
		}
		answers[key] = answer
	}
	return answers, nil
}

// allInCall asks for one that is no task.
func (t *Task) allInCall(ctx context.Context, questions mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	if t.ask.direct == nil { // else Ask looks
		if err := Undeclared(questions, t.declared); err != nil {
			return nil, err
		}
	}
	if err := t.use(questions); err != nil {
		return nil, err
	}
	t.asking.Lock()
	defer t.asking.Unlock()
	return t.ask.All(ctx, questions)
}

func (t *Task) use(questions mcp.InputRequestMap) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key := range questions {
		if t.used[key] {
			return fmt.Errorf("gosdk: the key %q was used before in this task", key)
		}
	}
	if len(t.used)+len(questions) > maxQuestions {
		return fmt.Errorf("gosdk: more than %d questions in a task", maxQuestions)
	}
	for key := range questions {
		t.used[key] = true
	}
	return nil
}

// wait returns once all the questions are answered.
func (t *Task) wait(ctx context.Context, questions mcp.InputRequestMap) (map[string]json.RawMessage, error) {
	for version := uint64(0); ; {
		r, err := t.tasks.o.Store.Wait(ctx, t.id, version)
		if err != nil {
			return nil, err
		}
		version = r.Version
		missing := false
		for key := range questions {
			if _, ok := r.Answers[key]; !ok {
				missing = true
			}
		}
		if !missing {
			return r.Answers, nil
		}
	}
}

// withdraw takes questions and their answers out of the record: they have been
// taken, or nobody waits for them any more.
func (t *Task) withdraw(questions mcp.InputRequestMap) {
	err := t.change(context.Background(), func(r *TaskRecord, now time.Time) {
		for key := range questions {
			r.closeQuestion(key, now)
			delete(r.Answers, key)
		}
	})
	if err != nil {
		t.tasks.o.Logger.Error("task question not withdrawn", "cause", err)
	}
}

// change edits the record of a task that is not over.
func (t *Task) change(ctx context.Context, edit func(*TaskRecord, time.Time)) error {
	return t.tasks.change(ctx, t.id, edit)
}

func (t *Tasks) change(ctx context.Context, id string, edit func(*TaskRecord, time.Time)) error {
	now := t.o.Now()
	return t.o.Store.Change(ctx, id, func(r *TaskRecord) {
		if r.Status == taskWorking {
			edit(r, now)
			r.Updated = now
		}
	})
}

// run does the work and says how it ended.
func (t *Task) run(ctx context.Context, made *TaskRecord, work Work) {
	defer t.stop(nil)
	go t.obey(ctx, made)
	result, err := perform(ctx, t, work)
	text, invalid := json.Marshal(result)
	if err == nil && invalid != nil {
		err = invalid
	}
	var status string
	kept := t.change(context.WithoutCancel(ctx), func(r *TaskRecord, now time.Time) {
		r.Asked, r.Answers = nil, nil
		r.Expires = now.Add(t.tasks.o.TTL)
		switch {
		case err == nil:
			r.Status, r.Result = taskCompleted, text
		case context.Cause(ctx) == taskCanceled:
			r.Status, r.Message = taskCancelled, string(taskCanceled)
		default:
			failure := failureOf(ctx, err)
			r.Status, r.Message = taskFailed, failure.Message
			r.Error, _ = json.Marshal(failure)
		}
		status = r.Status
	})
	log := t.tasks.o.Logger
	switch {
	case kept != nil:
		log.Error("task ended, and that is not kept", "status", status, "cause", kept)
	case err != nil:
		log.Warn("task ended", "status", status, "cause", err)
	default:
		log.Info("task ended", "status", status)
	}
}

func failureOf(ctx context.Context, err error) *jsonrpc.Error {
	var why stopped
	var told *jsonrpc.Error
	switch {
	case errors.As(context.Cause(ctx), &why):
		return internalError(string(why))
	case errors.As(err, &told):
		return told
	}
	return internalError("It failed inside the server")
}

// perform makes an error of a panic, which would end the server.
func perform(ctx context.Context, t *Task, work Work) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("gosdk: the work panicked: %v", p)
		}
	}()
	result, err = work(ctx, t)
	if result == nil && err == nil {
		err = errors.New("gosdk: the work has no result")
	}
	if result != nil && result.Content == nil {
		bare := *result
		bare.Content = []mcp.Content{} // null would be no result
		result = &bare
	}
	return result, err
}
