package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

// What an answer means depends on what was asked, on the HTTP status and on the
// body. Every cell of this table is a script of the corpus, answer-*.txt, which all
// hosts replay; ANSWERS.md shows what follows from each. TestCorpus holds the
// engine to the scripts, and TestAnswers the scripts to this table.

// asked is a request that is answered: the blocks of a script that lead to it.
type asked struct {
	name, what string
	before     []string
	exchange   int
	id         int // of the request, 0 if it is a notification
	statuses   []int
	more       []int // statuses that are tried without a body
}

const (
	toolCall    = `call {"method":"tools/call","params":"{\"name\":\"t\"}"}`
	initialized = `{"type":"message","exchange":1,"body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"`
)

var (
	all  = []int{200, 400, 403, 404, 413, 500, 501, 502}
	some = []int{200, 400, 404, 500, 502}
	more = []int{202, 307, 401, 405, 406, 408, 414, 415, 422, 429, 431, 503, 504}
)

var table = []asked{
	{"first", "The first `tools/call`, while the era is not known", []string{"session {}", toolCall, `0 {"type":"begin","call":1}`}, 1, 1, all, more},
	{"modern", "A `tools/call` at a server that is known to be of 2026-07-28", []string{
		"session {}", toolCall, `0 {"type":"begin","call":1}`,
		`1 {"type":"message","exchange":1,"body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[]}}","last":true}`,
		toolCall, `2 {"type":"begin","call":2}`,
	}, 2, 2, all, more},
	{"session", "A `tools/call` of an earlier era, in a session with an id", []string{
		`session {"known":"2025-11-25"}`, toolCall, `0 {"type":"begin","call":1}`, "1 " + initialized + `,"sessionId":"s","last":true}`, `2 {"type":"ended","exchange":2,"status":202}`,
	}, 4, 4, all, more},
	{"sessionless", "A `tools/call` of an earlier era, in a session without an id", []string{
		`session {"known":"2025-11-25"}`, toolCall, `0 {"type":"begin","call":1}`, "1 " + initialized + `,"last":true}`, `2 {"type":"ended","exchange":2,"status":202}`,
	}, 4, 4, some, nil},
	{"discover", "`server/discover`", []string{`session {"discover":true}`, toolCall, `0 {"type":"begin","call":1}`}, 1, 1, all, more},
	{"initialize", "`initialize`", []string{`session {"known":"2025-11-25"}`, toolCall, `0 {"type":"begin","call":1}`}, 1, 1, some, nil},
	{"initialized", "`notifications/initialized`", []string{
		`session {"known":"2025-11-25"}`, toolCall, `0 {"type":"begin","call":1}`, "1 " + initialized + `,"sessionId":"s","last":true}`,
	}, 2, 0, some, nil},
}

// bodies are what may come with a status.
var bodies = []struct{ name, what string }{
	{"empty", "no body"}, {"page", "a page"}, {"no-id", "an error without id"}, {"null-id", "an error with id null"}, {"other-id", "an error with another id"}, {"own-id", "an error with its id"},
}

func (a asked) answer(status int, body string) string {
	rpc := func(id string) string {
		return strings.ReplaceAll(`{"jsonrpc":"2.0",`+id+`"error":{"code":-32000,"message":"no"}}`, `"`, `\"`)
	}
	switch body {
	case "empty":
		return fmt.Sprintf(`{"type":"ended","exchange":%d,"status":%d}`, a.exchange, status)
	case "page":
		body = "<title>No</title>"
	case "no-id":
		body = rpc("")
	case "null-id":
		body = rpc(`"id":null,`)
	case "other-id":
		body = rpc(`"id":"server-error",`)
	case "own-id":
		body = rpc(fmt.Sprintf(`"id":%d,`, a.id))
	}
	return fmt.Sprintf(`{"type":"message","exchange":%d,"body":"%s","status":%d,"last":true}`, a.exchange, body, status)
}

