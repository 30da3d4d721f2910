package blocking_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/internal/blocking"
	"github.com/parley-mcp/parley/internal/puritytest"
)

func TestPure(t *testing.T) { puritytest.Check(t, ".", 2) }

// FuzzCall asks for anything and answers anything: a call that ends has an
// outcome, and one that can go on does so. What it asks for is always JSON.
func FuzzCall(f *testing.F) {
	const call = `{"now":1,"method":"tools/call","params":"{\"name\":\"t\"}","snapshots":true,"options":{"capabilities":"{\"elicitation\":{},\"roots\":{}}"}}`
	const round = `{"now":2,"type":"response","body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"a\":{\"method\":\"roots/list\"},\"b\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}}}"}`
	f.Add(call, round, `{"now":3,"type":"answer","raw":"{\"roots\":[]}"}`)
	f.Add(call, round, `{"now":3,"type":"answer","ask":2,"raw":"{\"action\":\"decline\"}"}`)
	f.Add(call, round, `{"now":3,"type":"park"}`)
	f.Add(call, round, `{"now":3,"type":"refuse"}`)
	f.Add(call, `{"now":2,"type":"response","body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\"}}"}`, ``)
	f.Add(call, `{"now":3,"type":"tick"}`, `{"now":"3"}`)
	f.Add(call, `{"type":"lost","leg":1,"now":9007199254740991,"unsent":true}`, `{}`)
	f.Fuzz(func(t *testing.T, request, sent, asked string) {
		if !utf8.ValidString(request + sent + asked) {
			return // it is passed on as it is, and encoding/json would not
		}
		var c blocking.Call
		c.Begin([]byte(request))
		outcome := play(t, &c, sent, asked)
		var o struct {
			Type, Snapshot string
			Resumable      bool
		}
		if err := json.Unmarshal(outcome, &o); err != nil {
			t.Fatalf("%v in %s", err, outcome)
		}
		if o.Type != "parked" && !o.Resumable {
			return
		}
		quoted, _ := json.Marshal(o.Snapshot)
		c.Resume(append(append([]byte(`{"now":5,"resend":true,"snapshot":`), quoted...), '}'))
		if outcome = play(t, &c, sent, asked); bytes.Contains(outcome, []byte(`"code":20,`)) {
			t.Fatalf("a snapshot does not go on: %s", outcome)
		}
	})
}

func play(t *testing.T, c *blocking.Call, sent, asked string) []byte {
	for turns := 0; ; turns++ {
		callback, text := c.Next()
		if callback == blocking.None {
			return c.Outcome()
		}
		if !json.Valid(text) {
			t.Fatalf("it asks for %s", text)
		}
		answer := sent
		if callback != blocking.Send {
			answer = asked
		}
		if turns > 40 { // a host that only ticks
			answer = `{"now":1,"type":"cancel"}`
		}
		c.Answer([]byte(answer))
	}
}
