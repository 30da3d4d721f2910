package extism_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// step is a callback that must be called, with the members that it must get, and
// what it comes back with; now counts up by itself.
type step struct{ callback, want, answer string }

// inOrder calls an export, whose callbacks must be called in this order.
func inOrder(t *testing.T, h host, export string, request []byte, steps ...step) []byte {
	t.Helper()
	at := 0
	outcome := h.call(t, export, request, func(callback string, text []byte) []byte {
		if at == len(steps) {
			t.Fatalf("%s is called once more: %s", callback, text)
		}
		s := steps[at]
		if at++; callback != s.callback {
			t.Fatalf("step %d: it calls %s with %s, want %s", at, callback, text, s.callback)
		}
		got := members(t, text)
		for name, value := range members(t, []byte(s.want)) {
			has, must := fmt.Sprint(got[name]), fmt.Sprint(value)
			if part, ok := strings.CutPrefix(must, "…"); ok && strings.Contains(has, part) || has == must {
				continue
			}
			t.Errorf("step %d: %s is %s, want %s in %s", at, name, has, must, text)
		}
		if strings.Contains(s.answer, `"now"`) {
			return []byte(s.answer)
		}
		return []byte(with(s.answer, fmt.Sprintf(`"now":%d`, 1000+at)))
	})
	if at < len(steps) {
		t.Errorf("%d callbacks were not called, the first %s %s; the outcome is %s", len(steps)-at, steps[at].callback, steps[at].want, outcome)
	}
	return outcome
}

const posted = `{"type":"tick"}`

// says is a message of the server over stdio.
func says(body string) string { return `{"type":"message","body":` + quoted(body) + `}` }

func quoted(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func response(id int, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)
}

const (
	initialized = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	asksUnit    = `{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{"message":"Which?","requestedSchema":{"type":"object","properties":{}}}}`
	emptyResult = `{"content":[]}`
)

// beginning is a handshake over stdio, up to the tools/call.
var beginning = []step{
	{"post", `{"type":"post","body":"…\"initialize\""}`, posted},
	{"receive", `{}`, says(response(1, initialized))},
	{"post", `{"body":"…notifications/initialized"}`, posted},
	{"post", `{"call":1,"body":"…tools/call"}`, posted},
}

var earlierStdio = []any{"transport", "stdio", "versions", []string{"2025-11-25"}, "can", map[string]bool{"form": true}}

// after is what follows the handshake.
func after(steps ...step) []step { return append(append([]step(nil), beginning...), steps...) }

func aCall(options ...any) []byte {
	return object("now", 1000, "method", "tools/call", "params", `{"name":"t"}`, "options", json.RawMessage(object(options...)))
}

// A session is begun once, kept from call to call and ended.
func TestSessionExports(t *testing.T) {
	const none = `{"error":{"code":2,"detail":"there is no session in this instance: begin with the export session"}}`
	each(t, nil, func(t *testing.T, h host) {
		for _, tt := range []struct{ export, request, want string }{
			{"call", string(aCall()), none},
			{"resume", `{"now":1,"snapshot":"{}"}`, none},
			{"close", `{"now":1}`, none},
			{"session", ``, `{"error":{"code":1,"detail":"session: expected an object at byte 0"}}`},
			{"session", `{"now":1}`, `{"error":{"code":1,"detail":"session: member \"now\" is not known here"}}`},
			{"session", `{"transport":"smoke"}`, `{"error":{"code":1,"detail":"Transport is none of \"http\", \"stdio\" and \"requests\""}}`},
			{"call", string(aCall()), none},
			{"session", `{}`, `{}`},
			{"session", `{}`, `{"error":{"code":2,"detail":"there is a session in this instance: close it, or make another instance"}}`},
			{"close", `{"now":1}`, `{}`},
			{"close", `{"now":1}`, none},
			{"session", `{"transport":"stdio"}`, `{}`},
			{"close", `{"now":1}`, `{}`},
		} {
			if got := string(h.call(t, tt.export, []byte(tt.request), nil)); got != tt.want {
				t.Errorf("%s %s: got %s, want %s", tt.export, tt.request, got, tt.want)
			}
		}
	})
}