func TestAnswers(t *testing.T) {
	const dir = "../testdata/sessions/"
	var page strings.Builder
	page.WriteString("# What an answer means\n\nWritten by `go test ./engine/session -run Answers -update`. Each cell is a script, `engine/testdata/sessions/answer-REQUEST-STATUS-BODY.txt`.\n" +
		"Why it is so is in [RATIONALE.md](../../RATIONALE.md#sessions); the statuses are grouped in `refusal.go`.\n")
	names := map[string]bool{}
	for _, a := range table {
		fmt.Fprintf(&page, "\n## %s\n\n| status | ", a.what)
		bodies := bodies
		if a.id == 0 {
			bodies = bodies[:len(bodies)-1]
		}
		for _, b := range bodies {
			page.WriteString(b.what + " | ")
		}
		page.WriteString("\n" + strings.Repeat("|---", len(bodies)+1) + "|\n")
		statuses := slices.Sorted(slices.Values(slices.Concat(a.statuses, a.more)))
		for _, status := range statuses {
			fmt.Fprintf(&page, "| %d | ", status)
			for _, b := range bodies {
				if b.name != "empty" && !slices.Contains(a.statuses, status) {
					page.WriteString("| ")
					continue
				}
				name := fmt.Sprintf("answer-%s-%d-%s", a.name, status, b.name)
				names[name] = true
				said := outcome(cell(t, dir+name+".txt", fmt.Sprintf("# %s is answered by %d with %s.\n", strings.ReplaceAll(a.what, "`", ""), status, b.what), append(slices.Clone(a.before), "10 "+a.answer(status, b.name))))
				page.WriteString(said + " | ")
			}
			page.WriteString("\n")
		}
	}
	complete(t, "answer", names, "ANSWERS.md", page.String())
}

// complete holds the scripts with a prefix to the cells of a table, and the page that
// shows it to what they say.
func complete(t *testing.T, prefix string, cells map[string]bool, file, page string) {
	t.Helper()
	paths, err := filepath.Glob("../testdata/sessions/" + prefix + "-*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if !cells[strings.TrimSuffix(filepath.Base(path), ".txt")] {
			t.Errorf("%s is no cell of the table", path)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != page {
		t.Errorf("%s is not what the scripts say (%v): go test ./engine/session -run %s -update", file, err, t.Name())
	}
}

// cell plays one script, and returns the answer to its last block.
func cell(t *testing.T, path, header string, calls []string) string {
	t.Helper()
	script := &enginetest.Script{Header: header}
	for _, call := range calls {
		script.Blocks = append(script.Blocks, enginetest.Block{Call: call})
	}
	enginetest.PlaySession(t, script, enginetest.Native{})
	if *update {
		if err := script.Write(path); err != nil {
			t.Fatal(err)
		}
	}
	on, err := enginetest.ReadScript(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(on.Blocks) != len(calls) || on.Header != header {
		t.Errorf("%s is not what the table has: go test ./engine/session -run Answers -update", path)
	}
	for i, b := range on.Blocks {
		if i < len(calls) && (b.Call != calls[i] || b.Answer != script.Blocks[i].Answer) {
			t.Errorf("%s, block %d: got %s, want %s", path, i, script.Blocks[i].Answer, b.Answer)
		}
	}
	return script.Blocks[len(calls)-1].Answer
}

// outcome is what an answer's actions do, in a word.
func outcome(actions string) string {
	has := func(parts ...string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(actions, part) })
	}
	switch {
	case has(`"type":"failed"`, `"code":16`):
		return "in doubt"
	case has(`"type":"failed"`, `"code":25`):
		return "wants a sign-in"
	case has(`"type":"failed"`, `"code":9`):
		return "the server's error"
	case has(`"type":"failed"`, `"code":11`, "it was not carried out"):
		return "not carried out"
	case has(`\"method\":\"initialize\"`):
		return "initialize"
	case has(`\"method\":\"server/discover\"`):
		return "server/discover"
	case has(`\"method\":\"tools/call\"`):
		return "the call goes out"
	}
	return actions
}
