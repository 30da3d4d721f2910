package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// counting is a tool, a prompt and a resource that count in a plain state: they
// ask twice, and then say what they saw.
func counting(server *mcp.Server) {
	count := func(state string) (next string, done bool) { return state + "I", state == "II" }
	question := mcp.InputRequestMap{"q": form("More?", "more")}
	for _, name := range []string{"count", "other"} {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: object()}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			p := req.Params
			next, done := count(p.RequestState)
			if done {
				return result("state %s, args %s, answers %s", p.RequestState, p.Arguments, keysOf(p.InputResponses)), nil
			}
			return &mcp.CallToolResult{InputRequests: question, RequestState: next}, nil
		})
	}
	server.AddPrompt(&mcp.Prompt{Name: "count"}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		next, done := count(req.Params.RequestState)
		if done {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "done"}}}}, nil
		}
		return &mcp.GetPromptResult{InputRequests: question, RequestState: next}, nil
	})
	server.AddResource(&mcp.Resource{Name: "count", URI: "test://count"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		next, done := count(req.Params.RequestState)
		if done {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "done"}}}, nil
		}
		return &mcp.ReadResourceResult{InputRequests: question, RequestState: next}, nil
	})
}

func keysOf(answers mcp.InputResponseMap) string {
	questions := mcp.InputRequestMap{}
	for key := range answers {
		questions[key] = nil
	}
	return asks(questions)
}

