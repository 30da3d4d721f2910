package extism_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const question = `{"resultType":"input_required","requestState":"s1","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Which?","requestedSchema":{"type":"object","properties":{"unit":{"type":"string","enum":["m","i"]}},"required":["unit"]}}}}}`

const final = `{"resultType":"complete","content":[],"n":1.0}`

// callAsking asks for the tool whose answers are the test's.
func callAsking(options ...any) []byte {
	options = append(options, "capabilities", `{"elicitation":{}}`)
	return object("now", 1000, "method", "tools/call", "params", `{"name":"t"}`, "options", json.RawMessage(object(options...)))
}

func result(now int, text string) []byte {
	return object("now", now, "type", "response", "body", `{"jsonrpc":"2.0","id":1,"result":`+text+`}`)
}

// Every way a callback may come back, and how the call ends.
func TestCallbacks(t *testing.T) {
	accept := object("now", 3000, "type", "answer", "raw", `{"action":"accept","content":{"unit":"m"}}`)
	tests := map[string]struct {
		request []byte
		send    [][]byte // one after the other
		elicit  [][]byte
		want    string // members of the outcome
	}{
		"a result":         {callAsking(), [][]byte{result(2, final)}, nil, `{"type":"done","result":"{\"resultType\":\"complete\",\"content\":[],\"n\":1.0}"}`},
		"an answer":        {callAsking(), [][]byte{result(2, question), result(3, final)}, [][]byte{accept}, `{"type":"done","noStore":true}`},
		"a refusal":        {callAsking(), [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "refuse", "reason", "not now")}, `{"type":"failed","code":13,"resumable":true}`},
		"park":             {callAsking(), [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "park")}, `{"type":"parked"}`},
		"cancel":           {callAsking(), [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "cancel")}, `{"type":"failed","code":14,"resumable":true}`},
		"cancel of a leg":  {callAsking(), [][]byte{object("now", 3, "type", "cancel")}, nil, `{"type":"failed","code":14,"resumable":true}`},
		"lost":             {callAsking(), [][]byte{object("now", 3, "type", "lost", "reason", "reset")}, nil, `{"type":"failed","code":16,"resumable":true}`},
		"not sent":         {callAsking(), [][]byte{object("now", 3, "type", "lost", "unsent", true)}, nil, `{"type":"failed","code":11,"resumable":true}`},
		"no answer":        {callAsking(), [][]byte{object("now", 3, "type", "tick")}, nil, `{"type":"failed","code":12,"resumable":true}`},
		"no answer ever":   {callAsking("legTimeout", -1), [][]byte{object("now", 3, "type", "tick")}, nil, `{"type":"failed","code":16}`},
		"corrected":        {callAsking(), [][]byte{result(2, question), result(3, final)}, [][]byte{object("now", 3, "type", "answer", "raw", `{"action":"accept","content":{"unit":"x"}}`), accept}, `{"type":"done"}`},
		"a tick, then yes": {callAsking(), [][]byte{result(2, question), result(3, final)}, [][]byte{object("now", 3, "type", "tick"), accept}, `{"type":"done"}`},
		"never corrected":  {callAsking(), [][]byte{result(2, question)}, repeat(20, object("now", 3, "type", "answer", "raw", `{}`)), `{"type":"failed","code":13,"resumable":true}`},
		"asked too long":   {callAsking("askTimeout", 5000), [][]byte{result(2, question)}, [][]byte{object("now", 900_000, "type", "tick")}, `{"type":"failed","code":17,"resumable":true}`},
		"nothing sent":     {callAsking(), [][]byte{nil}, nil, `{"type":"failed","code":16,"resumable":true}`},
		"nothing asked":    {callAsking(), [][]byte{result(2, question)}, [][]byte{nil}, `{"type":"failed","code":13,"resumable":true}`},
		"no now":           {callAsking(), [][]byte{object("type", "response", "body", "{}")}, nil, `{"detail":"…send: now is missing: give the Unix time in milliseconds with every answer"}`},
		"no now, asked":    {callAsking(), [][]byte{result(2, question)}, [][]byte{object("type", "park")}, `{"detail":"…elicit: now is missing: give the Unix time in milliseconds with every answer"}`},
		"now is text":      {callAsking(), [][]byte{object("now", "3", "type", "tick")}, nil, `{"detail":"…send: answer: member \"now\" is not the Unix time in milliseconds"}`},
		"no JSON":          {callAsking(), [][]byte{[]byte("hello")}, nil, `{"type":"failed","code":16}`},
		"other members":    {callAsking(), [][]byte{object("now", 3, "type", "tick", "sooner", true)}, nil, `{"type":"failed","code":16}`},
		"answers a leg":    {callAsking(), [][]byte{object("now", 3, "type", "answer", "raw", "{}")}, nil, `{"detail":"…send: an event of this type is no answer here"}`},
		"parks a leg":      {callAsking(), [][]byte{object("now", 3, "type", "park")}, nil, `{"detail":"…send: an event of this type is no answer here"}`},
		"begins":           {callAsking(), [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "begin")}, `{"detail":"…elicit: an event of this type is no answer here"}`},
		"another question": {callAsking(), [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "answer", "ask", 7, "raw", "{}")}, `{"detail":"…elicit: ask 7 was never asked"}`},
		"undeclared": {object("now", 1, "method", "tools/call", "params", "{}"), [][]byte{result(2, question)}, nil,
			`{"type":"failed","code":15,"resumable":false}`},
		"notes": {callAsking("audit", true), [][]byte{result(2000, final)}, nil,
			`{"notes":[{"type":"note","kind":"sent","leg":1,"round":0,"time":1000},{"type":"note","kind":"done","leg":1,"round":0,"time":2000}]}`},
	}
	each(t, nil, func(t *testing.T, h host) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				left := map[string][][]byte{"send": tt.send, "elicit": tt.elicit}
				outcome := h.call(t, "call", tt.request, func(callback string, text []byte) []byte {
					if len(left[callback]) == 0 {
						t.Fatalf("%s is called once more: %s", callback, text)
					}
					answer := left[callback][0]
					left[callback] = left[callback][1:]
					return answer
				})
				compare(t, outcome, tt.want)
				for callback, answers := range left {
					if len(answers) > 0 {
						t.Errorf("%s was not called %d times", callback, len(answers))
					}
				}
			})
		}
	})
}

