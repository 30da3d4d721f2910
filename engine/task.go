package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// task is a tool call that goes on at the server. The flow polls it until it
// ends; polls are legs, but no rounds.
//
// As of the tasks extension (io.modelcontextprotocol/tasks) a poll brings what
// the task asks and, in the end, its result. What it asks is keyed for its
// whole life, so a key that was answered is never asked again.
//
// Nested, as of 2025-11-25 and of SEP-2322 before tasks were an extension, a
// poll brings the status alone, and tasks/result what the task asks and
// results in. Each time it asks is a round of its own.
type task struct {
	id       []byte // the taskId's token as it came
	poll     int64  // milliseconds between polls
	began    int64  // when the flow was told of it
	ends     int64  // when its time to live is over, 0 if it has no end
	status   string // that the host was told last
	message  string
	answered []string // keys whose answers were sent
	stale    int      // polls in a row that asked for nothing but those, or brought nothing
	updating bool     // the leg at hand carries answers
	news     bool     // came while the leg at hand was in flight, which may not know of them

	nested bool
	fetch  bool // the next leg is tasks/result
}

const (
	defaultPoll = 1000   // milliseconds
	minPoll     = 100    // milliseconds
	maxPoll     = 60_000 // milliseconds

	maxStale = 60     // polls that ask again what was answered
	maxKeys  = 1024   // answered in one task
	ttlGrace = 60_000 // milliseconds, because clocks and networks differ
)

// TaskID is the taskId's token of the task that the call has become, nil if it
// is none. Its bytes are the flow's: do not modify them.
func (f *Flow) TaskID() []byte {
	if f.task == nil {
		return nil
	}
	return f.task.id
}

// pollIn waits for the next poll, which is soon if there are news.
func (f *Flow) pollIn(delay int64) {
	if f.task.news {
		delay = min(delay, minPoll)
	}
	f.wakeAt = f.now + delay
	f.phase = pacing
	if f.status == parking {
		f.stop()
	}
}

// putID begins an object that names the task.
func (t *task) putID(j *rawjson.Writer) {
	j.Put(`{"taskId":`)
	j.Raw(t.id)
}

// taskParams is what the next leg of a task sends, and by which method.
func (f *Flow) taskParams() (method string, params []byte) {
	t := f.task
	t.updating, t.news = len(f.asks) > 0, false
	var j rawjson.Writer
	if t.updating && t.nested { // the metadata says which task
		j.Put("{")
	} else {
		t.putID(&j)
	}
	switch {
	case t.updating:
		method = "tasks/update"
		f.putAnswers(&j)
		if t.nested {
			method = "tasks/input_response"
			j.Put(`,"_meta":{"io.modelcontextprotocol/related-task":`)
			t.putID(&j)
			j.Put("}}")
		}
	case t.fetch:
		method = "tasks/result"
	default:
		method = "tasks/get"
	}
	if f.state != nil && (t.updating || t.fetch) {
		j.Begin(`"requestState":`)
		j.Raw(f.state)
	}
	j.Put("}")
	return method, j.Dst
}

// taskResult takes the result of a poll or of an update.
func (f *Flow) taskResult(m *message.Message) {
	if f.refuseOdd(m) {
		return
	}
	t := f.task
	if t.updating {
		f.taskUpdated()
		return
	}
	if t.fetch {
		f.finish(m, message.Result, true)
		return
	}
	if m.Has(message.TaskID) && string(m.Text(message.TaskID)) != string(t.id) {
		f.malformed("the task is another than was asked for")
		return
	}
	status, ok := f.taskNews(m, nil)
	if !ok {
		return
	}
	switch status {
	case "working":
		if f.outlived() {
			return
		}
		t.stale = 0
		f.pollIn(t.poll)
	case "cancelled":
		f.fail(fault.Task, "the task was cancelled")
	default:
		if t.nested {
			t.fetch = true
			f.pollIn(0)
			return
		}
		f.taskEnd(status, m)
	}
}

// taskUpdated forgets the answers that a leg has carried: the server has them.
func (f *Flow) taskUpdated() {
	t := f.task
	t.updating = false
	for i := range f.asks {
		t.answered = append(t.answered, f.asks[i].key)
	}
	if t.nested { // each time it asks is a round of its own
		t.answered, f.state = nil, nil
	}
	f.remember()
	f.inputRequests, f.asks, f.firstAsk = nil, nil, f.issued+1
	// The update need not have been taken up yet.
	f.pollIn(min(t.poll, minPoll))
}

// unblock gives up a tasks/result that takes its time, which a client may do
// at any time, and asks how the task stands: it blocks while the task works.
//
// Source: MCP 2025-11-25, basic/utilities/tasks, Retrieving Task Results.
func (f *Flow) unblock() {
	f.abandon()
	f.task.fetch = false
	f.task.stale++
	f.pollIn(f.task.poll)
}