// Two calls of one session over stdio: the server is greeted once, and asks in
// the middle of the first.
func TestKeptSession(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, earlierStdio...)
		outcome := inOrder(t, h, "call", aCall(), after(
			step{"receive", `{"until":61000}`, says(asksUnit)},
			step{"elicit", `{"type":"ask","kind":"elicitation/create","mode":"form"}`, `{"type":"answer","raw":"{\"action\":\"accept\",\"content\":{}}"}`},
			step{"post", `{"type":"post","body":"…\"id\":\"e1\",\"result\":{\"action\":\"accept\""}`, posted},
			step{"receive", `{}`, says(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)},
			step{"post", `{"body":"…\"id\":9,\"result\":{}"}`, posted},
			step{"receive", `{}`, says(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)},
			step{"receive", `{"news":"…notifications/message"}`, says(response(3, emptyResult))},
		)...)
		compare(t, outcome, `{"type":"done","result":"{\"content\":[]}"}`)
		outcome = inOrder(t, h, "call", aCall(),
			step{"post", `{"call":2,"body":"…tools/call"}`, posted},
			step{"receive", `{}`, `{"type":"tick"}`}, // it came too early: nothing has happened
			step{"receive", `{}`, says(response(6, emptyResult))},
		)
		compare(t, outcome, `{"type":"done"}`)
	})
}