func TestGuardSeals(t *testing.T) {
	url := serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, counting))
	session := legs(t, url, everything())
	answers := mcp.InputResponseMap{"q": accept(map[string]any{"more": "yes"}), "unasked": accept(nil)}

	t.Run("tool", func(t *testing.T) {
		_, first := call(t, session, "count", map[string]any{"n": 1}, nil, "")
		_, second := call(t, session, "count", map[string]any{"n": 1}, answers, first)
		if strings.Contains(first+second, "I") && len(first) < 100 || first == second || len(second) < 100 {
			t.Errorf("states: got %q, %q, want two sealed ones", first, second)
		}
		got, _ := call(t, session, "count", map[string]any{"n": 1}, answers, second)
		if want := `state II, args {"n":1}, answers ? q`; got != want {
			t.Errorf("handler saw: got %q, want %q", got, want)
		}
	})
	t.Run("prompt", func(t *testing.T) {
		p := &mcp.GetPromptParams{Name: "count", Arguments: map[string]string{"a": "b"}}
		for _, want := range []string{"? q", "? q", "done"} {
			res, err := session.GetPrompt(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			got := asks(res.InputRequests)
			if len(res.Messages) > 0 {
				got = res.Messages[0].Content.(*mcp.TextContent).Text
			}
			if got != want || len(res.RequestState) == 0 == res.NeedsInput() {
				t.Fatalf("got %q with state %q, want %q", got, res.RequestState, want)
			}
			p.RequestState, p.InputResponses = res.RequestState, answers
		}
	})
	t.Run("resource", func(t *testing.T) {
		p := &mcp.ReadResourceParams{URI: "test://count"}
		for _, want := range []string{"? q", "? q", "done"} {
			res, err := session.ReadResource(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			got := asks(res.InputRequests)
			if len(res.Contents) > 0 {
				got = res.Contents[0].Text
			}
			if got != want || len(res.RequestState) == 0 == res.NeedsInput() {
				t.Fatalf("got %q with state %q, want %q", got, res.RequestState, want)
			}
			p.RequestState, p.InputResponses = res.RequestState, answers
		}
	})
}

// TestGuardRefuses holds every refusal to the same bytes, and the log to the
// cause and nothing else.
func TestGuardRefuses(t *testing.T) {
	now := newClock()
	var logged journal
	who := "ada"
	o := gosdk.Options{
		Logger:    logged.logger(),
		Principal: func(context.Context, mcp.Request) (*string, error) { return &who, nil },
	}
	session := legs(t, serve(t, newServer(newGuard(t, now, codec.GuardOptions{TTL: time.Minute}), o, counting)), everything())
	args := map[string]any{"n": 1}
	_, state := call(t, session, "count", args, nil, "")
	other, err := codec.NewAEAD(ring(t, 2), codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := func(g codec.GuardOptions) string {
		_, state := call(t, legs(t, serve(t, newServer(newGuard(t, now, g), o, counting)), everything()), "count", args, nil, "")
		return state
	}
	late := func() func() { now.advance(time.Minute); return func() { now.advance(-time.Minute) } }
	mallory := func() func() { who = "mallory"; return func() { who = "ada" } }
	tests := map[string]struct {
		tool   string
		args   any
		state  string
		during func() func()
		cause  string
	}{
		"tampered":        {"count", args, state[:len(state)-4] + "AAAA", nil, "forged"},
		"plain":           {"count", args, "II", nil, "malformed"},
		"other arguments": {"count", map[string]any{"n": 2}, state, nil, "arguments"},
		"no arguments":    {"count", nil, state, nil, "arguments"},
		"other tool":      {"other", args, state, nil, "target"},
		"unknown tool":    {"missing", args, state, nil, "target"},
		"other key":       {"count", args, elsewhere(codec.GuardOptions{Codec: other}), nil, "unknown key"},
		"other audience":  {"count", args, elsewhere(codec.GuardOptions{Audience: "elsewhere"}), nil, "target"},
		"expired":         {"count", args, state, late, "expired"},
		"other principal": {"count", args, state, mallory, "principal"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.during != nil {
				defer tt.during()()
			}
			before := len(logged.String())
			if got, _ := call(t, session, tt.tool, tt.args, nil, tt.state); got != frozen {
				t.Errorf("got %s, want %s", got, frozen)
			}
			line := logged.String()[before:]
			if !strings.Contains(line, "cause=\"codec: "+tt.cause) {
				t.Errorf("cause in the log: got %s, want %q", line, tt.cause)
			}
			if strings.Contains(line, tt.state) || strings.Contains(line, who) {
				t.Errorf("a state or a principal is in the log: %s", line)
			}
		})
	}
}

func TestGuardCannotSeal(t *testing.T) {
	reply := &mcp.CallToolResult{}
	asking := func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return reply, nil
		})
	}
	question := mcp.InputRequestMap{"q": form("?", "a")}
	unknown := func(context.Context, mcp.Request) (*string, error) { return nil, errors.New("directory is down") }
	tests := map[string]struct {
		guard  codec.GuardOptions
		o      gosdk.Options
		result *mcp.CallToolResult
		cause  string
	}{
		"no randomness": {codec.GuardOptions{Env: codec.Env{Rand: strings.NewReader("")}}, gosdk.Options{},
			&mcp.CallToolResult{InputRequests: question, RequestState: "secret"}, "no randomness"},
		"too large": {codec.GuardOptions{}, gosdk.Options{},
			&mcp.CallToolResult{InputRequests: question, RequestState: strings.Repeat("secret", 4000)}, "too large"},
		"a state alone": {codec.GuardOptions{}, gosdk.Options{},
			&mcp.CallToolResult{RequestState: "secret"}, "without InputRequests"},
		"nil for a question": {codec.GuardOptions{}, gosdk.Options{},
			&mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": nil}, RequestState: "secret"}, "a question"},
		"who asks is unknown": {codec.GuardOptions{}, gosdk.Options{Principal: unknown},
			&mcp.CallToolResult{InputRequests: question, RequestState: "secret"}, "directory is down"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var logged journal
			tt.o.Logger = logged.logger()
			reply = tt.result
			session := legs(t, serve(t, newServer(newGuard(t, newClock(), tt.guard), tt.o, asking)), everything())
			if got, _ := call(t, session, "ask", nil, nil, ""); got != internal {
				t.Errorf("got %s, want %s", got, internal)
			}
			if line := logged.String(); !strings.Contains(line, tt.cause) || strings.Contains(line, "secret") {
				t.Errorf("log: got %s, want %q and no state", line, tt.cause)
			}
		})
	}

	t.Run("nothing to seal", func(t *testing.T) {
		session := legs(t, serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{Principal: unknown}, asking)), everything())
		for want, r := range map[string]*mcp.CallToolResult{"done": result("done"), "? ": {InputRequests: mcp.InputRequestMap{}}} {
			reply = r
			if got, state := call(t, session, "ask", nil, nil, ""); got != want || state != "" {
				t.Errorf("got %s with state %q, want %s without", got, state, want)
			}
		}
	})
	t.Run("a result for many", func(t *testing.T) {
		reply = &mcp.CallToolResult{InputRequests: question, RequestState: "secret"}
		session := legs(t, serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking)), everything())
		call(t, session, "ask", nil, nil, "")
		if call(t, session, "ask", nil, nil, ""); reply.RequestState != "secret" {
			t.Errorf("the handler's own result was sealed: %q", reply.RequestState)
		}
	})
}