func repeat(n int, answer []byte) (answers [][]byte) {
	for range n {
		answers = append(answers, answer)
	}
	return answers
}

// compare holds an outcome to the members wanted; text after … may come later.
func compare(t *testing.T, outcome []byte, want string) {
	t.Helper()
	got := members(t, outcome)
	for name, value := range members(t, []byte(want)) {
		has, _ := json.Marshal(got[name])
		must, _ := json.Marshal(value)
		end, late := strings.CutPrefix(fmt.Sprint(value), "…")
		if late && strings.HasSuffix(fmt.Sprint(got[name]), end) || string(has) == string(must) {
			continue
		}
		t.Errorf("%s: got %s, want %s in %s", name, has, must, outcome)
	}
	goesOn := got["type"] == "parked" || got["resumable"] == true
	if _, has := got["snapshot"]; has != goesOn {
		t.Errorf("there is a snapshot: %v, want %v", has, goesOn)
	}
}

// What every callback is told.
func TestWhatCallbacksGet(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		var sent, asked []map[string]any
		request := with(string(callAsking("legTimeout", 5000)), `"snapshots":true,"clientInfo":"{\"name\":\"test\",\"version\":\"1.0\"}"`)
		outcome := h.call(t, "call", []byte(request), func(callback string, text []byte) []byte {
			m := members(t, text)
			switch {
			case callback == "elicit" && len(asked) == 0:
				asked = append(asked, m)
				return object("now", 2500, "type", "answer", "raw", `{"action":"accept"}`)
			case callback == "elicit":
				asked = append(asked, m)
				return object("now", 2600, "type", "answer", "raw", `{"action":"decline"}`)
			}
			sent = append(sent, m)
			return result(1000+1000*len(sent), [...]string{question, `{"resultType":"input_required","requestState":"s2"}`, final}[len(sent)-1])
		})
		compare(t, outcome, `{"type":"done"}`)
		if len(sent) != 3 || len(asked) != 2 {
			t.Fatalf("%d legs and %d questions, want 3 and 2", len(sent), len(asked))
		}
		first := sent[0]["id"].(float64)
		for i, m := range sent {
			var body struct {
				ID     float64
				Params struct {
					RequestState string
					Meta         map[string]json.RawMessage `json:"_meta"`
				}
			}
			if err := json.Unmarshal([]byte(m["body"].(string)), &body); err != nil {
				t.Fatal(err)
			}
			if body.ID != first+float64(i) || m["id"] != body.ID {
				t.Errorf("leg %d: the id is %v and %v, want %v", i+1, m["id"], body.ID, first+float64(i))
			}
			if got, want := string(body.Params.Meta["io.modelcontextprotocol/clientInfo"]), `{"name":"test","version":"1.0"}`; got != want {
				t.Errorf("clientInfo: got %s, want %s", got, want)
			}
			if want := []string{"", "s1", "s2"}[i]; body.Params.RequestState != want {
				t.Errorf("leg %d: requestState is %q, want %q", i+1, body.Params.RequestState, want)
			}
			if headers := fmt.Sprint(m["headers"]); !strings.Contains(headers, "[Mcp-Method tools/call] [Mcp-Name t]") {
				t.Errorf("the headers are %s", headers)
			}
		}
		// The second round had no question: the third leg waits, and not before.
		if sent[1]["at"] != nil || sent[2]["at"] != 3050.0 || sent[2]["until"] != 8050.0 {
			t.Errorf("the third leg is for %v until %v, want 3050 and 8050; the second for %v", sent[2]["at"], sent[2]["until"], sent[1]["at"])
		}
		if problem, _ := asked[1]["problem"].(string); asked[0]["problem"] != nil || !strings.Contains(problem, "content") {
			t.Errorf("the problems are %v and %q", asked[0]["problem"], problem)
		}
		// Each of the snapshots goes on.
		again := h.call(t, "resume", object("now", 9000, "snapshot", asked[1]["snapshot"]), func(callback string, text []byte) []byte {
			if callback == "elicit" {
				return object("now", 9001, "type", "answer", "raw", `{"action":"decline"}`)
			}
			return result(9002, final)
		})
		compare(t, again, `{"type":"done"}`)
		doubt := h.call(t, "resume", object("now", 9000, "snapshot", sent[1]["snapshot"]), nil)
		compare(t, doubt, `{"type":"failed","code":16}`)
		resent := h.call(t, "resume", object("now", 9000, "snapshot", sent[1]["snapshot"], "resend", true), func(string, []byte) []byte { return result(9002, final) })
		compare(t, resent, `{"type":"done"}`)
	})
}

