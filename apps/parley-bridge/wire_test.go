package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

const call = `{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"t","arguments":{"n":1.0,"s":"\ud800"},"_meta":{"trace":"x"}}}`

// TestExact has odd JSON pass in both directions.
func TestExact(t *testing.T) {
	const result = `{ "resultType":"complete","structuredContent":{"n":1.0,"big":12345678901234567890,"s":"\ud800","é":1e400}, "content":[] }`
	var got string
	url := listen(t, scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		if m.Method == "tools/call" {
			got = string(message.Get(m.Params, "arguments")) + string(message.Get(m.Params, "_meta", "trace"))
		}
		return result
	}))
	c := begin(t, url, "{}")
	next := events(c.do("POST", call))
	if got, want := next().data, `{"jsonrpc":"2.0","id":"c","result":`+result+`}`; got != want {
		t.Errorf("result: got %s, want %s", got, want)
	}
	if want := `{"n":1.0,"s":"\ud800"}"x"`; got != want {
		t.Errorf("arguments: got %s, want %s", got, want)
	}
	c.headers = map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}
	_, text := c.text("POST", strings.Replace(call, `"trace":"x"`,
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`, 1))
	if want := `{"jsonrpc":"2.0","id":"c","result":` + result + `}`; text != want {
		t.Errorf("modern result: got %s, want %s", text, want)
	}
}

// TestExactQuestion has numbers that a float64 rounds pass in a question and in
// its answer.
func TestExactQuestion(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993,"minimum":-9223372036854775808,"maximum":18446744073709551615}}}`
	var got string
	c := begin(t, listen(t, scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		switch answers := message.Get(m.Params, "inputResponses"); {
		case m.Method != "tools/call":
			return `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`
		case answers == nil:
			return `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"How many?","requestedSchema":` + schema + `}}}}`
		default:
			got = string(message.Get(answers, "q", "content", "n"))
			return `{"resultType":"complete","content":[]}`
		}
	})), `{"elicitation":{}}`)
	next := events(c.do("POST", call))
	asked := next().data
	if want := `"requestedSchema":` + schema; !strings.Contains(asked, want) {
		t.Errorf("asked: got %s, want %s", asked, want)
	}
	c.text("POST", `{"jsonrpc":"2.0","id":`+string(message.Get([]byte(asked), "id"))+`,"result":{"action":"accept","content":{"n":18446744073709551614}}}`)
	if done := next().data; !strings.Contains(done, `"content":[]`) {
		t.Errorf("done: got %s", done)
	}
	if want := "18446744073709551614"; got != want {
		t.Errorf("answer: got %s, want %s", got, want)
	}
}

// TestClientIDs has clients whose ids are spelled in every way that JSON allows.
func TestClientIDs(t *testing.T) {
	url := listen(t, scripted(t, func(message.Message, http.ResponseWriter, *http.Request) string { return `{"content":[]}` }))
	c := begin(t, url, "{}")
	for _, id := range []string{"1.0", "1e2", "-0", "12345678901234567890", `"\u0061"`, `""`} {
		res := events(c.do("POST", strings.Replace(call, `"c"`, id, 1)))().data
		if got := string(message.Get([]byte(res), "id")); got != id {
			t.Errorf("id: got %s, want %s", got, id)
		}
		if _, pong := c.text("POST", `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`); !strings.Contains(pong, `"id":`+id+`,`) {
			t.Errorf("ping: got %s, want the id %s", pong, id)
		}
	}
}

// TestLacking has results that lack what they must bring pass as they came, and
// messages of clients that write null for what is absent.
func TestLacking(t *testing.T) {
	for _, result := range []string{`{"resultType":"complete","items":[1.0]}`, `"Done."`, `null`, `[ 1.0 ]`} {
		url := listen(t, scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string { return result }))
		c := begin(t, url, "{}")
		want := `{"jsonrpc":"2.0","id":"c","result":` + result + `}`
		if got := events(c.do("POST", call))().data; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if status, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null,"result":null,"error":null}`); status != http.StatusOK {
			t.Errorf("nulls of a client: got %d %s, want 200", status, text)
		}
		c.headers = map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}
		if _, got := c.text("POST", strings.Replace(call, `"trace":"x"`,
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`, 1)); got != want {
			t.Errorf("modern: got %s, want %s", got, want)
		}
	}
}

