package session_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What absent, null, "", [] and {} mean, for each member that a rule looks at. Every
// cell is a script of the corpus, absent-*.txt, which all hosts replay; ABSENT.md shows
// what follows from each. TestCorpus holds the engine to the scripts, and TestAbsent
// the scripts to this table.

// values are what a member may be in place of what it should be.
var values = []struct{ name, json string }{{"absent", ""}, {"null", "null"}, {"text", `""`}, {"array", "[]"}, {"object", "{}"}, {"other", ""}}

// member is a member that a rule looks at: where it stands, and what another value may
// be that it should not be.
type member struct {
	name, what string
	before     []string
	last       string // the block that has it: «» stands for `"name":value`, with a comma before it
	other      string
	of         string // how it is spelled, if not as name ends
}

func (m member) spelled() string {
	if m.of != "" {
		return m.of
	}
	return m.name[strings.LastIndexByte(m.name, '-')+1:]
}

// body is a block that brings a message.
func body(exchange int, text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`10 {"type":"message","exchange":%d,"body":%s,"last":true}`, exchange, strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted)))
}

// started is a call that is in flight at a server of 2026-07-28.
func started(method, params string) []string {
	return []string{`session {"known":"2026-07-28"}`, fmt.Sprintf(`call {"method":%q,"params":%q,"options":{"can":{"form":true,"url":true,"roots":true,"tasks":true}}}`, method, params), `0 {"type":"begin","call":1}`}
}

// startedEarlier is one in flight at a server of 2025-11-25, in its exchange 4.
func startedEarlier(method, params string) []string {
	return []string{`session {"known":"2025-11-25","can":{"form":true,"url":true,"roots":true}}`,
		fmt.Sprintf(`call {"method":%q,"params":%q,"options":{"can":{"form":true,"url":true,"roots":true}}}`, method, params), `0 {"type":"begin","call":1}`,
		"1 " + initialized + `,"last":true}`, `2 {"type":"ended","exchange":2,"status":202}`, `3 {"type":"ended","exchange":3,"status":405}`}
}

const (
	completed = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"`
	form      = `"requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}`
	asking    = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"q":`
)

var tool = started("tools/call", `{"name":"t"}`)

// task is a call that has become a task, and whose first poll is in flight.
var task = append(slices.Clone(tool), body(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t","status":"working"}}`), `1010 {"type":"tick","call":1}`)

