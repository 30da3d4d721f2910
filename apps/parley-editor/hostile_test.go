package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

// TestBrokenFrames sends what is no message: the program says why and ends, as
// there is no telling where the next message begins.
func TestBrokenFrames(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		bytes string
		want  string
	}{
		"no length":      {"Content-Type: x\r\n\r\n{}", "no usable Content-Length"},
		"negative":       {"Content-Length: -1\r\n\r\n{}", "no usable Content-Length"},
		"no number":      {"Content-Length: ten\r\n\r\n{}", "no usable Content-Length"},
		"twice":          {"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", "no usable Content-Length"},
		"beyond numbers": {"Content-Length: 99999999999999999999\r\n\r\n{}", "no usable Content-Length"},
		"too long":       {"Content-Length: 16777217\r\n\r\n{}", "longer than 16777216 bytes"},
		"no colon":       {"GET / HTTP/1.1\r\n\r\n", "a header line without a colon"},
		"long header":    {"X: " + strings.Repeat("x", 5000) + "\r\n\r\n", "longer than 4096 bytes"},
		"many headers":   {strings.Repeat("X: x\r\n", 2000) + "\r\n", "longer than 4096 bytes"},
		"breaks off":     {"Content-Length: 20\r\n\r\n{}", "broke off"},
		"half a header":  {"Content-Len", "broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, "--engine=native")
			io.WriteString(e.in, tt.bytes)
			e.in.Close()
			if code := e.gone(); code != 1 || !strings.Contains(e.log.String(), tt.want) || strings.Contains(e.log.String(), "goroutine") {
				t.Errorf("got exit %d, %q, want 1, %q", code, e.log.String(), tt.want)
			}
		})
	}
}

// TestBadRequests sends messages that nobody should send: each is an error, and
// the program goes on.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	e := start(t, "--engine=native")
	if r := e.do("parked", "{}"); r.Error == nil || r.Error.Code != -32002 {
		t.Errorf("before initialize: got %+v", r)
	}
	if r := e.do("initialize", `{"protocol":2}`); r.Error == nil || !strings.Contains(r.Error.Message, "protocol 2 is not spoken here") {
		t.Errorf("initialize: got %+v", r)
	}
	e.must("initialize", `{"protocol":1}`)
	for _, message := range []string{
		"", "{", "null", "[]", `"x"`, "\xff\xfe", `{"jsonrpc":"1.0","id":1,"method":"parked"}`, `{"id":{},"method":"parked"}`, `{"jsonrpc":"2.0","id":77,"result":{}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{"a":1}}}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":[1]}`, `{"jsonrpc":"2.0","method":"nonsense"}`,
		strings.Repeat("[", 100_000), `{"jsonrpc":"2.0","method":"rpc.serverInfo"}`, `{"jsonrpc":"2.0","method":"call","params":{"server":{"command":["sleep","60"]},"tool":"x"}}`, `{"jsonrpc":"2.0","method":"initialize","params":7}`,
	} {
		e.send(message)
	}
	server := `"server":{"url":"http://127.0.0.1:9/mcp"}`
	for _, tt := range []struct {
		method, params string
		code           int
		says           string
	}{
		{"initialize", `{"protocol":1}`, -32600, "only once"},
		{"nonsense", `{}`, -32601, ""},
		{"rpc.serverInfo", `{}`, -32601, ""},
		{"call", `7`, -32602, ""},
		{"call", `{"server":7}`, -32602, ""},
		{"call", `{"server":{},"tool":"x"}`, -32602, "names no server"},
		{"call", `{"server":{"url":"file:///etc/passwd"},"tool":"x"}`, -32602, "no http or https URL"},
		{"call", `{"server":{"url":"http://x/","command":["y"]},"tool":"x"}`, -32602, "not both"},
		{"call", `{"server":{"command":["y"],"dir":"here"},"tool":"x"}`, -32602, "no absolute path"},
		{"call", `{` + server + `}`, -32602, "name one of them"},
		{"call", `{` + server + `,"tool":"x","prompt":"y"}`, -32602, "name one of them"},
		{"call", `{` + server + `,"tool":"x","arguments":"[]"}`, -32602, "no object"},
		{"call", `{` + server + `,"tool":"x","arguments":"{"}`, -32602, "not JSON"},
		{"call", `{` + server + `,"tool":"x","form":"f"}`, -32602, "no such form"},
		{"answer", `{"ask":"x","action":"accept"}`, -32602, "not open any more"},
		{"validate", `{"form":"x","field":-1}`, -32602, "no such form"},
		{"cancel", `{"call":"x"}`, -32602, "no call"},
		{"resume", `{"call":"../../etc/passwd"}`, -32602, "nothing is kept"},
	} {
		if r := e.do(tt.method, tt.params); r.Error == nil || r.Error.Code != tt.code || !strings.Contains(r.Error.Message, tt.says) {
			t.Errorf("%s %s: got %+v, want error %d, %q", tt.method, tt.params, r.Error, tt.code, tt.says)
		}
	}
	back := e.call("http://127.0.0.1:9/mcp", "x", "{}") // where nobody listens
	if o := e.end(back); o.Status != "failed" || !strings.Contains(o.Reason, "no answer from the desk: it was not carried out: the connection to the server was refused") {
		t.Errorf("no server: got %+v", o)
	}
}

