package tasks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Task is a tool call that goes on. Its methods are for its [Work]; they are
// safe for concurrent use.
type Task struct {
	tasks   *Tasks
	id      string
	created time.Time
	stop    context.CancelFunc

	mu       sync.Mutex
	updated  time.Time
	status   string
	message  string
	asked    map[string]*asked // and not answered
	used     map[string]bool   // keys: one means the same question for the task's whole life
	canceled bool              // the client wants it to stop
	result   *mcp.CallToolResult
	failure  *jsonrpc.Error
}

// The statuses but input_required, which is working with questions.
const (
	working   = "working"
	completed = "completed"
	failed    = "failed"
	cancelled = "cancelled"
)

// asked is a question that the client is to answer.
type asked struct {
	question *mcp.ElicitParams
	answer   chan *mcp.ElicitResult // has room for it
}

// Say tells the client how the task stands, in words for a person.
func (t *Task) Say(format string, args ...any) {
	t.change(func() { t.message = fmt.Sprintf(format, args...) })
}

// Elicit asks the person and waits for the answer, which is the client's: it is
// not held against the question's schema. A key is used once in a task. The
// error is that of ctx.
func (t *Task) Elicit(ctx context.Context, key string, question *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	a := &asked{question, make(chan *mcp.ElicitResult, 1)}
	again := false
	t.change(func() {
		if again = t.used[key]; !again {
			t.used[key], t.asked[key] = true, a
		}
	})
	if again {
		return nil, fmt.Errorf("tasks: the key %q was used before in this task", key)
	}
	select {
	case answer := <-a.answer:
		return answer, nil
	case <-ctx.Done():
		t.change(func() { delete(t.asked, key) })
		return nil, ctx.Err()
	}
}

// answer takes what the client says. What it was not asked, or has answered, is
// ignored.
//
// Source: ext-tasks 2026-07-28, Task Update Requests.
func (t *Task) answer(responses mcp.InputResponseMap) {
	t.change(func() {
		for key, response := range responses {
			answer, ok := response.(*mcp.ElicitResult)
			if a := t.asked[key]; ok && a != nil {
				delete(t.asked, key)
				a.answer <- answer
			}
		}
	})
}

// cancel has the work stop, if it is not over: the status follows.
func (t *Task) cancel() {
	t.mu.Lock()
	t.canceled = true
	t.mu.Unlock()
	t.stop()
}

func (t *Task) change(to func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	to()
	t.updated = t.tasks.o.Now()
}

// run does the work and says how it ended.
func (t *Task) run(ctx context.Context, work Work) {
	defer t.stop()
	result, err := perform(ctx, t, work)
	t.change(func() {
		clear(t.asked)
		switch {
		case err == nil:
			t.status, t.result = completed, result
		case t.canceled && ctx.Err() != nil:
			t.status, t.message = cancelled, "It was canceled."
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			t.fail(internal("It took longer than it may"))
		case errors.As(err, &t.failure):
			t.fail(t.failure)
		default:
			t.fail(internal("It failed inside the server"))
		}
	})
	if err != nil {
		t.tasks.o.Logger.Warn("task ended", "status", t.status, "cause", err)
		return
	}
	t.tasks.o.Logger.Info("task ended", "status", t.status)
}

func (t *Task) fail(failure *jsonrpc.Error) {
	t.status, t.failure, t.message = failed, failure, failure.Message
}

// perform makes an error of a panic, which would end the server.
func perform(ctx context.Context, t *Task, work Work) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the work panicked: %v", p)
		}
	}()
	result, err = work(ctx, t)
	if result == nil && err == nil {
		err = errors.New("the work has no result")
	}
	return result, err
}