// TestGuardMeetsRaw exchanges states with a Guard that works on raw JSON, as
// other servers of a fleet do.
func TestGuardMeetsRaw(t *testing.T) {
	now := newClock()
	raw := newGuard(t, now, codec.GuardOptions{})
	url := serve(t, newServer(newGuard(t, now, codec.GuardOptions{}), gosdk.Options{}, counting))
	tests := map[string]struct {
		method, name string
		there, here  string // params, as sent to the raw Guard and to the SDK's server
		want         string // of the answer here
	}{
		"tool":                 {"tools/call", "count", `"name":"count","arguments":{"n":1e2,"s":"é"}`, `"arguments":{ "s":"\u00e9", "n":100.0 },"name":"count"`, `"q":`},
		"no arguments":         {"tools/call", "count", `"name":"count"`, `"name":"count","arguments":null`, `"q":`},
		"exact number":         {"tools/call", "count", `"name":"count","arguments":{"n":9007199254740992}`, `"name":"count","arguments":{"n":9007199254740993}`, "-32602"},
		"name twice":           {"tools/call", "count", `"name":"count","arguments":{"n":1,"n":2}`, `"name":"count","arguments":{"n":1,"n":2}`, `"q":`},
		"prompt":               {"prompts/get", "count", `"name":"count","arguments":{"b":"<\u00e9>","a":""}`, `"name":"count","arguments":{"a":"","b":"<é>"}`, `"q":`},
		"prompt, no arguments": {"prompts/get", "count", `"name":"count"`, `"name":"count","arguments":{}`, `"q":`},
		"prompt, other":        {"prompts/get", "count", `"name":"count","arguments":{"a":"x"}`, `"name":"count","arguments":{"a":"y"}`, "-32602"},
		"resource":             {"resources/read", "test://count", `"uri":"test://count"`, `"uri":"test:\/\/count"`, `"q":`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, x, err := raw.Inbound(tt.method, []byte(`{`+tt.there+`}`), nil)
			if err != nil {
				t.Fatal(err)
			}
			sealed, err := raw.Outbound(x, []byte(`{"resultType":"input_required","requestState":"I","inputRequests":{"q":{"method":"roots/list"}}}`))
			if err != nil {
				t.Fatal(err)
			}
			var there struct{ RequestState string }
			if err := json.Unmarshal(sealed, &there); err != nil {
				t.Fatal(err)
			}
			got := post(t, url, tt.method, tt.name, fmt.Sprintf(`%s,"requestState":%q`, tt.here, there.RequestState))
			if !strings.Contains(got, tt.want) {
				t.Fatalf("here: got %s, want %s", got, tt.want)
			}
			if tt.want == "-32602" {
				return
			}
			var here struct {
				Result struct{ RequestState string }
			}
			if err := json.Unmarshal([]byte(got), &here); err != nil {
				t.Fatal(err)
			}
			params := fmt.Sprintf(`{%s,"requestState":%q,"inputResponses":{"q":{"action":"cancel"},"r":{}}}`, tt.there, here.Result.RequestState)
			opened, x, err := raw.Inbound(tt.method, []byte(params), nil)
			if err != nil || !strings.Contains(string(opened), `"requestState":"II"`) || strings.Contains(string(opened), `"r":`) {
				t.Fatalf("there: got %s, %v, want the state II and the answer q alone", opened, err)
			}
			q := `{"message":"More?","mode":"form","requestedSchema":{"required":["more"],"type":"object","properties":{"more":{"type":"string"}}}}`
			if got := x.Verdict("q", "elicitation/create", []byte(q)); got != codec.Same {
				t.Errorf("verdict of the question as sent: got %v, want %v", got, codec.Same)
			}
		})
	}
}

