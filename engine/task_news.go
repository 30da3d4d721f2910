package engine

import (
	"unicode/utf8"

	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

const (
	maxTaskID  = 1024        // bytes, with quotes
	maxTTL     = int64(1e12) // milliseconds
	maxMessage = 500         // bytes of a statusMessage
)

// taskMember is a member of a task: of the result of a message or, if span is not
// nil, of that object inside of it.
func taskMember(m *message.Message, span []byte, n message.Name) []byte {
	if span == nil {
		return m.Text(n)
	}
	return rawjson.Member(span, n.String())
}

// nestedTask is the task in the result of a tool call that nests it, nil if there
// is none.
func (f *Flow) nestedTask(m *message.Message) []byte {
	if f.task != nil || f.method != "tools/call" || !f.nestsTasks() || m.Kind(message.Task) != '{' {
		return nil
	}
	return m.Text(message.Task)
}

// newTask takes a CreateTaskResult. It does not say what the task asks or how
// it ended, even where its status does, so a poll follows in any case.
func (f *Flow) newTask(m *message.Message) {
	if f.refuseOdd(m) {
		return
	}
	if f.method != "tools/call" { // a client MUST treat it as invalid
		f.malformed(`resultType "task" on a method that may not become one`)
		return
	}
	span := f.nestedTask(m)
	id := taskMember(m, span, message.TaskID)
	if !rawjson.IsString(id) || len(id) > maxTaskID {
		f.malformed("the task has no usable taskId")
		return
	}
	f.task = &task{id: append([]byte(nil), id...), poll: defaultPoll, began: f.now, nested: f.dialect != drafts.MRTR}
	f.remember()
	f.inputRequests, f.asks, f.state, f.looped, f.waits = nil, nil, nil, true, 0
	f.firstAsk = f.issued + 1
	status, ok := f.taskNews(m, span)
	switch {
	case !ok:
	case status == "working":
		f.pollIn(f.task.poll)
	default:
		f.pollIn(0)
	}
}

// taskNews takes what every form of a task says: its status, how often to ask
// and how long it lives. It reports false if it failed the flow.
func (f *Flow) taskNews(m *message.Message, span []byte) (status string, ok bool) {
	t := f.task
	poll, ttl := message.PollIntervalMs, message.TTLMs
	if t.nested {
		poll, ttl = message.PollInterval, message.TTL
	}
	if n, isInt := rawjson.Int(taskMember(m, span, poll)); isInt && n > 0 {
		t.poll = min(max(n, minPoll), maxPoll)
	}
	// It MAY change over the task's life.
	switch lives := taskMember(m, span, ttl); {
	case rawjson.Is(lives, "null"):
		t.ends = 0
	case rawjson.IsNumber(lives):
		if n, isInt := rawjson.Int(lives); isInt && n > 0 {
			t.ends = t.began + min(n, maxTTL)
		}
	}
	token := f.dialect.Status(taskMember(m, span, message.Status))
	for _, known := range [...]string{"working", "input_required", "completed", "failed", "cancelled"} {
		if rawjson.Is(token, known) {
			status = known
		}
	}
	if status == "" {
		f.malformed("the task has no status that is known")
		return "", false
	}
	if words := cutMessage(taskMember(m, span, message.StatusMessage)); status != t.status || words != t.message {
		t.status, t.message = status, words
		f.mustSave()
		f.do(Task{Status: status, Message: words})
	}
	return status, true
}

// cutMessage is a statusMessage of a bounded length, "" if there is none.
func cutMessage(token []byte) string {
	words, _ := rawjson.Unquote(token)
	if len(words) <= maxMessage {
		return words
	}
	cut := maxMessage
	for cut > 0 && !utf8.RuneStart(words[cut]) {
		cut--
	}
	return words[:cut] + "…"
}
