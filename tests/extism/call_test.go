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
	return message(now, `{"jsonrpc":"2.0","id":1,"result":`+text+`}`)
}

// message is the last of its exchange.
func message(now int, body string) []byte {
	return object("now", now, "type", "message", "body", body, "last", true)
}

// replies is a host that says what a test says: what callbacks come back with,
// one after the other. Where the test says nothing of post, it has posted. What
// comes without an exchange is of the last one posted.
type replies struct {
	t      *testing.T
	said   map[string][][]byte
	posted float64
}

func (r *replies) answer(callback string, text []byte) []byte {
	m := members(r.t, text)
	if callback == "post" {
		if m["type"] != "abort" {
			r.posted = m["exchange"].(float64)
		}
		if len(r.said["post"]) == 0 {
			return object("now", 0, "type", "tick")
		}
	}
	if len(r.said[callback]) == 0 {
		r.t.Fatalf("%s is called once more: %s", callback, text)
	}
	answer := r.said[callback][0]
	r.said[callback] = r.said[callback][1:]
	return r.about(answer)
}

// about says of which exchange a message is, or an end.
func (r *replies) about(answer []byte) []byte {
	text := string(answer)
	if !strings.Contains(text, `"exchange"`) && (strings.Contains(text, `"type":"message"`) || strings.Contains(text, `"type":"ended"`)) {
		return []byte(with(text, fmt.Sprintf(`"exchange":%v`, r.posted)))
	}
	return answer
}

