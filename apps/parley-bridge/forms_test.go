package main_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// asksForm is a server that asks with a schema, and says what it was answered.
func asksForm(t *testing.T, schema string) (url string) {
	return scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		if m.Method != "tools/call" {
			return `{"resultType":"complete","tools":[]}`
		}
		if answers := message.Get(m.Params, "inputResponses"); answers != nil {
			return `{"resultType":"complete","content":[{"type":"text","text":` + string(message.Quote(string(answers))) + `}]}`
		}
		return `{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":` + schema + `}}}}`
	})
}

// TestWiderForm has a client of 2025 fill in what servers ask for beyond the
// specification's subset.
func TestWiderForm(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}},"b":{"anyOf":[{"type":"string"},{"type":"null"}]},"c":{"enum":[1,"1"]}},"required":["b"]}`
	c := begin(t, listen(t, asksForm(t, schema)), `{"elicitation":{}}`)
	next := events(c.do("POST", call))
	asked := next().data
	if !strings.Contains(asked, `"requestedSchema":`+schema) {
		t.Fatalf("asked: got %s", asked)
	}
	c.do("POST", `{"jsonrpc":"2.0","id":`+string(message.Get([]byte(asked), "id"))+`,"result":{"action":"accept","content":{"a":[1,2],"b":null,"c":1}}}`)
	if got := next().data; !strings.Contains(got, `\"content\":{\"a\":[1,2],\"b\":null,\"c\":1}`) {
		t.Errorf("got %s", got)
	}
}

// TestRefusedForm says that Parley refused a form, what, and what to do.
func TestRefusedForm(t *testing.T) {
	t.Parallel()
	c := begin(t, listen(t, asksForm(t, `{"type":"object","properties":{"pin":{"type":"string","format":"password"}}}`)), `{"elicitation":{}}`)
	got := events(c.do("POST", call))().data
	for _, want := range []string{`parley-bridge: form refused by Parley: inputRequests[\"k\"]: \"pin\" asks for a secret`, "(nobody was asked: the server's form has to change)"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
