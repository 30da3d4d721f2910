package hostile

import (
	"encoding/json"
	"fmt"
	"strings"
)

const (
	nameSchema = `{"type":"object","properties":{"name":{"type":"string"}}}`
	ageSchema  = `{"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}`
)

// asks are the questions a server may ask, by key.
var asks = map[string]string{
	"who":   `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":` + nameSchema + `}}`,
	"where": `{"method":"elicitation/create","params":{"message":"Where?","requestedSchema":` + nameSchema + `}}`,
	"age":   `{"method":"elicitation/create","params":{"message":"Age?","requestedSchema":` + ageSchema + `}}`,
	"link":  `{"method":"elicitation/create","params":{"mode":"url","message":"Sign in","url":"https://example.com/in","elicitationId":"e1"}}`,
	"roots": `{"method":"roots/list"}`,
}

var keys = []string{"who", "where", "age", "link", "roots"}

// response is what the server answers a leg with, after the word response.
func (r *random) response(c *call, l *leg) string {
	result := func(members string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{%s}}`, l.id, members)
	}
	if strings.HasPrefix(l.method, "tasks/") {
		return result(r.poll(l))
	}
	kinds := []string{"complete", "complete", "questions", "questions", "questions", "questions", "state", "error", "refused", "garbage", "nonsense"}
	if c.has("tasks") {
		kinds = append(kinds, "task", "task", "task")
	}
	switch r.pick(kinds...) {
	case "questions":
		return result(r.questions(c))
	case "state":
		return result(`"resultType":"input_required","requestState":` + r.someState())
	case "error":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"Oops"}}`, l.id)
	case "refused":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"Unknown state"}}`, l.id)
	case "garbage":
		return r.pick("<html>busy</html>", `{"jsonrpc":"2.0"`, "")
	case "nonsense":
		return result(r.pick(`"resultType":"nonsense"`, `"resultType":"input_required"`, `"resultType":"input_required","requestState":7`,
			`"resultType":"input_required","inputRequests":{"who":{"method":"nonsense"}}`))
	case "task":
		return result(fmt.Sprintf(`"resultType":"task","taskId":"t1","status":%q,"createdAt":"2026-07-28T00:00:00Z","lastUpdatedAt":"2026-07-28T00:00:00Z","ttlMs":null,"pollIntervalMs":100`, r.pick("working", "input_required")))
	}
	return result(complete(c.method))
}

func complete(method string) string {
	if method == "prompts/get" {
		return `"messages":[]`
	}
	return `"content":[]`
}

// someState is one of few, so that the same comes again.
func (r *random) someState() string { return r.pick(`"s1"`, `"s2"`, `"s3"`) }

func (r *random) questions(c *call) string {
	members := `"resultType":"input_required"`
	if !r.one(8) {
		members += `,"requestState":` + r.someState()
	}
	return members + `,"inputRequests":` + r.requests(c)
}

// requests are 1 to 3 questions, nearly always ones that the host can answer.
func (r *random) requests(c *call) string {
	var all []string
	first := r.below(len(keys))
	for i := range keys {
		key := keys[(first+i)%len(keys)]
		if len(all) < 3 && (c.has(asker(key)) && !r.one(3) || r.one(40)) {
			all = append(all, fmt.Sprintf("%q:%s", key, asks[key]))
		}
	}
	if all == nil {
		all = append(all, `"who":`+asks["who"])
	}
	return "{" + strings.Join(all, ",") + "}"
}

// asker is the callback that answers a question.
func asker(key string) string {
	switch key {
	case "link":
		return "elicitUrl"
	case "roots":
		return "listRoots"
	}
	return "elicit"
}

// poll is how a task stands.
func (r *random) poll(l *leg) string {
	if l.method == "tasks/update" {
		return `"resultType":"complete"`
	}
	about := `"resultType":"complete","taskId":"t1","createdAt":"2026-07-28T00:00:00Z","lastUpdatedAt":"2026-07-28T00:00:00Z","ttlMs":null`
	switch r.below(6) {
	case 0, 1:
		return about + `,"status":"input_required","inputRequests":{"who":` + asks["who"] + `}`
	case 2:
		return about + `,"status":"working"`
	case 3:
		return about + `,"status":"failed","error":{"code":-32603,"message":"Oops"}`
	}
	return about + `,"status":"completed","result":{"content":[]}`
}

// answer is what a person gives, and not always what can be sent.
func (r *random) answer(key string) string {
	if key == "roots" {
		return r.pick(`{"roots":[]}`, `{"roots":[]}`, `{"roots":[{"uri":"file:///a"}]}`, `{}`, `nonsense`)
	}
	texts := []string{`{"action":"decline"}`, `{"action":"cancel"}`, `{}`, `nonsense`}
	switch key {
	case "age":
		texts = append(texts, `{"action":"accept","content":{"age":36}}`, `{"action":"accept","content":{"age":36}}`, `{"action":"accept","content":{"age":"old"}}`, `{"action":"accept","content":{}}`)
	case "link":
		texts = append(texts, `{"action":"accept"}`, `{"action":"accept"}`)
	default:
		texts = append(texts, `{"action":"accept","content":{"name":"Ada"}}`, `{"action":"accept","content":{"name":"Ada"}}`, `{"action":"accept","content":{"name":"Ada"}}`, `{"action":"accept","content":{"name":7}}`)
	}
	return r.pick(texts...)
}

// usable reports whether an answer to a question can be sent.
func usable(key, text string) bool {
	var answer struct {
		Action  string
		Content map[string]any
		Roots   []any
	}
	if json.Unmarshal([]byte(text), &answer) != nil {
		return false
	}
	if key == "roots" {
		return answer.Roots != nil
	}
	switch answer.Action {
	case "decline", "cancel":
		return true
	case "accept":
	default:
		return false
	}
	switch key {
	case "age":
		_, is := answer.Content["age"].(float64)
		return is
	case "link":
		return true
	}
	_, is := answer.Content["name"].(string)
	return is
}