// sections are the members, by what they are for.
var sections = []struct {
	name    string
	members []member
}{
	{"Around a message", []member{
		{name: "jsonrpc", what: "of a response that names our id", before: tool, last: body(1, `{"id":1,"result":{"content":[]}«»}`), other: "2.0"},
		{name: "jsonrpc-nameless", what: "of a response without an id", before: tool, last: body(1, `{"result":{"content":[]}«»}`), other: "2.0", of: "jsonrpc"},
		{name: "error", what: "beside a result", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}«»}`), other: "false"},
		{name: "failed-result", what: "beside an error", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}«»}`), other: "5"},
		{name: "called-result", what: "of `tools/call`", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1«»}`), other: `"Done."`},
		{name: "other-result", what: "of a request that need not bring anything", before: started("ping", "{}"), last: body(1, `{"jsonrpc":"2.0","id":1«»}`), other: `"Done."`},
		{name: "updated-result", what: "of answers to a task", before: append(slices.Clone(task),
			strings.Replace(body(2, `{"jsonrpc":"2.0","id":2,"result":{"taskId":"t","status":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?",`+form+`}}}}}`), "10 {", "1020 {", 1),
			`1030 {"type":"answer","call":1,"ask":1,"raw":"{\"action\":\"decline\"}"}`), last: strings.Replace(body(3, `{"jsonrpc":"2.0","id":3«»}`), "10 {", "1040 {", 1), other: "true"},
		{name: "method", what: "beside a result", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}«»}`), other: "5"},
		{name: "notified-id", what: "of a notification", before: startedEarlier("tools/call", `{"name":"t"}`), last: strings.Replace(body(4, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}«»}`), `,"last":true`, "", 1), other: "true"},
		{name: "served-id", what: "of a request of the server", before: startedEarlier("tools/call", `{"name":"t"}`), last: strings.Replace(body(4, `{"jsonrpc":"2.0","method":"ping"«»}`), `,"last":true`, "", 1), other: "true"},
		{name: "served-params", what: "of `roots/list`, a request of the server", before: startedEarlier("tools/call", `{"name":"t"}`), last: strings.Replace(body(4, `{"jsonrpc":"2.0","id":7,"method":"roots/list"«»}`), `,"last":true`, "", 1), other: "[1]"},
	}},
	{"Versions", []member{
		{name: "discover-result", what: "of `server/discover`", before: table[4].before, last: body(1, `{"jsonrpc":"2.0","id":1«»}`), other: `"ok"`},
		{name: "supportedVersions", what: "of `server/discover`", before: table[4].before, last: body(1, completed+`«»}}`), other: `"2026-07-28"`},
		{name: "supported", what: "of error -32022 to `server/discover`", before: table[4].before, last: body(1, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"requested":"x"«»}}}`), other: `"2025-11-25"`},
		{name: "initialize-result", what: "of `initialize`", before: table[5].before, last: body(1, `{"jsonrpc":"2.0","id":1«»}`), other: `"ok"`},
		{name: "protocolVersion", what: "of `initialize`", before: table[5].before, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}«»}}`), other: "20251125"},
		{name: "capabilities", what: "of `server/discover`", before: table[4].before, last: body(1, completed+`,"supportedVersions":["2026-07-28"]«»}}`), other: "true"},
	}},
	{"Cursors", []member{
		{name: "nextCursor", what: "at a server of 2026-07-28", before: started("tools/list", "{}"), last: body(1, completed+`,"tools":[]«»}}`), other: "5"},
		{name: "true-nextCursor", what: "the same", before: started("tools/list", "{}"), last: body(1, completed+`,"tools":[]«»}}`), other: "true"},
		{name: "earlier-nextCursor", what: "at a server of 2025-11-25", before: startedEarlier("tools/list", "{}"), last: body(4, `{"jsonrpc":"2.0","id":4,"result":{"tools":[]«»}}`), other: "5"},
		{name: "prompts-nextCursor", what: "of `prompts/list`", before: started("prompts/list", "{}"), last: body(1, completed+`,"prompts":[]«»}}`), other: `"\ud800"`},
		{name: "resources-nextCursor", what: "of `resources/list`", before: started("resources/list", "{}"), last: body(1, completed+`,"resources":[]«»}}`), other: `"a\u0062"`},
		{name: "templates-nextCursor", what: "of `resources/templates/list`", before: started("resources/templates/list", "{}"), last: body(1, completed+`,"resourceTemplates":[]«»}}`), other: "-1.50"},
		{name: "other-nextCursor", what: "of what is no list", before: started("x/search", "{}"), last: body(1, completed+`«»}}`), other: `"c"`},
		{name: "own-nextCursor", what: "of the session's own `tools/list`, for header fields", before: append(slices.Clone(tool), body(1, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"mismatch"}}`)), last: body(2, `{"jsonrpc":"2.0","id":2,"result":{"tools":[]«»}}`), other: "5"},
	}},
	{"Rounds", []member{
		{name: "resultType", what: "of a result with `content`", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"content":[]«»}}`), other: "true"},
		{name: "earlier-resultType", what: "of one of an earlier era", before: startedEarlier("tools/call", `{"name":"t"}`), last: body(4, `{"jsonrpc":"2.0","id":4,"result":{"content":[]«»}}`), other: "true"},
		{name: "asking-resultType", what: "of one that asks", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"requestState":"s","inputRequests":{"q":{"method":"roots/list"}}«»}}`), other: "true"},
		{name: "requestState", what: "without questions", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"«»}}`), other: "5"},
		{name: "asked-requestState", what: "with questions", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}«»}}`), other: "5"},
		{name: "inputRequests", what: "beside a `requestState`", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"«»}}`), other: `[{"method":"roots/list"}]`},
		{name: "stateless-inputRequests", what: "without one", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"«»}}`), other: "true"},
		{name: "entry-method", what: "of a question", before: tool, last: body(1, asking+`{"params":{}«»}}}}`), other: "5"},
		{name: "roots-params", what: "of `roots/list`", before: tool, last: body(1, asking+`{"method":"roots/list"«»}}}}`), other: "[1]"},
		{name: "elicit-params", what: "of `elicitation/create`", before: tool, last: body(1, asking+`{"method":"elicitation/create"«»}}}}`), other: "[1]"},
		{name: "mode", what: "of a form", before: tool, last: body(1, asking+`{"method":"elicitation/create","params":{"message":"?",`+form+`«»}}}}}`), other: `"page"`},
		{name: "url-mode", what: "of a page", before: tool, last: body(1, asking+`{"method":"elicitation/create","params":{"message":"?","url":"https://example.com/"«»}}}}}`), other: `"page"`},
		{name: "message", what: "of a form", before: tool, last: body(1, asking+`{"method":"elicitation/create","params":{`+form+`«»}}}}}`), other: "5"},
		{name: "requestedSchema", what: "of a form", before: tool, last: body(1, asking+`{"method":"elicitation/create","params":{"message":"?"«»}}}}}`), other: "true"},
		{name: "field-title", what: "of a form's field", before: tool, last: body(1, asking+`{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"«»}}}}}}}}`), other: "5"},
		{name: "url", what: "of a page", before: tool, last: body(1, asking+`{"method":"elicitation/create","params":{"mode":"url","message":"?"«»}}}}}`), other: "5"},
	}},
	{"Tasks", []member{
		{name: "taskId", what: "of a call that becomes a task", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","status":"working"«»}}`), other: "5"},
		{name: "status", what: "of a call that becomes a task", before: tool, last: body(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t"«»}}`), other: `"queued"`},
		{name: "polled-taskId", what: "of a poll", before: task, last: poll(`"status":"working"«»`), other: `"u"`},
		{name: "polled-inputRequests", what: "of a poll with the status `input_required`", before: task, last: poll(`"taskId":"t","status":"input_required"«»`), other: `[{"method":"roots/list"}]`},
		{name: "polled-ttlMs", what: "of a poll", before: task, last: poll(`"taskId":"t","status":"working"«»`), other: "true"},
		{name: "polled-result", what: "of a poll with the status `completed`", before: task, last: poll(`"taskId":"t","status":"completed"«»`), other: `"Done."`},
		{name: "polled-error", what: "of a poll with the status `failed`", before: task, last: poll(`"taskId":"t","status":"failed"«»`), other: `"no"`},
		{name: "polled-content", what: "of its result", before: task, last: poll(`"taskId":"t","status":"completed","result":{"isError":false«»}`), other: `"Done."`},
	}},
	{"Contents", []member{
		{name: "content", what: "of `tools/call`, 2026-07-28", before: tool, last: body(1, completed+`«»}}`), other: `"Done."`},
		{name: "earlier-content", what: "of `tools/call`, 2025-11-25", before: startedEarlier("tools/call", `{"name":"t"}`), last: body(4, `{"jsonrpc":"2.0","id":4,"result":{"toolResult":"x"«»}}`), other: `"Done."`},
		{name: "structured-content", what: "beside `structuredContent`", before: tool, last: body(1, completed+`,"structuredContent":{"a":1}«»}}`), other: `"Done."`},
		{name: "structuredContent", what: "without `content`", before: tool, last: body(1, completed+`«»}}`), other: "5"},
		{name: "messages", what: "of `prompts/get`", before: started("prompts/get", `{"name":"p"}`), last: body(1, completed+`«»}}`), other: `"Do it."`},
		{name: "contents", what: "of `resources/read`", before: started("resources/read", `{"uri":"x:y"}`), last: body(1, completed+`«»}}`), other: `"x"`},
	}},
	{"Lists", []member{
		{name: "tools", what: "of `tools/list`", before: started("tools/list", "{}"), last: body(1, completed+`«»}}`), other: "5"},
		{name: "more-tools", what: "beside members that no list has", before: started("tools/list", "{}"), last: body(1, completed+`,"data":{"tools":[]}«»}}`), other: "5"},
		{name: "prompts", what: "of `prompts/list`", before: started("prompts/list", "{}"), last: body(1, completed+`«»}}`), other: "5"},
		{name: "resources", what: "of `resources/list`", before: started("resources/list", "{}"), last: body(1, completed+`«»}}`), other: "5"},
		{name: "resourceTemplates", what: "of `resources/templates/list`", before: started("resources/templates/list", "{}"), last: body(1, completed+`«»}}`), other: "5"},
	}},
}

// poll is a block that answers the first poll of a task.
func poll(members string) string {
	return strings.Replace(body(2, `{"jsonrpc":"2.0","id":2,"result":{`+members+`}}`), "10 {", "1020 {", 1)
}

func TestAbsent(t *testing.T) {
	const dir = "../testdata/sessions/"
	var page strings.Builder
	page.WriteString("# What absent, null, \"\", [] and {} mean\n\nWritten by `go test ./engine/session -run Absent -update`. Each cell is a script, `engine/testdata/sessions/absent-MEMBER-VALUE.txt`, where\n" +
		"`text` stands for `\"\"`. Why it is so is in [RATIONALE.md](../../RATIONALE.md#messages). What hosts make of the items of a list and of blocks of content is in\n" +
		"[hosts/testdata/lists](../../hosts/testdata/lists/README.md) and [hosts/testdata/results](../../hosts/testdata/results/README.md).\n")
	names := map[string]bool{}
	for _, section := range sections {
		fmt.Fprintf(&page, "\n## %s\n\n| member | absent | null | \"\" | [] | {} | another value |\n|---|---|---|---|---|---|---|\n", section.name)
		for _, m := range section.members {
			fmt.Fprintf(&page, "| `%s` %s (`%s`) |", m.spelled(), m.what, m.name)
			for _, v := range values {
				if v.name == "other" {
					v.json = m.other
				}
				name := "absent-" + m.name + "-" + v.name
				names[name] = true
				text := ""
				if v.json != "" {
					quoted, _ := json.Marshal(`"` + m.spelled() + `":` + v.json)
					text = "," + string(quoted[1:len(quoted)-1])
				}
				shown := v.json
				if shown == "" {
					shown = "absent"
				}
				header := fmt.Sprintf("# %s %s is %s.\n", m.spelled(), strings.ReplaceAll(m.what, "`", ""), shown)
				said := meaning(t, cell(t, dir+name+".txt", header, append(slices.Clone(m.before), strings.Replace(m.last, "«»", text, 1))))
				if v.name == "other" {
					said = "`" + m.other + "`: " + said
				}
				page.WriteString(" " + said + " |")
			}
			page.WriteString("\n")
		}
	}
	complete(t, "absent", names, "ABSENT.md", page.String())
}

// meaning is what an answer's actions do, in words.
func meaning(t *testing.T, answer string) string {
	var all struct {
		Actions []struct {
			Type, Text, Result, Detail, Lacks, Next, Kind, Mode, Method, Body, Status, Capabilities string
			Code                                                                                    int
			Until                                                                                   int64
		}
	}
	if err := json.Unmarshal([]byte(answer), &all); err != nil {
		t.Fatal(err)
	}
	var words []string
	say := func(format string, a ...any) { words = append(words, fmt.Sprintf(format, a...)) }
	for _, a := range all.Actions {
		switch a.Type {
		case "warning":
			say("*%s*", a.Text)
		case "ready":
			if a.Capabilities != "" {
				say("capabilities `%s`", a.Capabilities)
			}
		case "done":
			switch {
			case a.Lacks != "":
				say("the result, but %s", a.Lacks)
			case a.Next != "":
				say("goes on at `%s`", a.Next)
			default:
				say("the result")
			}
		case "failed":
			if a.Code == 9 || a.Code == 16 {
				a.Detail = map[int]string{9: "the server's error", 16: "in doubt"}[a.Code]
			}
			say("fails: %s", a.Detail)
		case "ask":
			say("asks")
		case "notification":
			say("a notification")
		case "task":
			say("a task")
		case "post":
			var sent struct {
				Method string
				Params struct{ Cursor json.RawMessage }
				Result json.RawMessage
				Error  struct{ Message string }
				ID     json.RawMessage
			}
			if err := json.Unmarshal([]byte(a.Body), &sent); err != nil {
				t.Fatal(err)
			}
			switch {
			case sent.Params.Cursor != nil:
				say("goes on at `%s`", sent.Params.Cursor)
			case sent.Method != "":
				say("then `%s`", sent.Method)
			case sent.Result != nil:
				say("answered as `%s`", sent.ID)
			default:
				say("answered: %s", sent.Error.Message)
			}
		case "wait":
			if words == nil && a.Until != 0 {
				say("waits, then goes on")
			}
		}
	}
	if words == nil {
		return "nothing"
	}
	return strings.ReplaceAll(strings.Join(words, "; "), "|", "\\|")
}