// taskEnd takes what a poll brings that is more than a status.
func (f *Flow) taskEnd(status string, m *message.Message) {
	switch status {
	case "input_required":
		f.taskAsks(m)
	case "completed":
		f.taskDone(m)
	case "failed":
		switch size := m.Len(message.TaskError); {
		case m.Kind(message.TaskError) != '{':
			f.malformed("the failed task has no error")
		case size > f.opts.Limits.Response:
			f.fail(fault.Limit, tooLong("the error", size, f.opts.Limits.Response, "response"))
		default:
			f.end(Failed{Code: fault.Task, Detail: "the task failed", Error: m.Text(message.TaskError)})
		}
	}
}

// taskDone ends the flow with the result of the task.
func (f *Flow) taskDone(m *message.Message) {
	switch {
	case !m.Has(message.TaskResult):
		f.malformed("the completed task has no result")
	case m.Has(message.TaskResultType) && !rawjson.Is(m.Text(message.TaskResultType), "complete"): // a task asks by its own status only
		f.malformed("the result of the task is not complete")
	default:
		f.finish(m, message.TaskResult, true)
	}
}

// taskAsks asks what a task asks and was not answered before. Answers are
// taken up with a delay, so a key that was answered may come again for a
// while.
func (f *Flow) taskAsks(m *message.Message) {
	t := f.task
	requests := m.Text(message.InputRequests)
	if !m.Has(message.InputRequests) || message.IsEmptyArray(requests) { // it asks nothing yet, and is polled
		requests = []byte("{}")
	} else if m.Kind(message.InputRequests) != '{' {
		f.malformed("the task asks, but inputRequests is not an object")
		return
	}
	if size := m.Len(message.InputRequests); size > f.opts.Limits.Response {
		f.fail(fault.Limit, tooLong("inputRequests", size, f.opts.Limits.Response, "response"))
		return
	}
	fresh := rawjson.NewWriter('{', 0)
	var entries rawjson.Members
	for entries.Start(requests); entries.Next(); {
		if key, ok := rawjson.Unquote(entries.Name); !ok || !t.wasAnswered(key) {
			fresh.Member(entries.Name, entries.Value)
		}
	}
	fresh.Put("}")
	f.acceptedBefore = len(f.accepted)
	asks, bad := f.readAsks(fresh.Dst)
	switch {
	case entries.Err != nil:
		f.failWith(unreadable("inputRequests", entries.Err))
	case bad != nil:
		f.failWith(bad)
	case len(asks) == 0 && t.stale == maxStale:
		t.stale = 0
		f.phase = ready // to be polled again
		f.fail(fault.Waits, count("the task still asks only what was answered, after {0} polls", maxStale))
	case len(asks) == 0:
		t.stale++
		f.pollIn(t.poll)
	case len(t.answered)+len(asks) > maxKeys:
		f.fail(fault.Limit, count("the task asks more than {0} questions", maxKeys))
	default:
		t.stale = 0
		f.inputRequests, f.asks, f.firstAsk = fresh.Dst, asks, f.issued+1
		f.enterRound()
	}
}

func (t *task) wasAnswered(key string) bool {
	for _, answered := range t.answered {
		if answered == key {
			return true
		}
	}
	return false
}

// taskError takes a JSON-RPC error on a leg of a task. -32602 says that the
// task is not known, or not any more. On answers to a nested task it may say
// that the task asks nothing now, as it does where a copy came first that was
// taken for lost: how the task stands is asked for then.
func (f *Flow) taskError(code int, object []byte) {
	if code == codeInvalidParams && f.task.updating && f.task.nested {
		f.taskUpdated()
		return
	}
	end := Failed{Code: fault.RPC, Detail: count("JSON-RPC error {0}", code), Error: object}
	switch {
	case f.task.fetch && !f.task.updating && code != codeInvalidParams: // it is the task's own
		end.Code = fault.Task
	case code == codeInvalidParams:
		end.Code, end.Detail = fault.Task, "JSON-RPC error -32602: the task is not known any more"
	}
	f.end(end)
}

// outlived ends a task that says it works although it is past its time to
// live. Nothing else does: a result that is ready must not be lost.
func (f *Flow) outlived() bool {
	if f.task.ends == 0 || f.now < f.task.ends+ttlGrace {
		return false
	}
	f.fail(fault.Task, "the task is past its time to live and has not ended")
	return true
}

// cancelTask asks the server to stop. It may or may not; nobody waits for the
// answer.
func (f *Flow) cancelTask() {
	if f.task != nil {
		var j rawjson.Writer
		f.task.putID(&j)
		j.Put("}")
		f.do(Tell{Method: "tasks/cancel", Params: j.Dst})
	}
}

// taskChanged polls at once, or again soon if a leg is in flight: its answer may
// be of before.
func (f *Flow) taskChanged(ev relay.TaskChanged) {
	switch {
	case f.task == nil || !rawjson.Is(f.task.id, ev.TaskID) || f.status != live:
	case f.phase == pacing && len(f.asks) == 0:
		f.wakeAt = f.now
	default:
		f.task.news = true
	}
}
