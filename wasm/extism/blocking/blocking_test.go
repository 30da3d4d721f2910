package blocking_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/internal/testkit/puritytest"
	"github.com/parley-mcp/parley/wasm/extism/blocking"
)

func TestPure(t *testing.T) { puritytest.Check(t, ".", 3) }

// FuzzClient asks for anything and answers anything: a call that ends has an
// outcome, and one that can go on does so. What it asks for is always JSON.
func FuzzClient(f *testing.F) {
	const call = `{"now":1,"method":"tools/call","params":"{\"name\":\"t\"}","snapshots":true,"options":{"capabilities":"{\"elicitation\":{},\"roots\":{}}"}}`
	const round = `{"now":2,"type":"message","exchange":1,"last":true,"body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"a\":{\"method\":\"roots/list\"},\"b\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}}}"}`
	const earlier = `{"transport":"stdio","versions":["2025-11-25"],"can":{"form":true}}`
	const initialized = `{"now":2,"type":"message","body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"}`
	const asks = `{"now":2,"type":"message","body":"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}"}`
	f.Add(`{}`, call, round, `{"now":3,"type":"answer","raw":"{\"roots\":[]}"}`)
	f.Add(`{}`, call, round, `{"now":3,"type":"answer","ask":2,"raw":"{\"action\":\"decline\"}"}`)
	f.Add(`{}`, call, round, `{"now":3,"type":"park"}`)
	f.Add(`{}`, call, round, `{"now":3,"type":"refuse"}`)
	f.Add(`{"transport":"requests"}`, call, round, `{"now":3,"type":"tick"}`)
	f.Add(`{"versions":["2025-06-18"]}`, call, `{"now":2,"type":"ended","exchange":1,"status":200}`, ``)
	f.Add(`{}`, call, `{"now":3,"type":"tick"}`, `{"now":"3"}`)
	f.Add(earlier, call, initialized+"\n"+asks, `{"now":9,"type":"answer","raw":"{\"action\":\"accept\",\"content\":{}}"}`)
	f.Add(earlier, call, initialized+"\n"+asks+"\n"+`{"now":4,"type":"down","reason":"killed"}`, `{"now":9,"type":"park"}`)
	f.Add(earlier, call, initialized+"\n"+`garbage`, ``)
	f.Add(`{}`, call, `{"type":"ended","exchange":1,"now":9007199254740991,"unsent":true}`, `{}`)
	f.Fuzz(func(t *testing.T, session, request, received, asked string) {
		if !utf8.ValidString(session + request + received + asked) {
			return // it is passed on as it is, and encoding/json would not
		}
		var c blocking.Client
		c.Open([]byte(session))
		if bytes.HasPrefix(c.Outcome(), []byte(`{"error"`)) {
			return
		}
		c.Forget()
		c.Begin([]byte(request))
		outcome := play(t, &c, received, asked)
		var o struct {
			Type, Snapshot string
			Resumable      bool
		}
		if err := json.Unmarshal(outcome, &o); err != nil {
			t.Fatalf("%v in %s", err, outcome)
		}
		c.Forget()
		if o.Type == "parked" || o.Resumable {
			quoted, _ := json.Marshal(o.Snapshot)
			c.Resume(append(append([]byte(`{"now":5,"resend":true,"snapshot":`), quoted...), '}'))
			if outcome = play(t, &c, received, asked); bytes.Contains(outcome, []byte(`"code":20,`)) {
				t.Fatalf("a snapshot does not go on: %s", outcome)
			}
			c.Forget()
		}
		c.Close([]byte(`{"now":6}`))
		if outcome = play(t, &c, received, asked); bytes.Contains(outcome, []byte(`"error"`)) {
			t.Fatalf("it does not close: %s", outcome)
		}
	})
}

// play is a host that says the lines of received one after the other, and then
// the last again, for the exchange posted last where the line says 1.
func play(t *testing.T, c *blocking.Client, received, asked string) []byte {
	var posted struct{ Exchange int }
	for turns := 0; ; turns++ {
		callback, text := c.Next()
		if callback == blocking.None {
			return c.Outcome()
		}
		if !json.Valid(text) {
			t.Fatalf("it asks for %s", text)
		}
		answer := asked
		switch callback {
		case blocking.Post:
			json.Unmarshal(text, &posted)
			answer = `{"now":1,"type":"tick"}`
		case blocking.Receive:
			first, rest, more := strings.Cut(received, "\n")
			if more {
				received = rest
			}
			answer = strings.Replace(first, `"exchange":1,`, fmt.Sprintf(`"exchange":%d,`, posted.Exchange), 1)
		}
		if turns > 400 {
			t.Fatal("it does not end though the host has canceled it")
		}
		if turns > 200 { // a host that only ticks
			answer = `{"now":1,"type":"cancel"}`
		}
		c.Answer([]byte(answer))
	}
}
