package gosdk_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// timedTask is a task that asks for each key by itself, all at once, then works until it is let
// go and says something whenever it is nudged. The test moves its clock.
type timedTask struct {
	*taskClient
	id          string
	made        taskSeen
	clock       atomic.Int64 // in Unix seconds
	nudged, let chan struct{}
	over        chan error // why work ended, nil if it was not told to
}

func newTimedTask(t *testing.T, keys []string, options func(*gosdk.TaskOptions)) *timedTask {
	t.Helper()
	at := &timedTask{nudged: make(chan struct{}), let: make(chan struct{}), over: make(chan error, 2)}
	at.clock.Store(1_800_000_000)
	at.taskClient = taskServer(t, func(ctx context.Context, task *gosdk.Task) (*mcp.CallToolResult, error) {
		defer func() { at.over <- context.Cause(ctx) }()
		answers := make(chan error, len(keys))
		for _, key := range keys {
			go func() {
				_, err := task.All(ctx, mcp.InputRequestMap{key: who()})
				answers <- err
			}()
		}
		for range keys {
			if err := <-answers; err != nil {
				return nil, err
			}
		}
		for {
			select {
			case <-at.nudged:
				task.Say("nudged")
			case <-at.let:
				return result("done"), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}, func(o *gosdk.TaskOptions) {
		o.Now = func() time.Time { return time.Unix(at.clock.Load(), 0) }
		options(o)
	})
	at.made = at.start()
	at.id = at.made.TaskID
	return at
}

func (at *timedTask) pass(d time.Duration) { at.clock.Add(int64(d / time.Second)) }

// answer answers a question, or, for a key that was not asked, only wakes who
// waits for a change.
func (at *timedTask) answer(key string) {
	at.t.Helper()
	if _, failed := at.post("tasks/update", at.id, fmt.Sprintf(`"taskId":%q,"inputResponses":{%q:{"action":"decline"}}`, at.id, key)); failed != "" {
		at.t.Fatalf("answer: %s", failed)
	}
}

// lives fails unless the task is in a state and lives for d since it was made.
func (at *timedTask) lives(status string, d time.Duration) {
	at.t.Helper()
	if got := at.until(at.id, status).TTLMs; got != d.Milliseconds() {
		at.t.Errorf("%s: lives for %v, want %v", status, time.Duration(got)*time.Millisecond, d)
	}
}

func (at *timedTask) failed(want string) {
	at.t.Helper()
	if got := at.until(at.id, "failed").Error.String(); got != want {
		at.t.Errorf("got %s, want %s", got, want)
	}
}

// TestTaskTimes has a person think for longer than the work may take.
func TestTaskTimes(t *testing.T) {
	at := newTimedTask(t, []string{"one", "two"}, func(*gosdk.TaskOptions) {})
	if at.made.TTLMs != time.Hour.Milliseconds() {
		t.Errorf("made: lives for %d ms", at.made.TTLMs)
	}
	for strings.Count(string(at.until(at.id, "input_required").InputRequests), `"method"`) < 2 {
	}
	at.lives("input_required", 24*time.Hour)
	at.pass(22 * time.Hour)
	at.answer("one")
	at.lives("input_required", 24*time.Hour) // the other is open
	at.pass(time.Hour)
	at.answer("two")
	at.answer("two") // means nothing
	at.lives("working", 24*time.Hour)
	at.pass(time.Hour - time.Second)
	at.nudged <- struct{}{}
	for at.until(at.id, "working").StatusMessage != "nudged" {
	}
	close(at.let)
	at.lives("completed", 25*time.Hour-time.Second)
	at.pass(time.Hour)
	if got := at.until(at.id, "completed"); got.Result.Content[0].Text != "done" {
		t.Errorf("got %+v", got)
	}
	at.pass(time.Second)
	if _, failed := at.about("tasks/get", at.id); failed != unknown {
		t.Errorf("past its time: got %q, want %q", failed, unknown)
	}
}

func TestTaskStoppedInTime(t *testing.T) {
	t.Run("work", func(t *testing.T) {
		at := newTimedTask(t, []string{"one"}, func(*gosdk.TaskOptions) {})
		at.until(at.id, "input_required")
		at.answer("one")
		at.pass(time.Hour)
		at.nudged <- struct{}{}
		if why := <-at.over; why == nil || why.Error() != "It took longer than it may" {
			t.Errorf("stopped by %v", why)
		}
		at.failed("-32603 It took longer than it may")
	})
	t.Run("a question", func(t *testing.T) {
		at := newTimedTask(t, []string{"one"}, func(o *gosdk.TaskOptions) { o.Patience = time.Minute })
		at.lives("input_required", time.Minute)
		at.pass(time.Minute)
		at.answer("another")
		<-at.over
		at.failed("-32603 It was not answered in time")
	})
	t.Run("by a timer", func(t *testing.T) {
		told := make(chan error)
		c := taskServer(t, func(ctx context.Context, _ *gosdk.Task) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			told <- context.Cause(ctx)
			return nil, ctx.Err()
		}, func(o *gosdk.TaskOptions) { o.TTL = time.Millisecond })
		c.start()
		if why := <-told; why.Error() != "It took longer than it may" {
			t.Errorf("stopped by %v", why)
		}
	})
}

// TestTaskPlaceIsFree has room again once a task that waits has outlived its
// time, and its work stops.
func TestTaskPlaceIsFree(t *testing.T) {
	at := newTimedTask(t, []string{"one"}, func(o *gosdk.TaskOptions) { o.Store = gosdk.NewTaskMemory(1) })
	at.until(at.id, "input_required")
	if _, failed := at.call(); !strings.HasPrefix(failed, "-32603 There are too many tasks") {
		t.Errorf("a second task: got %q", failed)
	}
	at.pass(24*time.Hour + time.Second)
	at.start()
	<-at.over
	if _, failed := at.about("tasks/get", at.id); failed != unknown {
		t.Errorf("forgotten: got %q, want %q", failed, unknown)
	}
}

// lostStore fails to wait.
type lostStore struct{ gosdk.TaskStore }

func (s lostStore) Wait(context.Context, string, uint64) (*gosdk.TaskRecord, error) {
	return nil, errors.New("the connection is lost")
}

func TestTaskThatIsNotKeptIsStopped(t *testing.T) {
	c := taskServer(t, func(ctx context.Context, _ *gosdk.Task) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, func(o *gosdk.TaskOptions) { o.Store = lostStore{gosdk.NewTaskMemory(0)} })
	if got := c.until(c.start().TaskID, "failed").Error.String(); got != "-32603 It failed inside the server" {
		t.Errorf("got %s", got)
	}
}