// asksOnce is a server whose tool asks one question, and tells what became of it.
func asksOnce(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
	switch answers := message.Get(m.Params, "inputResponses"); {
	case m.Method != "tools/call":
		return `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`
	case answers == nil:
		return `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}`
	default:
		return `{"resultType":"complete","content":[],"was":` + string(message.Get(answers, "q", "action")) + `}`
	}
}

// TestTakenUp breaks the connection while a question is open.
func TestTakenUp(t *testing.T) {
	url := listen(t, scripted(t, asksOnce))
	c := begin(t, url, `{"elicitation":{}}`)
	first := c.do("POST", call)
	question := events(first)()
	if message.Text([]byte(question.data), "method") != "elicitation/create" {
		t.Fatalf("got %s, want a question", question.data)
	}
	first.Body.Close()
	id := string(message.Get([]byte(question.data), "id"))
	if status, _ := c.text("POST", `{"jsonrpc":"2.0","id":`+id+`,"result":{"action":"decline"}}`); status != http.StatusAccepted {
		t.Errorf("the answer: got %d, want 202", status)
	}
	rest := events(c.do("GET", "", "Last-Event-ID: "+question.id))
	if got, want := rest().data, `{"jsonrpc":"2.0","id":"c","result":{"resultType":"complete","content":[],"was":"decline"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := rest().data; got != ended {
		t.Errorf("after the result: got %s, want the end", got)
	}
	// Whether the client has read what was written to a connection is not known.
	again := events(c.do("GET", "", "Last-Event-ID: "+question.id))
	if got := message.Text([]byte(again().data), "id"); got != "c" {
		t.Errorf("taken up again: got the id %q, want that of the call", got)
	}
}

// TestRefused has requests over HTTP that are none of this bridge's.
func TestRefused(t *testing.T) {
	url := listen(t, "--origin", "https://app.example", scripted(t, func(message.Message, http.ResponseWriter, *http.Request) string {
		return `{"resultType":"complete"}`
	}))
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	const modern = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"VERSION","io.modelcontextprotocol/clientCapabilities":{}}}}`
	at := func(version string) string { return strings.Replace(modern, "VERSION", version, 1) }
	c := begin(t, url, "{}")
	session := "Mcp-Session-Id: " + c.headers["Mcp-Session-Id"]
	c.headers = nil
	tests := map[string]struct {
		method, body string
		headers      []string
		status       int
		want         string
	}{
		"ping":                      {"POST", ping, []string{session}, 200, `"result":{}`},
		"batch":                     {"POST", "[" + ping + "," + strings.Replace(ping, "1,", "2,", 1) + "]", []string{session}, 200, `"id":2,"result":{}`},
		"what a shell puts around":  {"POST", "\ufeff" + ping + "\x00\r\n", []string{session}, 200, `"result":{}`},
		"nothing":                   {"POST", " \n", []string{session}, 400, "there is no message"},
		"UTF-16":                    {"POST", "\xff\xfe{\x00", []string{session}, 400, "UTF-16 byte order mark"},
		"an origin that may":        {"POST", ping, []string{session, "Origin: https://app.example"}, 200, `"result":{}`},
		"another origin":            {"POST", ping, []string{session, "Origin: https://evil.example"}, 403, "--origin"},
		"a stream, another origin":  {"GET", "", []string{session, "Origin: https://evil.example"}, 403, "--origin"},
		"a name that leads here":    {"POST", ping, []string{session, "Host: evil.example"}, 403, "Host"},
		"no session":                {"POST", ping, nil, 400, "send initialize first"},
		"a session that ended":      {"POST", ping, []string{"Mcp-Session-Id: gone"}, 404, "no such session"},
		"a version without session": {"POST", ping, []string{session, "MCP-Protocol-Version: 2026-07-28"}, 400, "without sessions"},
		"no JSON":                   {"POST", "{", []string{session}, 400, `-32700`},
		"no JSON-RPC":               {"POST", `{"id":1}`, []string{session}, 400, `-32700`},
		"another method":            {"PUT", ping, []string{session}, 405, "GET, POST and DELETE"},
		"other header":              {"POST", at("2026-07-28"), []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: ping"}, 400, "-32020"},
		"modern":                    {"POST", at("2026-07-28"), []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}, 200, `"ttlMs":0`},
		"a later version":           {"POST", at("2027-01-01"), []string{"MCP-Protocol-Version: 2027-01-01", "Mcp-Method: tools/list"}, 400, `"supported":["2026-07-28","2025-11-25"`},
		"no capabilities":           {"POST", strings.Replace(at("2026-07-28"), "clientCapabilities", "x", 1), []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}, 400, "clientCapabilities"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := &client{t: t, url: url}
			status, text := c.text(tt.method, tt.body, tt.headers...)
			if status != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("got %d %s, want %d %s", status, text, tt.status, tt.want)
			}
		})
	}
	if status, _ := c.text("DELETE", "", session); status != http.StatusNoContent {
		t.Errorf("ending the session: got %d, want 204", status)
	}
	if status, _ := c.text("POST", ping, session); status != http.StatusNotFound {
		t.Errorf("after its end: got %d, want 404", status)
	}
}