// Every way a callback may come back, and how the call ends. The connection is
// one for requests: nothing is said but what these tests say.
func TestCallbacks(t *testing.T) {
	accept := object("now", 3000, "type", "answer", "raw", `{"action":"accept","content":{"unit":"m"}}`)
	reset := object("now", 3, "type", "ended", "reason", "reset")
	tests := map[string]struct {
		request []byte
		post    [][]byte // one after the other, and then a tick each
		receive [][]byte
		elicit  [][]byte
		want    string // members of the outcome
	}{
		"a result":         {callAsking(), nil, [][]byte{result(2, final)}, nil, `{"type":"done","result":"{\"resultType\":\"complete\",\"content\":[],\"n\":1.0}"}`},
		"an answer":        {callAsking(), nil, [][]byte{result(2, question), result(3, final)}, [][]byte{accept}, `{"type":"done","noStore":true}`},
		"a refusal":        {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "refuse", "reason", "not now")}, `{"type":"failed","code":13,"resumable":true}`},
		"park":             {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "park")}, `{"type":"parked"}`},
		"park in flight":   {callAsking(), nil, [][]byte{object("now", 2, "type", "park"), result(2, question)}, nil, `{"type":"parked"}`},
		"park too late":    {callAsking(), nil, [][]byte{object("now", 2, "type", "park"), result(2, final)}, nil, `{"type":"done"}`},
		"cancel":           {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "cancel")}, `{"type":"failed","code":14,"resumable":true}`},
		"cancel of a leg":  {callAsking(), nil, [][]byte{object("now", 3, "type", "cancel")}, nil, `{"type":"failed","code":14,"resumable":true}`},
		"cancel of a post": {callAsking(), [][]byte{object("now", 3, "type", "cancel")}, nil, nil, `{"type":"failed","code":14,"resumable":true}`},
		"lost":             {callAsking(), nil, [][]byte{reset}, nil, `{"type":"failed","code":16,"resumable":true}`},
		"lost at once":     {callAsking(), [][]byte{reset}, nil, nil, `{"type":"failed","code":16,"resumable":true}`},
		"not sent":         {callAsking(), nil, [][]byte{object("now", 3, "type", "ended", "unsent", true)}, nil, `{"type":"failed","code":11,"resumable":true}`},
		"not posted":       {callAsking(), [][]byte{object("now", 3, "type", "ended", "unsent", true)}, nil, nil, `{"type":"failed","code":11,"resumable":true}`},
		"posted, done":     {callAsking(), [][]byte{result(2, final)}, nil, nil, `{"type":"done"}`},
		"no answer":        {callAsking(), nil, [][]byte{object("now", 900_000, "type", "tick")}, nil, `{"type":"failed","code":12,"resumable":true}`},
		"a little late":    {callAsking(), nil, [][]byte{object("now", 3, "type", "tick"), object("now", 60_999, "type", "tick"), result(60_999, final)}, nil, `{"type":"done"}`},
		"no answer ever":   {callAsking("legTimeout", -1), nil, [][]byte{object("now", 900_000, "type", "tick"), reset}, nil, `{"type":"failed","code":16}`},
		"corrected":        {callAsking(), nil, [][]byte{result(2, question), result(3, final)}, [][]byte{object("now", 3, "type", "answer", "raw", `{"action":"accept","content":{"unit":"x"}}`), accept}, `{"type":"done"}`},
		"a tick, then yes": {callAsking(), nil, [][]byte{result(2, question), result(3, final)}, [][]byte{object("now", 3, "type", "tick"), accept}, `{"type":"done"}`},
		"never corrected":  {callAsking(), nil, [][]byte{result(2, question)}, repeat(20, object("now", 3, "type", "answer", "raw", `{}`)), `{"type":"failed","code":13,"resumable":true}`},
		"asked too long":   {callAsking("askTimeout", 5000), nil, [][]byte{result(2, question)}, [][]byte{object("now", 900_000, "type", "tick")}, `{"type":"failed","code":17,"resumable":true}`},
		"nothing posted":   {callAsking(), [][]byte{nil}, nil, nil, `{"type":"failed","code":16,"resumable":true,"detail":"…post: the answer is empty, or longer than the plug-in takes"}`},
		"nothing received": {callAsking(), nil, [][]byte{nil}, nil, `{"type":"failed","code":16,"resumable":true,"detail":"…receive: the answer is empty, or longer than the plug-in takes"}`},
		"nothing asked":    {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{nil}, `{"type":"failed","code":13,"resumable":true}`},
		"no now":           {callAsking(), nil, [][]byte{object("type", "message", "body", "{}")}, nil, `{"detail":"…receive: now is missing: give the Unix time in milliseconds with every answer"}`},
		"no now, posted":   {callAsking(), [][]byte{object("type", "tick")}, nil, nil, `{"detail":"…post: now is missing: give the Unix time in milliseconds with every answer"}`},
		"no now, asked":    {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{object("type", "park")}, `{"detail":"…elicit: now is missing: give the Unix time in milliseconds with every answer"}`},
		"now is text":      {callAsking(), nil, [][]byte{object("now", "3", "type", "tick")}, nil, `{"detail":"…receive: answer: member \"now\" is not the Unix time in milliseconds"}`},
		"no JSON":          {callAsking(), nil, [][]byte{[]byte("hello")}, nil, `{"type":"failed","code":16,"detail":"…receive: answer: expected an object at byte 0"}`},
		"an array":         {callAsking(), nil, [][]byte{[]byte("[]")}, nil, `{"type":"failed","code":16,"detail":"…receive: answer: expected an object at byte 0"}`},
		"other members":    {callAsking(), nil, [][]byte{object("now", 3, "type", "tick", "sooner", true)}, nil, `{"type":"failed","code":16,"detail":"…receive: answer: member \"sooner\" is not known here"}`},
		"no body":          {callAsking(), nil, [][]byte{object("now", 3, "type", "message")}, nil, `{"detail":"…receive: answer: member \"body\" is missing"}`},
		"unknown type":     {callAsking(), nil, [][]byte{object("now", 3, "type", "response", "leg", 1, "body", "{}")}, nil, `{"detail":"…receive: an event of this type is no answer here"}`},
		"answers a leg":    {callAsking(), nil, [][]byte{object("now", 3, "type", "answer", "ask", 1, "raw", "{}")}, nil, `{"detail":"…receive: an event of this type is no answer here"}`},
		"begins":           {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "begin")}, `{"detail":"…elicit: an event of this type is no answer here"}`},
		"hears when asked": {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{result(3, final)}, `{"detail":"…elicit: an event of this type is no answer here"}`},
		"another question": {callAsking(), nil, [][]byte{result(2, question)}, [][]byte{object("now", 3, "type", "answer", "ask", 7, "raw", "{}")}, `{"detail":"…elicit: ask 7 was never asked"}`},
		"another exchange": {callAsking(), nil, [][]byte{object("now", 3, "type", "ended", "exchange", 99)}, nil, `{"code":16,"detail":"…receive: exchange is not the number of one that was posted"}`},
		"no exchange":      {callAsking(), nil, [][]byte{object("now", 3, "type", "message", "exchange", 0, "body", "{}")}, nil, `{"code":16,"detail":"…receive: exchange is not the number of one that was posted"}`},
		"down":             {callAsking(), nil, [][]byte{object("now", 3, "type", "down")}, nil, `{"code":16,"detail":"…receive: down is for a session over stdio"}`},
		"heard twice": {callAsking(), nil, [][]byte{result(2, question), object("now", 3, "type", "message", "exchange", 1, "body", "{}"), result(3, final)}, [][]byte{accept},
			`{"type":"done"}`},
		"no message": {callAsking(), nil, [][]byte{message(2, "hello")}, nil, `{"type":"failed","code":16}`},
		"undeclared": {object("now", 1, "method", "tools/call", "params", "{}"), nil, [][]byte{result(2, question)}, nil,
			`{"type":"failed","code":15,"resumable":false}`},
		"notes": {callAsking("audit", true), nil, [][]byte{result(2000, final)}, nil,
			`{"notes":[{"type":"note","kind":"sent","leg":1,"round":0,"time":1000},{"type":"note","kind":"done","leg":1,"round":0,"time":2000}]}`},
	}
	each(t, nil, func(t *testing.T, h host) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				begin(t, h, "transport", "requests")
				r := replies{t: t, said: map[string][][]byte{"post": tt.post, "receive": tt.receive, "elicit": tt.elicit}}
				compare(t, h.call(t, "call", tt.request, r.answer), tt.want)
				for callback, answers := range r.said {
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
		begin(t, h, "clientInfo", `{"name":"test","version":"1.0"}`, "firstId", 70)
		var sent, asked, heard []map[string]any
		request := with(string(callAsking("legTimeout", 5000)), `"snapshots":true`)
		outcome := h.call(t, "call", []byte(request), func(callback string, text []byte) []byte {
			m := members(t, text)
			switch {
			case callback == "elicit" && len(asked) == 0:
				asked = append(asked, m)
				return object("now", 2500, "type", "answer", "raw", `{"action":"accept"}`)
			case callback == "elicit":
				asked = append(asked, m)
				return object("now", 2600, "type", "answer", "raw", `{"action":"decline"}`)
			case callback == "post":
				sent = append(sent, m)
				return object("now", 0, "type", "tick")
			}
			heard = append(heard, m)
			if len(heard) == 3 { // no exchange is open: it waits for a time
				return object("now", m["until"], "type", "tick")
			}
			results := []string{question, `{"resultType":"input_required","requestState":"s2"}`, final}
			exchange := sent[len(sent)-1]["exchange"]
			return object("now", 1000+1000*len(sent), "type", "message", "exchange", exchange, "last", true,
				"body", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, 69+len(sent), results[len(sent)-1]))
		})
		compare(t, outcome, `{"type":"done"}`)
		if len(sent) != 3 || len(asked) != 2 || len(heard) != 4 {
			t.Fatalf("%d legs, %d questions and %d times receive, want 3, 2 and 4", len(sent), len(asked), len(heard))
		}
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
			if body.ID != float64(70+i) || m["type"] != "post" || m["exchange"] != float64(i+1) {
				t.Errorf("leg %d: %v %v with the id %v", i+1, m["type"], m["exchange"], body.ID)
			}
			if got, want := string(body.Params.Meta["io.modelcontextprotocol/clientInfo"]), `{"name":"test","version":"1.0"}`; got != want {
				t.Errorf("clientInfo: got %s, want %s", got, want)
			}
			if want := []string{"", "s1", "s2"}[i]; body.Params.RequestState != want {
				t.Errorf("leg %d: requestState is %q, want %q", i+1, body.Params.RequestState, want)
			}
			if headers := fmt.Sprint(m["headers"]); !strings.Contains(headers, "[Mcp-Method tools/call] [Mcp-Name t]") || !strings.Contains(headers, "[Content-Type application/json]") {
				t.Errorf("the headers are %s", headers)
			}
		}
		// The second round had no question: the third leg waits, and not before.
		if got := fmt.Sprint(heard[0]["until"], heard[1]["until"], heard[2]["until"], heard[3]["until"]); got != "6000 7600 3050 8050" {
			t.Errorf("receive was to come back by %s", got)
		}
		if problem, _ := asked[1]["problem"].(string); asked[0]["problem"] != nil || !strings.Contains(problem, "content") {
			t.Errorf("the problems are %v and %q", asked[0]["problem"], problem)
		}
		// A snapshot comes where it has changed. Each of them goes on.
		for name, m := range map[string]map[string]any{"post": sent[1], "ask": asked[0], "repeated": asked[1], "waits": heard[2]} {
			if m["snapshot"] == nil {
				t.Errorf("%s: there is no snapshot", name)
			}
		}
		if heard[0]["snapshot"] != nil {
			t.Error("nothing has happened between post and receive, and there is another snapshot")
		}
		answer := func(callback string, text []byte) []byte {
			m := members(t, text)
			switch callback {
			case "elicit":
				return object("now", 9001, "type", "answer", "raw", `{"action":"decline"}`)
			case "post":
				var body struct{ ID int }
				json.Unmarshal([]byte(m["body"].(string)), &body)
				return object("now", 9002, "type", "message", "exchange", m["exchange"], "last", true,
					"body", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, body.ID, final))
			}
			return object("now", m["until"], "type", "tick")
		}
		for name, m := range map[string]map[string]any{"ask": asked[1], "waits": heard[2]} {
			again := h.call(t, "resume", object("now", 9000, "snapshot", m["snapshot"]), answer)
			t.Logf("%s: %s", name, again)
			compare(t, again, `{"type":"done"}`)
		}
		doubt := h.call(t, "resume", object("now", 9000, "snapshot", sent[1]["snapshot"]), nil)
		compare(t, doubt, `{"type":"failed","code":16}`)
		resent := h.call(t, "resume", object("now", 9000, "snapshot", sent[1]["snapshot"], "resend", true), answer)
		compare(t, resent, `{"type":"done"}`)
	})
}