func TestGuardUndeclared(t *testing.T) {
	questions := mcp.InputRequestMap{}
	asking := func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{InputRequests: questions}, nil
		})
	}
	url := serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking))
	message := &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "?"}}}, MaxTokens: 1}
	page := &mcp.ElicitParams{Message: "?", URL: "https://example.com/"}
	urlOnly := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}}
	noMode := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}}
	tests := map[string]struct {
		declared *mcp.ClientCapabilities
		question mcp.InputRequest
		want     string
	}{
		"nothing":       {&mcp.ClientCapabilities{}, form("?", "a"), `{"elicitation":{"form":{}}}`},
		"form, url":     {urlOnly, form("?", "a"), `{"elicitation":{"form":{}}}`},
		"form, no mode": {noMode, form("?", "a"), ""},
		"page, no mode": {noMode, page, `{"elicitation":{"url":{}}}`},
		"page":          {urlOnly, page, ""},
		"sampling":      {urlOnly, message, `{"sampling":{}}`},
		"tools": {everything(), &mcp.CreateMessageWithToolsParams{MaxTokens: 1, Messages: []*mcp.SamplingMessageV2{},
			Tools: []*mcp.Tool{{Name: "t", InputSchema: object()}}}, `{"sampling":{"tools":{}}}`},
		"roots": {urlOnly, &mcp.ListRootsParams{}, `{"roots":{}}`},
		"all":   {everything(), &mcp.ListRootsParams{}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			questions = mcp.InputRequestMap{"q": tt.question}
			want := "? q"
			if tt.want != "" {
				want = `{"requiredCapabilities":` + tt.want + `}`
			}
			if got, _ := call(t, legs(t, url, tt.declared), "ask", nil, nil, ""); !strings.HasSuffix(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestGuardUnpinned(t *testing.T) {
	question := form("Your name?", "name")
	greet := func(server *mcp.Server) {
		for _, name := range []string{"pinned", "unpinned"} {
			server.AddTool(&mcp.Tool{Name: name, InputSchema: object()}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, req.Params.InputResponses, "name", question)
				if verdict == codec.Missing {
					return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"name": question}}, nil
				}
				return result("%v: %v", verdict == codec.Same, res.Content["name"]), nil
			})
		}
	}
	o := gosdk.Options{Unpinned: []string{"unpinned"}}
	ada := mcp.InputResponseMap{"name": accept(map[string]any{"name": "Ada"})}
	tests := map[string]struct {
		tool   string
		guard  codec.GuardOptions
		sealed bool
		want   string
	}{
		"pinned":        {"pinned", codec.GuardOptions{}, true, "true: Ada"},
		"unpinned":      {"unpinned", codec.GuardOptions{}, false, "false: Ada"},
		"require state": {"unpinned", codec.GuardOptions{RequireState: true}, false, "? name"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			session := legs(t, serve(t, newServer(newGuard(t, newClock(), tt.guard), o, greet)), everything())
			_, state := call(t, session, tt.tool, nil, nil, "")
			if (state != "") != tt.sealed {
				t.Errorf("state: got %q, want one: %v", state, tt.sealed)
			}
			if got, _ := call(t, session, tt.tool, nil, ada, state); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAnswer(t *testing.T) {
	ctx := context.Background()
	question := form("?", "a")
	answers := mcp.InputResponseMap{"q": accept(nil), "m": says("")}
	if res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, answers, "q", question); res == nil || verdict != codec.Unproven {
		t.Errorf("without a Guard: got %v, %v, want the answer and %v", res, verdict, codec.Unproven)
	}
	for _, key := range []string{"m", "none"} {
		if res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, answers, key, question); res != nil || verdict != codec.Missing {
			t.Errorf("%s: got %v, %v, want nothing and %v", key, res, verdict, codec.Missing)
		}
	}
	if x := gosdk.Exchange(ctx); x != nil {
		t.Errorf("Exchange without a Guard: got %v, want nil", x)
	}
}
