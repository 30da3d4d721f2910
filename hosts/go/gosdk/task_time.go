package gosdk

import (
	"context"
	"encoding/json"
	"time"
)

// ask opens questions. The work's time stands still until none is open.
func (r *TaskRecord) ask(questions map[string]json.RawMessage, now time.Time, patience time.Duration) {
	if len(r.Asked) == 0 {
		r.Left = max(0, r.Expires.Sub(now))
		r.Asked = map[string]json.RawMessage{}
	}
	for key, question := range questions {
		r.Asked[key] = question
	}
	r.Expires = now.Add(patience)
}

// closeQuestion closes one that is open.
func (r *TaskRecord) closeQuestion(key string, now time.Time) {
	if _, open := r.Asked[key]; !open {
		return
	}
	delete(r.Asked, key)
	if len(r.Asked) == 0 {
		r.Expires = now.Add(r.Left)
	}
}

// stopped is why work was told to stop, in words for a person.
type stopped string

const (
	taskCanceled   stopped = "It was canceled."
	taskLate       stopped = "It took longer than it may"
	taskUnanswered stopped = "It was not answered in time"
)

func (s stopped) Error() string { return string(s) }

// obey stops the work once the client wants it to, or its time is over.
func (t *Task) obey(ctx context.Context, r *TaskRecord) {
	for version := uint64(0); ; version = r.Version {
		left := r.Expires.Sub(t.tasks.o.Now())
		switch {
		case r.Cancel:
			t.stop(taskCanceled)
			return
		case left <= 0 && len(r.Asked) > 0:
			t.stop(taskUnanswered)
			return
		case left <= 0:
			t.stop(taskLate)
			return
		}
		waiting, done := context.WithTimeout(ctx, left)
		next, err := t.tasks.o.Store.Wait(waiting, t.id, version)
		if err != nil && waiting.Err() != nil && ctx.Err() == nil {
			next, err = t.tasks.o.Store.Load(ctx, t.id) // an answer may have come just now
		}
		done()
		if err != nil {
			if ctx.Err() == nil {
				t.tasks.o.Logger.Error("a task that is not kept is stopped", "cause", err)
				t.stop(nil)
			}
			return
		}
		r = next
	}
}
