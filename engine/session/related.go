package session

import "github.com/parley-mcp/parley/rawjson"

// relatedTask is the member of _meta that names the task a message belongs to.
//
// Source: MCP 2025-11-25, basic/utilities/tasks, Associating Task-Related
// Messages.
const relatedTask = "io.modelcontextprotocol/related-task"

const maxTaskID = 1024 // bytes, with quotes

// task is the taskId's token of the task that a question belongs to, nil if
// there is none.
func (q *asked) task() []byte {
	id := rawjson.Member(rawjson.Member(rawjson.Member(q.params, "_meta"), relatedTask), "taskId")
	if !rawjson.IsString(id) || len(id) > maxTaskID {
		return nil
	}
	return id
}

// resultLeg is the leg in flight that waits for the result of a task, nil if
// there is none.
func (s *Session) resultLeg(task []byte) *request {
	id, ok := rawjson.Unquote(task)
	for _, p := range s.requests.places {
		if r := p.item; ok && r != nil && r.kind == leg && r.method == "tasks/result" && rawjson.Is(rawjson.Member(r.params, "taskId"), id) {
			return r
		}
	}
	return nil
}

// withTask adds a result, which says which task it belongs to if it belongs to
// one. What else the host put into its _meta stays.
func (t *text) withTask(result, task []byte) {
	if task == nil {
		t.Raw(result)
		return
	}
	meta := []byte("{}")
	t.Put("{")
	var m rawjson.Members
	for m.Start(result); m.Next(); {
		if !m.Is("_meta") {
			t.Member(m.Name, m.Value)
		} else if rawjson.IsObject(m.Value) {
			meta = m.Value
		}
	}
	t.Begin(`"_meta":{`)
	for m.Start(meta); m.Next(); {
		if !m.Is(relatedTask) {
			t.Member(m.Name, m.Value)
		}
	}
	t.Begin(`"` + relatedTask + `":{"taskId":`)
	t.Raw(task)
	t.Put("}}}")
}