// TestFlood asks for more calls at the same time than there may be.
func TestFlood(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	e := begin(t, "--engine=native")
	for range 64 {
		e.call(url, "get_weather", `{"location":"Oslo"}`)
	}
	var last ask
	for range 64 {
		last = e.ask("ask/elicit")
	}
	if r := get(e, "the refusal", e.call(url, "get_weather", `{"location":"Oslo"}`)); r.Error == nil || !strings.Contains(r.Error.Message, "64 calls are under way already") {
		t.Errorf("one more: got %+v", r)
	}
	e.answer(last, "stop", "") // answers still get through
}

// TestHostileServer shows what a server says, whose every string is hostile, and
// sends back what came.
func TestHostileServer(t *testing.T) {
	t.Parallel()
	e := begin(t, "--engine=native")
	url := editortest.HostileServer(t)
	back := e.call(url, "x", "{}")
	a := e.ask("ask/elicit")
	f := a.Fields[0]
	for what, got := range map[string]string{"message": a.Message, "title": f.Label, "about": f.Description, "one": strings.Split(a.Fields[1].Options[0], ` ("value1\u001b`)[0]} {
		if want := editortest.Seen(what); got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	if want := "default]0;pwned[31mred[2J5nexe.gpj%s"; f.Value == nil || f.Value.Text != want || !strings.Contains(f.Hint, "hidden characters") {
		t.Errorf("default: got %+v, hint %q, want %q", f.Value, f.Hint, want)
	}
	e.answer(a, "accept", `,"values":[null,{"chosen":[1]},null]`)
	if o := e.end(back); o.Text != editortest.Seen("result")+"\n" || !strings.Contains(o.Result, `\u0000`) {
		t.Errorf("outcome: got %+v", o)
	}
	if got := string(e.must("tools", fmt.Sprintf(`{"server":{"url":%q}}`, url))); got != `{"tools":[]}` {
		t.Errorf("tools: got %s", got)
	}
	e.notified("server/log", "a tool is left out")
}

// TestOtherLetters has names in letters that encoding/json would take for the
// schema's: what is shown is what they stand beside, and what goes to a model is
// shown with them.
func TestOtherLetters(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var request struct{ ID json.RawMessage }
		json.Unmarshal(body, &request)
		answer := `"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":9,
			"systemPrompt":"one","SystemPrompt":"","messages":[{"role":"user","content":{"type":"text","text":"two"}},
				{"role":"user","content":{"type":"text","text":"three","Text":""}},{"role":"user","content":[],"Content":4}]}}}}`
		if strings.Contains(string(body), `"inputResponses"`) {
			answer = `"error":{"code":-32000,"message":"right","Message":"wrong"}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, answer)
	}))
	t.Cleanup(s.Close)
	e := begin(t, "--engine=native")
	back := e.call(s.URL, "x", "{}")
	a := e.ask("ask/sample")
	const want = `[{system one} {user two} {user {"type":"text","text":"three","Text":""}} {user {"role":"user","content":[],"Content":4}} {SystemPrompt ""}]`
	if got := fmt.Sprint(a.Messages); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	e.answer(a, "accept", `,"model":"m","text":"y"`)
	if o := e.end(back); o.Reason != "the desk answered with error -32000: right" {
		t.Errorf("outcome: got %+v", o)
	}
}