// TestDeclared has the server told what this client declares, but for what is
// not passed on, and of tasks, which are the bridge's.
func TestDeclared(t *testing.T) {
	told := make(chan string, 1)
	url := listen(t, scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		told <- string(message.Get(m.Params, "_meta", "io.modelcontextprotocol/clientCapabilities"))
		return `{"resultType":"complete","content":[]}`
	}))
	c := &client{t: t, url: url, headers: map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}}
	call := func(capabilities string) string {
		_, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",
			"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":`+capabilities+`}}}`)
		return text
	}
	tests := map[string]string{
		`{}`: `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
		`{"sampling":{"context":{"v":1.0}},"elicitation":{},"roots":{"listChanged":true},"tasks":{},"experimental":{"x":{}}}`: `{"roots":{},"sampling":{"context":{"v":1.0}},` +
			`"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
		`{"elicitation":{"url":{}},"extensions":{"com.example/x":{"v":1.0}}}`: `{"elicitation":{"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{},"com.example/x":{"v":1.0}}}`,
	}
	for capabilities, want := range tests {
		if text := call(capabilities); !strings.Contains(text, `"content":[]`) {
			t.Errorf("%s: got %s", capabilities, text)
		} else if got := <-told; got != want {
			t.Errorf("%s: the server is told %s, want %s", capabilities, got, want)
		}
	}
	if text := call(`{"sampling":7}`); !strings.Contains(text, "sampling is not an object") {
		t.Errorf("got %s, want it refused", text)
	}
}

// TestUsers has two people, who have nothing of each other's.
func TestUsers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(file, []byte("# who may\nada aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := listen(t, "--users", file, scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		if message.Get(m.Params, "inputResponses") != nil {
			return `{"resultType":"complete","content":[]}`
		}
		return `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"roots/list"}}}`
	}))
	const ada, bob = "Authorization: Bearer aaaaaaaaaaaaaaaaaaaa", "Authorization: Bearer bbbbbbbbbbbbbbbbbbbb"
	c := &client{t: t, url: url, headers: map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}}
	ask := func(more string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",` + more +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}`
	}
	if status, _ := c.text("POST", ask("")); status != http.StatusUnauthorized {
		t.Errorf("nobody: got %d, want 401", status)
	}
	_, text := c.text("POST", ask(""), ada)
	state := string(message.Get([]byte(text), "result", "requestState"))
	if state == "" {
		t.Fatalf("got %s, want a question", text)
	}
	retry := ask(`"requestState":` + state + `,"inputResponses":{"q1":{"roots":[]}},`)
	if _, text := c.text("POST", retry, bob); !strings.Contains(text, "invalid_request_state") {
		t.Errorf("another's state: got %s, want it refused", text)
	}
	if _, text := c.text("POST", retry, ada); !strings.Contains(text, `"content":[]`) {
		t.Errorf("her own: got %s, want the result", text)
	}

	const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	c.headers = nil
	session := "Mcp-Session-Id: " + c.do("POST", initialize, ada).Header.Get("Mcp-Session-Id")
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	if status, _ := c.text("POST", ping, session, bob); status != http.StatusNotFound {
		t.Errorf("another's session: got %d, want 404", status)
	}
	if status, _ := c.text("POST", ping, session, ada); status != http.StatusOK {
		t.Errorf("her own session: got %d, want 200", status)
	}
}
