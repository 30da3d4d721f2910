package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// host steps a session and keeps what it asked for last.
type host struct {
	*testing.T
	s        *session.Session
	now      int64
	posts    []session.Post
	asks     []engine.Ask
	warnings []string
}

func newHost(t *testing.T, opts session.Options) *host {
	t.Helper()
	opts.Capabilities = []byte(`{"elicitation":{"form":{}}}`)
	s, err := session.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return &host{T: t, s: s}
}

func (h *host) step(ev session.Event) {
	h.Helper()
	h.now++
	actions, err := h.s.Step(h.now, ev)
	if err != nil {
		h.Fatal(err)
	}
	h.posts, h.asks, h.warnings = nil, nil, nil
	for _, a := range actions {
		switch a := a.(type) {
		case session.Post:
			h.posts = append(h.posts, a)
		case session.Warning:
			h.warnings = append(h.warnings, a.Text.String())
		case session.From:
			if ask, ok := a.Action.(engine.Ask); ok {
				h.asks = append(h.asks, ask)
			}
		}
	}
}

// begin makes a call and returns its number.
func (h *host) begin(method, params string) int {
	h.Helper()
	call, err := h.s.Call(method, []byte(params), engine.Options{})
	if err != nil {
		h.Fatal(err)
	}
	h.step(session.To{Call: call, Event: engine.Begin{}})
	return call
}

// message is one of the server, in an exchange.
func (h *host) message(exchange int, last bool, format string, values ...any) {
	h.Helper()
	h.step(session.Message{Exchange: exchange, Last: last, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0",`+format+`}`, values...)})
}

// posted is the one post of the last step.
func (h *host) posted() session.Post {
	h.Helper()
	if len(h.posts) != 1 {
		h.Fatalf("%d posts, want 1", len(h.posts))
	}
	return h.posts[0]
}

// params counts the header fields that mirror arguments.
func params(p session.Post) (n int) {
	for _, header := range p.Headers {
		if strings.HasPrefix(header.Name, "Mcp-Param-") {
			n++
		}
	}
	return n
}

// annotated is a tool with so many x-mcp-header, and a call's params for it.
func annotated(name string, n int) (tool, params string) {
	var properties, arguments []string
	for i := range n {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"integer","x-mcp-header":"P%[1]d"}`, i))
		arguments = append(arguments, fmt.Sprintf(`"p%d":%[1]d`, i))
	}
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"properties":{%s}}}`, name, strings.Join(properties, ",")),
		fmt.Sprintf(`{"name":%q,"arguments":{%s}}`, name, strings.Join(arguments, ","))
}

// TestAnnotations: a tool has at most 64 x-mcp-header, and of all pages that
// are fetched for a leg at most 4096 tools are kept that have any.
func TestAnnotations(t *testing.T) {
	h := newHost(t, session.Options{Known: "2026-07-28"})
	most, mostParams := annotated("most", 64)
	more, moreParams := annotated("more", 65)
	h.begin("tools/list", `{}`)
	h.message(1, true, `"id":1,"result":{"resultType":"complete","tools":[%s,%s]}`, most, more)
	if len(h.warnings) != 1 || !strings.Contains(h.warnings[0], `"more"`) {
		t.Fatalf("warnings: %q", h.warnings)
	}
	if h.begin("tools/call", mostParams); params(h.posted()) != 64 {
		t.Errorf("%d header fields, want 64", params(h.posted()))
	}
	h.begin("tools/call", moreParams)
	if params(h.posted()) != 0 {
		t.Errorf("%d header fields of a tool that is left out", params(h.posted()))
	}

	const refused = `"id":%d,"error":{"code":-32020,"message":"mismatch"}`
	h.message(h.posted().Exchange, true, refused, h.posted().Exchange)
	many := make([]string, 2048)
	for page := range 3 {
		for i := range many {
			many[i], _ = annotated(fmt.Sprintf("%d-%d", page, i), 1)
		}
		last, next := most, fmt.Sprintf(`,"nextCursor":"c%d"`, page)
		if page == 2 {
			last, next = more, ""
		}
		id := h.posted().Exchange
		h.message(id, true, `"id":%d,"result":{"resultType":"complete","tools":[%s,%s]%s}`, id, strings.Join(many, ","), last, next)
	}
	if len(h.warnings) != 1 || params(h.posted()) != 0 {
		t.Errorf("fetched anew: %q, %d header fields", h.warnings, params(h.posted()))
	}
	for name, want := range map[string]int{"0-0": 1, "1-2046": 1, "2-0": 0} {
		_, call := annotated(name, 1)
		if h.begin("tools/call", call); params(h.posted()) != want {
			t.Errorf("%s: %d header fields, want %d", name, params(h.posted()), want)
		}
	}
}

// TestTaskTools: of the tools that may run as tasks at most 4096 are kept. One that
// is not among them is called as the caller has it, and the list is not asked for
// again.
func TestTaskTools(t *testing.T) {
	h := newHost(t, session.Options{Transport: session.Stdio, Versions: []string{"2025-11-25"}})
	h.begin("tools/call", `{"name":"4999","task":{}}`)
	h.message(0, false, `"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tasks":{"requests":{"tools":{"call":{}}}}}}`)
	tools := make([]string, 5000)
	for i := range tools {
		tools[i] = fmt.Sprintf(`{"name":"%d","execution":{"taskSupport":"required"}}`, i)
	}
	h.message(0, false, `"id":3,"result":{"tools":[%s]}`, strings.Join(tools, ","))
	for name, want := range map[string]bool{"4095": true, "4096": false, "other": false} {
		h.begin("tools/call", fmt.Sprintf(`{"name":%q}`, name))
		if body := string(h.posted().Body); !strings.Contains(body, `"tools/call"`) || strings.Contains(body, `"task":{}`) != want {
			t.Errorf("%s: got %s, want a call, as a task: %v", name, body, want)
		}
	}
}

// earlierLeg makes a call of a server of an earlier era and returns the
// exchange of its leg.
func (h *host) earlierLeg() (call, exchange int) {
	h.Helper()
	call = h.begin("tools/call", `{"name":"t"}`)
	h.message(1, true, `"id":1,"result":{"protocolVersion":"2025-11-25"}`)
	h.step(session.Ended{Exchange: 2, Status: 202})
	return call, h.posted().Exchange
}

const question = `"id":%q,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}`

// TestRefusalsForgotten: of questions that are refused unasked, which cost no
// round, 256 are remembered while their leg is in flight. What a person
// answered is not forgotten for them.
func TestRefusalsForgotten(t *testing.T) {
	h := newHost(t, session.Options{Known: "2025-11-25"})
	call, exchange := h.earlierLeg()
	h.message(exchange, false, question, "asked")
	h.step(session.To{Call: call, Event: engine.Answer{Ask: h.asks[0].ID, Raw: []byte(`{"action":"decline"}`)}})
	h.step(session.Ended{Exchange: h.posted().Exchange, Status: 202})
	var refusals []int
	for i := range 1000 {
		h.message(exchange, false, `"id":%d,"method":"elicitation/create","params":{}`, i)
		refusals = append(refusals, h.posted().Exchange)
	}
	again := 0
	for _, exchange := range refusals {
		h.step(session.Ended{Exchange: exchange}) // its connection broke
		again += len(h.posts)
	}
	if again == 0 || again > 256 {
		t.Errorf("%d refusals are sent again, want at most 256", again)
	}
	h.message(exchange, false, question, "asked")
	if len(h.asks) != 0 || len(h.posts) != 0 {
		t.Error("what was answered is asked again")
	}
}

// TestAskedTooLong: a request of the server is at most 1 MiB long.
func TestAskedTooLong(t *testing.T) {
	h := newHost(t, session.Options{Known: "2025-11-25"})
	_, exchange := h.earlierLeg()
	const method = `"id":%d,"method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","properties":{}}}`
	h.message(exchange, false, method, 1, strings.Repeat("m", 1<<20))
	if got, want := string(h.posted().Body), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the request is too long"}}`; got != want || len(h.asks) != 0 {
		t.Errorf("got %.200s, want %s", got, want)
	}
	h.message(exchange, false, method, 2, strings.Repeat("m", 1<<20-1000))
	if len(h.asks) != 1 {
		t.Errorf("%d questions, want 1", len(h.asks))
	}
}

