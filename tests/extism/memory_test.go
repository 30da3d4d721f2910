package extism_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	extism "github.com/extism/go-sdk"
)

// pages is the memory the plug-in may have in these tests, in pages of 64 KiB: 10
// MiB, and as much again for Extism's own.
const pages = 160

// A call in which the server keeps changing a large state, 120 times without a
// question and then in every round with one, leaves more than 250 MiB behind in memory
// of a few: garbage is collected while a callback is out.
func TestMemoryOfALongCall(t *testing.T) {
	p := newPlugin(t, nil, func(m *extism.Manifest) { m.Memory = &extism.ManifestMemory{MaxPages: pages} })
	const waits, rounds = 120, 10
	sent, asked, state := 0, 0, ""
	answer := func(callback string, text []byte) []byte {
		m := members(t, text)
		if callback == "receive" {
			return object("now", m["until"], "type", "tick")
		}
		if callback == "elicit" {
			asked++
			return object("now", 1000*sent, "type", "answer", "raw", `{"action":"decline"}`)
		}
		if state != "" && !strings.Contains(m["params"].(string), `"requestState":"`+state+`"`) {
			t.Fatalf("leg %v: the state did not come back", m["leg"])
		}
		sent++
		result := `{"resultType":"complete","content":[]}`
		switch {
		case sent <= waits:
			state = strings.Repeat(strconv.Itoa(sent%10), 100_000)
			result = `{"resultType":"input_required","requestState":"` + state + `"}`
		case sent <= waits+rounds:
			state = strings.Repeat(strconv.Itoa(sent%10), 100_000)
			result = fmt.Sprintf(`{"resultType":"input_required","requestState":"%s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":%q,"requestedSchema":{"type":"object","properties":{}}}}}}`, state, strings.Repeat("?", 25_000))
		}
		return object("now", 1000*sent, "type", "message", "exchange", m["exchange"], "last", true, "body", `{"jsonrpc":"2.0","id":1,"result":`+result+`}`)
	}
	begin(t, p, "transport", "requests")
	// Twice, and the second time nothing may be left of the first.
	for range 2 {
		sent, asked, state = 0, 0, ""
		request := object("now", 0, "method", "tools/call", "params", `{"name":"slow"}`, "options", map[string]any{"capabilities": `{"elicitation":{}}`})
		got := string(p.call(t, "call", request, answer))
		if want := `{"type":"done","result":"{\"resultType\":\"complete\",\"content\":[]}","noStore":true}`; got != want {
			t.Fatalf("got %.300s, want %s", got, want)
		}
		if sent != waits+rounds+1 || asked != rounds {
			t.Errorf("%d legs and %d questions, want %d and %d", sent, asked, waits+rounds+1, rounds)
		}
	}
}

// Many short calls in one session.
func TestMemoryOfManyCalls(t *testing.T) {
	p := newPlugin(t, nil, func(m *extism.Manifest) { m.Memory = &extism.ManifestMemory{MaxPages: pages} })
	request := object("now", 0, "method", "tools/call", "params", `{"name":"`+strings.Repeat("n", 10_000)+`"}`)
	begin(t, p, "transport", "requests")
	for range 2_000 {
		got := p.call(t, "call", request, func(_ string, text []byte) []byte {
			return object("now", 1, "type", "message", "exchange", members(t, text)["exchange"], "last", true, "body", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
		})
		if want := `{"type":"done","result":"{\"content\":[]}"}`; string(got) != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}