// A request that cannot be used says what to give.
func TestUnusableRequests(t *testing.T) {
	tests := map[string]struct{ export, request, want string }{
		"no now":            {"call", `{"method":"tools/call"}`, `{"error":{"code":1,"detail":"call: now is missing: give the host's clock as Unix time in milliseconds"}}`},
		"now in words":      {"call", `{"now":"noon","method":"tools/call"}`, `{"error":{"code":1,"detail":"call: member \"now\" is not the Unix time in milliseconds"}}`},
		"now negative":      {"call", `{"now":-1,"method":"tools/call"}`, `{"error":{"code":1,"detail":"call: member \"now\" is not the Unix time in milliseconds"}}`},
		"now twice":         {"call", `{"now":1,"now":1,"method":"tools/call"}`, `{"error":{"code":1,"detail":"call: duplicate member name"}}`},
		"no JSON":           {"call", `now`, `{"error":{"code":1,"detail":"call: expected an object at byte 0"}}`},
		"nothing":           {"call", ``, `{"error":{"code":1,"detail":"call: expected an object at byte 0"}}`},
		"cut":               {"call", `{"now":1`, `{"error":{"code":1,"detail":"call: unexpected end of JSON at byte 8"}}`},
		"unknown member":    {"call", `{"now":1,"method":"tools/call","fast":true}`, `{"error":{"code":1,"detail":"call: member \"fast\" is not known here"}}`},
		"no method":         {"call", `{"now":1}`, `{"error":{"code":1,"detail":"the method is empty"}}`},
		"clientInfo":        {"call", `{"now":1,"method":"ping","clientInfo":{}}`, `{"error":{"code":1,"detail":"call: member \"clientInfo\" is not a string"}}`},
		"clientInfo broken": {"call", `{"now":1,"method":"ping","clientInfo":"{"}`, `{"error":{"code":1,"detail":"clientInfo: unexpected end of JSON at byte 1"}}`},
		"snapshots":         {"call", `{"now":1,"method":"ping","snapshots":1}`, `{"error":{"code":1,"detail":"call: member \"snapshots\" is neither true nor false"}}`},
		"resend a call":     {"call", `{"now":1,"method":"ping","resend":true}`, `{"error":{"code":1,"detail":"call: member \"resend\" is not known here"}}`},
		"no snapshot":       {"resume", `{"now":1}`, `{"error":{"code":20,"detail":"it is no snapshot of a flow"}}`},
		"resume, no now":    {"resume", `{"snapshot":"{}"}`, `{"error":{"code":1,"detail":"resume: now is missing: give the host's clock as Unix time in milliseconds"}}`},
	}
	each(t, nil, func(t *testing.T, h host) {
		for name, tt := range tests {
			if got := string(h.call(t, tt.export, []byte(tt.request), nil)); got != tt.want {
				t.Errorf("%s: got %s, want %s", name, got, tt.want)
			}
		}
	})
}