// A host that does not wait for a person forever hears what the server says
// before it asks again: here that the question is void.
func TestHearingBetween(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, earlierStdio...)
		outcome := inOrder(t, h, "call", aCall(), after(
			step{"receive", `{}`, says(asksUnit)},
			step{"elicit", `{"type":"ask"}`, `{"type":"tick","now":2000}`},
			step{"receive", `{"until":2000}`, `{"type":"tick","now":2000}`},
			step{"elicit", `{"type":"ask"}`, `{"type":"tick","now":3000}`},
			step{"receive", `{"until":3000}`, says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"e1"}}`)},
			step{"receive", `{}`, says(response(3, emptyResult))},
		)...)
		compare(t, outcome, `{"type":"done"}`)
	})
}

// A server that asks waits for the answer: its call cannot be parked, and who is
// asked is told so.
func TestParkOfAnEarlierEra(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, earlierStdio...)
		outcome := inOrder(t, h, "call", aCall(), after(
			step{"receive", `{}`, says(asksUnit)},
			step{"elicit", `{"type":"ask"}`, `{"type":"park"}`},
			step{"elicit", `{"problem":"…cannot be parked now"}`, `{"type":"answer","raw":"{\"action\":\"decline\"}"}`},
			step{"post", `{"body":"…\"action\":\"decline\""}`, posted},
			step{"receive", `{}`, says(response(3, emptyResult))},
		)...)
		compare(t, outcome, `{"type":"done"}`)
	})
}

// Who goes on parking is taken at their word: the question is refused, and the
// server told so.
func TestParkingWithoutEnd(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, earlierStdio...)
		steps := after(step{"receive", `{}`, says(asksUnit)})
		for range 20 {
			steps = append(steps, step{"elicit", `{"type":"ask"}`, `{"type":"park"}`})
		}
		steps = append(steps,
			step{"post", `{"body":"…\"id\":\"e1\",\"error\""}`, posted},
			step{"receive", `{}`, says(response(3, emptyResult))},
		)
		compare(t, inOrder(t, h, "call", aCall(), steps...), `{"type":"done"}`)
	})
}

// What can go wrong in a session over stdio, and whether the tool may have run.
func TestStdioFails(t *testing.T) {
	tests := map[string]struct {
		steps []step
		want  string
	}{
		"down before it began": {[]step{beginning[0], {"receive", `{}`, `{"type":"down","reason":"killed"}`}}, `{"type":"failed","code":11,"detail":"…killed"}`},
		"down midway":          {after(step{"receive", `{}`, `{"type":"down","reason":"killed"}`}), `{"type":"failed","code":16,"resumable":true,"detail":"…killed"}`},
		"garbage":              {after(step{"receive", `{}`, `{"type":"message"}`}), `{"type":"failed","code":16,"detail":"…receive: answer: member \"body\" is missing"}`},
		"garbage of a post":    {append(append([]step(nil), beginning[:3]...), step{"post", `{"call":1}`, `{"type":"posted"}`}), `{"type":"failed","code":16,"detail":"…post: event: the type is not known"}`},
		"not posted":           {append(append([]step(nil), beginning[:3]...), step{"post", `{"call":1,"exchange":3}`, `{"type":"ended","exchange":3,"unsent":true,"reason":"pipe"}`}), `{"type":"failed","code":11}`},
		"canceled": {after(
			step{"receive", `{}`, `{"type":"cancel"}`},
			step{"post", `{"body":"…notifications/cancelled"}`, posted},
		), `{"type":"failed","code":14,"resumable":true}`},
		"canceled early": {[]step{beginning[0], {"receive", `{}`, `{"type":"cancel"}`}}, `{"type":"failed","code":14,"resumable":true}`},
		"no answer": {after(
			step{"receive", `{"until":61000}`, `{"type":"tick","now":61000}`},
			step{"post", `{"body":"…notifications/cancelled"}`, posted},
		), `{"type":"failed","code":12}`},
	}
	each(t, nil, func(t *testing.T, h host) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				begin(t, h, earlierStdio...)
				outcome := inOrder(t, h, "call", aCall(), tt.steps...)
				compare(t, outcome, tt.want)
			})
		}
	})
}

// Over HTTP the end of a stream is told, the server's own is opened again in its
// time, and what a call has left open is given up by the next.
func TestExchanges(t *testing.T) {
	about := func(kind string, exchange int, more string) string {
		return fmt.Sprintf(`{"type":%q,"exchange":%d%s}`, kind, exchange, more)
	}
	body := func(text string) string { return `,"body":` + quoted(text) }
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, "versions", []string{"2025-11-25"}, "can", map[string]bool{"form": true})
		outcome := inOrder(t, h, "call", aCall(),
			step{"post", `{"type":"post","exchange":1,"body":"…\"initialize\""}`, posted},
			step{"receive", `{}`, about("message", 1, `,"last":true,"sessionId":"s-1"`+body(response(1, initialized)))},
			step{"post", `{"exchange":2,"body":"…notifications/initialized","headers":"…Mcp-Session-Id s-1"}`, posted},
			step{"receive", `{}`, about("ended", 2, `,"status":202`)},
			step{"post", `{"type":"listen","exchange":3,"headers":"…text/event-stream"}`, posted},
			step{"post", `{"exchange":4,"call":1,"body":"…tools/call"}`, posted},
			step{"receive", `{}`, about("ended", 3, `,"status":200,"now":5000`)},
			step{"receive", `{"until":6000}`, `{"type":"tick","now":6000}`},
			step{"post", `{"type":"listen","exchange":5,"at":null}`, posted},
			step{"receive", `{}`, about("message", 4, body(asksUnit))},
			step{"elicit", `{"type":"ask"}`, `{"type":"answer","raw":"{\"action\":\"accept\",\"content\":{}}"}`},
			step{"post", `{"exchange":6,"body":"…\"id\":\"e1\""}`, posted},
			step{"receive", `{}`, about("ended", 6, `,"status":202`)},
			step{"receive", `{}`, about("message", 4, body(response(4, emptyResult)))}, // its stream stays open
		)
		compare(t, outcome, `{"type":"done"}`)
		outcome = inOrder(t, h, "call", aCall(),
			step{"post", `{"type":"abort","exchange":4}`, posted},
			step{"post", `{"exchange":7,"call":2}`, posted},
			step{"receive", `{}`, about("ended", 4, `,"reason":"aborted"`)}, // of no interest any more
			step{"receive", `{}`, `garbage`},
		)
		compare(t, outcome, `{"type":"failed","code":16,"detail":"…receive: answer: expected an object at byte 0"}`)
		outcome = inOrder(t, h, "close", object("now", 9000),
			step{"post", `{"type":"delete","exchange":9,"headers":"…Mcp-Session-Id s-1"}`, posted},
			step{"receive", `{"until":14000}`, about("ended", 9, `,"status":200`)},
		)
		if string(outcome) != "{}" {
			t.Errorf("close: got %s", outcome)
		}
		h.call(t, "session", []byte(`{}`), nil) // which the end of the test closes
	})
}

// A server of an earlier era that asks for roots on its own stream gets them
// before the call goes out, and a call that waits for that can be parked.
func TestRootsBeforeTheCall(t *testing.T) {
	asked := `{"type":"message","exchange":3,"body":"{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}"`
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, "versions", []string{"2025-11-25"}, "can", map[string]bool{"roots": true})
		start := []step{
			{"post", `{"exchange":1,"body":"…\"initialize\""}`, posted},
			{"receive", `{}`, `{"type":"message","exchange":1,"last":true,"body":` + quoted(response(1, initialized)) + `}`},
			{"post", `{"exchange":2,"body":"…notifications/initialized"}`, posted},
			{"receive", `{}`, `{"type":"ended","exchange":2,"status":202,"now":2000}`},
			{"post", `{"type":"listen","exchange":3,"until":2500}`, `{"type":"opened","exchange":3,"now":2100}`},
			{"receive", `{"until":2350}`, asked + `,"now":2200}`},
		}
		outcome := inOrder(t, h, "call", aCall(), append(start, step{"list_roots", `{"type":"ask"}`, `{"type":"park","now":2300}`})...)
		compare(t, outcome, `{"type":"parked"}`)
		outcome = inOrder(t, h, "call", aCall(),
			step{"list_roots", `{"type":"ask"}`, `{"type":"answer","raw":"{\"roots\":[{\"uri\":\"file:///work\"}]}","now":3000}`},
			step{"post", `{"exchange":4,"body":"…file:///work","until":3250}`, `{"type":"tick","now":3001}`},
			step{"receive", `{"until":3250}`, `{"type":"ended","exchange":4,"status":202,"now":3010}`},
			step{"receive", `{"until":3250}`, `{"type":"tick","now":3250}`},
			step{"post", `{"exchange":5,"call":2,"body":"…tools/call"}`, `{"type":"tick","now":3251}`},
			step{"receive", `{}`, `{"type":"message","exchange":5,"last":true,"now":3260,"body":` + quoted(response(5, emptyResult)) + `}`},
		)
		compare(t, outcome, `{"type":"done"}`)
	})
}

// A server that wants somebody signed in is one more question for elicit, whose
// answer sends the same again.
func TestAuthorize(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, "can", map[string]bool{"form": true, "authorize": true})
		result := `{"type":"message","exchange":2,"last":true,"body":"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[]}}"}`
		outcome := inOrder(t, h, "call", aCall(),
			step{"post", `{"exchange":1,"call":1}`, posted},
			step{"receive", `{}`, `{"type":"ended","exchange":1,"status":401,"challenge":"Bearer scope=\"read\""}`},
			step{"elicit", `{"type":"ask","ask":-1,"kind":"authorize","params":"…\"scope\":\"read\""}`, `{"type":"answer","raw":"{}"}`},
			step{"post", `{"exchange":2,"call":1}`, posted},
			step{"receive", `{}`, result},
		)
		compare(t, outcome, `{"type":"done"}`)
	})
}

// What a session of the plug-in cannot have.
func TestNoCache(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		if got, want := string(h.call(t, "session", []byte(`{"cache":true}`), nil)), `{"error":{"code":1,"detail":"session: cache: no callback keeps results"}}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// At 2026-07-28 a request says in header fields what it is, and its response may
// bring more than the result.
func TestModern(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, "versions", []string{"2026-07-28"}, "can", map[string]bool{"form": true}, "logLevel", "info")
		about := func(text string) string {
			quoted, _ := json.Marshal(text)
			return fmt.Sprintf(`{"type":"message","exchange":1,"body":%s}`, quoted)
		}
		outcome := inOrder(t, h, "call", aCall(),
			step{"post", `{"exchange":1,"call":1,"headers":"…Mcp-Method tools/call","body":"…io.modelcontextprotocol/logLevel\":\"info"}`, posted},
			step{"receive", `{}`, about(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"half"}}`)},
			step{"receive", `{"news":"…notifications/message"}`, about(response(1, `{"resultType":"complete","content":[]}`))},
		)
		compare(t, outcome, `{"type":"done"}`)
	})
}

// A server of an earlier era asks for a page in mid-stream.
func TestURLOfAnEarlierEra(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, "transport", "stdio", "versions", []string{"2025-11-25"}, "can", map[string]bool{"url": true})
		asksPage := `{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{"mode":"url","elicitationId":"p1","url":"https://example.com/gate","message":"Open the gate"}}`
		outcome := inOrder(t, h, "call", aCall(), after(
			step{"receive", `{}`, says(asksPage)},
			step{"elicit", `{"type":"ask","mode":"url","host":"example.com"}`, `{"type":"answer","raw":"{\"action\":\"accept\"}"}`},
			step{"post", `{"body":"…\"id\":\"e1\""}`, posted},
			step{"receive", `{}`, says(response(3, emptyResult))},
		)...)
		compare(t, outcome, `{"type":"done"}`)
	})
}

// Over stdio a server of 2026-07-28 is not greeted either.
func TestModernStdio(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h, "transport", "stdio", "versions", []string{"2026-07-28"}, "can", map[string]bool{"form": true})
		round := `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Which?","requestedSchema":{"type":"object","properties":{}}}}}}`
		outcome := inOrder(t, h, "call", aCall(),
			step{"post", `{"call":1,"body":"…tools/call"}`, posted},
			step{"receive", `{}`, says(response(1, round))},
			step{"elicit", `{"type":"ask"}`, `{"type":"answer","raw":"{\"action\":\"accept\",\"content\":{}}"}`},
			step{"post", `{"call":1,"body":"…inputResponses"}`, posted},
			step{"receive", `{}`, says(response(2, `{"resultType":"complete","content":[]}`))},
		)
		compare(t, outcome, `{"type":"done"}`)
	})
}