// TestEarlyTooMuch: what the server asks before a call is in flight is at most
// 1 MiB, all together.
func TestEarlyTooMuch(t *testing.T) {
	h := newHost(t, session.Options{Transport: session.Stdio, Known: "2025-11-25"})
	h.begin("tools/call", `{"name":"t"}`)
	for i, isRefused := range []bool{false, false, true, true, false} {
		size := 3 << 17 // bytes
		if i == 4 {
			size = 1 << 17
		}
		h.message(0, false, `"id":"%d","method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","properties":{}}}`, i, strings.Repeat("m", size))
		switch {
		case !isRefused && len(h.posts) > 0:
			t.Errorf("request %d is refused: %.200s", i, h.posted().Body)
		case isRefused && !strings.Contains(string(h.posted().Body), "too many requests at once"):
			t.Errorf("request %d: %.200s", i, h.posted().Body)
		}
	}
	h.message(0, false, `"id":1,"result":{"protocolVersion":"2025-11-25"}`)
	if len(h.asks) != 1 { // one at a time
		t.Errorf("%d questions, want 1", len(h.asks))
	}
}

// A filter is bounded in the number of its uris and in the size of each, and a
// server that acknowledges more than was asked for adds nothing to it.
func TestFilterBound(t *testing.T) {
	h := newHost(t, session.Options{Versions: []string{"2026-07-28"}})
	uris := make([]string, 1001)
	for i := range uris {
		uris[i] = fmt.Sprintf("file:///%d", i)
	}
	for name, bad := range map[string][]string{"number": uris, "size": {strings.Repeat("x", 8<<10+1)}, "empty": {""}, "not UTF-8": {"\xff"}} {
		if actions, err := h.s.Step(0, session.Subscribe{Filter: session.Filter{ResourceSubscriptions: bad}}); err == nil || len(actions) > 0 {
			t.Errorf("%s: got %v, %v, want an error", name, actions, err)
		}
	}
	h.step(session.Subscribe{Filter: session.Filter{ResourceSubscriptions: uris[1:]}})
	if len(h.posts) != 1 || strings.Count(string(h.posts[0].Body), `"file:///`) != 1000 {
		t.Fatalf("got %d posts, want one with 1000 uris", len(h.posts))
	}
	more := `"file:///1"` + strings.Repeat(`,"file:///x","file:///1"`, 5000)
	actions, err := h.s.Step(h.now, session.Message{Exchange: 1, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":[%s]}}}`, more)})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range actions {
		if s, ok := a.(session.Subscribed); ok {
			if len(s.ResourceSubscriptions) != 1 {
				t.Errorf("acknowledged: got %d uris, want 1", len(s.ResourceSubscriptions))
			}
			return
		}
	}
	t.Errorf("got %v, want a Subscribed", actions)
}