// More than the plug-in takes is not even read.
func TestTooLong(t *testing.T) {
	p := newPlugin(t, nil)
	space := strings.Repeat(" ", 97<<20)
	got := string(p.call(t, "call", []byte(`{"now":1,"method":"ping"}`+space[:33<<20]), nil))
	if want := `{"error":{"code":1,"detail":"call: expected an object at byte 0"}}`; got != want {
		t.Errorf("a request: got %s, want %s", got, want)
	}
	outcome := p.call(t, "call", callAsking(), func(string, []byte) []byte { return []byte(space) })
	compare(t, outcome, `{"type":"failed","code":16,"detail":"…send: the answer is empty, or longer than the plug-in takes"}`)
	outcome = p.call(t, "call", callAsking(), func(string, []byte) []byte { return result(2, final) })
	compare(t, outcome, `{"type":"done"}`)
}

// An instance makes one call at a time, and none after a callback failed.
func TestOneAtATime(t *testing.T) {
	const busy = `{"error":{"code":2,"detail":"a call is under way in this instance, or was when a callback failed: make another instance"}}`
	p := newPlugin(t, nil)
	p.answer = func(string, []byte) []byte {
		_, nested, err := p.Call("call", callAsking())
		if err != nil || string(nested) != busy {
			t.Errorf("a call in a callback: got %s, %v", nested, err)
		}
		panic("the callback fails")
	}
	if _, _, err := p.Call("call", callAsking()); err == nil || !strings.Contains(err.Error(), "the callback fails") {
		t.Errorf("a callback that panics: got %v", err)
	}
	if got := p.call(t, "call", callAsking(), nil); string(got) != busy {
		t.Errorf("after it: got %s", got)
	}
	token := members(t, p.call(t, "seal", object("keys", "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n", "context", "c", "plaintext", "p"), nil))
	if token["token"] == nil {
		t.Errorf("seal after it: got %v", token)
	}
}