// A request that cannot be used says what to give.
func TestUnusableRequests(t *testing.T) {
	tests := map[string]struct{ export, request, want string }{
		"no now":          {"call", `{"method":"tools/call"}`, `{"error":{"code":1,"detail":"call: now is missing: give the host's clock as Unix time in milliseconds"}}`},
		"now in words":    {"call", `{"now":"noon","method":"tools/call"}`, `{"error":{"code":1,"detail":"call: member \"now\" is not the Unix time in milliseconds"}}`},
		"now negative":    {"call", `{"now":-1,"method":"tools/call"}`, `{"error":{"code":1,"detail":"call: member \"now\" is not the Unix time in milliseconds"}}`},
		"now twice":       {"call", `{"now":1,"now":1,"method":"tools/call"}`, `{"error":{"code":1,"detail":"call: member \"now\" is there twice"}}`},
		"no JSON":         {"call", `now`, `{"error":{"code":1,"detail":"call: expected an object at byte 0"}}`},
		"nothing":         {"call", ``, `{"error":{"code":1,"detail":"call: expected an object at byte 0"}}`},
		"cut":             {"call", `{"now":1`, `{"error":{"code":1,"detail":"call: unexpected end of JSON at byte 8"}}`},
		"unknown member":  {"call", `{"now":1,"method":"tools/call","fast":true}`, `{"error":{"code":1,"detail":"call: member \"fast\" is not known here"}}`},
		"no method":       {"call", `{"now":1}`, `{"error":{"code":1,"detail":"the method is empty"}}`},
		"a session's":     {"call", `{"now":1,"method":"ping","clientInfo":"{}"}`, `{"error":{"code":1,"detail":"call: member \"clientInfo\" is not known here"}}`},
		"close, no now":   {"close", `{}`, `{"error":{"code":1,"detail":"close: now is missing: give the host's clock as Unix time in milliseconds"}}`},
		"close at once":   {"close", `{"now":1,"at":"once"}`, `{"error":{"code":1,"detail":"close: member \"at\" is not known here"}}`},
		"another session": {"session", `{}`, `{"error":{"code":2,"detail":"there is a session in this instance: close it, or make another instance"}}`},
		"snapshots":       {"call", `{"now":1,"method":"ping","snapshots":1}`, `{"error":{"code":1,"detail":"call: member \"snapshots\" is neither true nor false"}}`},
		"resend a call":   {"call", `{"now":1,"method":"ping","resend":true}`, `{"error":{"code":1,"detail":"call: member \"resend\" is not known here"}}`},
		"no snapshot":     {"resume", `{"now":1}`, `{"error":{"code":20,"detail":"it is no snapshot of a flow"}}`},
		"resume, no now":  {"resume", `{"snapshot":"{}"}`, `{"error":{"code":1,"detail":"resume: now is missing: give the host's clock as Unix time in milliseconds"}}`},
	}
	each(t, nil, func(t *testing.T, h host) {
		begin(t, h)
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
	begin(t, p, "transport", "requests")
	space := strings.Repeat(" ", 97<<20)
	got := string(p.call(t, "call", []byte(`{"now":1,"method":"ping"}`+space[:33<<20]), nil))
	if want := `{"error":{"code":1,"detail":"call: expected an object at byte 0"}}`; got != want {
		t.Errorf("a request: got %s, want %s", got, want)
	}
	long := replies{t: t, said: map[string][][]byte{"receive": {[]byte(space)}}}
	outcome := p.call(t, "call", callAsking(), long.answer)
	compare(t, outcome, `{"type":"failed","code":16,"detail":"…receive: the answer is empty, or longer than the plug-in takes"}`)
	short := replies{t: t, said: map[string][][]byte{"receive": {result(2, final)}}}
	compare(t, p.call(t, "call", callAsking(), short.answer), `{"type":"done"}`)
}

// An instance makes one call at a time, and none after a callback failed.
func TestOneAtATime(t *testing.T) {
	const busy = `{"error":{"code":2,"detail":"a call is under way in this instance, or was when a callback failed: make another instance"}}`
	p := newPlugin(t, nil)
	p.call(t, "session", []byte(`{}`), nil)
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
