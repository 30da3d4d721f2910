package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// A script is a handler, in short.
type script func(ctx context.Context, ask *gosdk.Ask) (string, error)

// asking adds the script as the tool "ask".
func asking(s script) func(*mcp.Server) {
	return func(server *mcp.Server) {
		mcp.AddTool(server, &mcp.Tool{Name: "ask", InputSchema: object()}, gosdk.AskingFor(
			func(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
				out, err := s(ctx, ask)
				if err != nil {
					return nil, nil, err
				}
				return result("%s", out), nil, nil
			}))
	}
}

// names asks for two names, one after the other.
func names(first, second string) script {
	return func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		a, err := ask.Elicit(ctx, form(first, "a"))
		if err != nil {
			return "", err
		}
		b, err := ask.Elicit(ctx, form(second, "a"))
		if err != nil {
			return "", err
		}
		return said(a) + " and " + said(b), nil
	}
}

func said(res *mcp.ElicitResult) string {
	if res.Action != "accept" {
		return res.Action
	}
	return fmt.Sprint(res.Content["a"])
}

// fill accepts the form under a key with a value for "a".
func fill(key, value string) mcp.InputResponseMap {
	return mcp.InputResponseMap{key: accept(map[string]any{"a": value})}
}

// round is the answers of a leg, with the script that the server has by then.
type round struct {
	script  script
	answers mcp.InputResponseMap
	want    string
}

// play takes rounds, each on an instance of its own with the same keys.
func play(t *testing.T, o gosdk.Options, rounds []round) {
	t.Helper()
	now, state := newClock(), ""
	for i, r := range rounds {
		session := legs(t, serve(t, newServer(newGuard(t, now, codec.GuardOptions{}), o, asking(r.script))), everything())
		got, next := call(t, session, "ask", nil, r.answers, state)
		if got != r.want {
			t.Fatalf("round %d: got %s, want %s", i+1, got, r.want)
		}
		state = next
	}
}

func TestAsk(t *testing.T) {
	const one, two = "elicitation-1", "elicitation-2"
	both := names("Your name?", "Your friend's?")
	ada, bob := fill(one, "Ada"), fill(two, "Bob")
	swapped := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		out, err := names("Your friend's?", "Your name?")(ctx, ask)
		return "swapped " + out, err
	}
	pair := func(keys ...string) script {
		return func(ctx context.Context, ask *gosdk.Ask) (string, error) {
			questions := mcp.InputRequestMap{}
			for _, key := range keys {
				questions[key] = form("For "+strings.TrimRight(key, "!")+"?", "a")
			}
			all, err := ask.All(ctx, questions)
			if err != nil {
				return "", err
			}
			last, err := ask.Elicit(ctx, form("And?", "a"))
			if err != nil {
				return "", err
			}
			var out []string
			for _, key := range keys {
				out = append(out, said(all[key].(*mcp.ElicitResult)))
			}
			return strings.Join(append(out, said(last)), " "), nil
		}
	}
	twice := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		var out []string
		for range 2 {
			all, err := ask.All(ctx, mcp.InputRequestMap{"q": form("Again?", "a")})
			if err != nil {
				return "", err
			}
			out = append(out, said(all["q"].(*mcp.ElicitResult)))
		}
		return strings.Join(out, " "), nil
	}
	swallows := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		res, err := ask.Elicit(ctx, form("?", "a"))
		if err != nil {
			_, err := ask.Elicit(ctx, form("Another?", "a"))
			return "no error", fmt.Errorf("unrelated: %v", errors.Is(err, gosdk.ErrPending))
		}
		return said(res), nil
	}
	xy := mcp.InputResponseMap{"x": accept(map[string]any{"a": "X"}), "y": accept(map[string]any{"a": "Y"})}
	x, y := fill("x", "X"), fill("y", "Y")
	tests := map[string][]round{
		"in turn": {{both, nil, "? " + one}, {both, ada, "? " + two}, {both, bob, "Ada and Bob"}},
		"no answer": {{both, nil, "? " + one}, {both, nil, "? " + one}, {both, ada, "? " + two},
			{both, mcp.InputResponseMap{}, "? " + two}, {both, bob, "Ada and Bob"}},
		"a no is an answer": {{both, nil, "? " + one}, {both, mcp.InputResponseMap{one: &mcp.ElicitResult{Action: "decline"}}, "? " + two},
			{both, mcp.InputResponseMap{two: &mcp.ElicitResult{Action: "cancel"}}, "decline and cancel"}},
		"useless answers": {{both, nil, "? " + one}, {both, mcp.InputResponseMap{one: says("Ada")}, "? " + one},
			{both, mcp.InputResponseMap{one: accept(map[string]any{"a": 7})}, "? " + one}, {both, mcp.InputResponseMap{one: accept(nil)}, "? " + one},
			{both, mcp.InputResponseMap{one: &mcp.ElicitResult{Action: "perhaps"}}, "? " + one}, {both, ada, "? " + two}},
		"an answer too early": {{both, nil, "? " + one}, {both, mcp.InputResponseMap{one: ada[one], two: bob[two]}, "? " + two}, {both, nil, "? " + two}},

		"first wording changed while open": {{both, nil, "? " + one}, {names("Name, please?", "Your friend's?"), ada, "? " + one}},
		"first wording changed later": {{both, nil, "? " + one}, {both, ada, "? " + two},
			{names("Name, please?", "Your friend's?"), bob, "? " + one}, {names("Name, please?", "Your friend's?"), ada, "? " + two}},
		"second wording changed": {{both, nil, "? " + one}, {both, ada, "? " + two}, {names("Your name?", "A friend's?"), bob, "? " + two},
			{names("Your name?", "A friend's?"), bob, "Ada and Bob"}},
		"order changed": {{both, nil, "? " + one}, {both, ada, "? " + two}, {swapped, bob, "? " + one}, {swapped, fill(one, "Bob"), "? " + two},
			{swapped, fill(two, "Ada"), "swapped Bob and Ada"}},
		"other questions": {{both, nil, "? " + one}, {both, ada, "? " + two}, {pair("x", "y"), bob, "? x y"}},

		"at once": {{pair("x", "y"), nil, "? x y"}, {pair("x", "y"), xy, "? " + one}, {pair("x", "y"), fill(one, "Z"), "X Y Z"}},
		"in part": {{pair("x", "y"), nil, "? x y"}, {pair("x", "y"), y, "? x"}, {pair("x", "y"), x, "? " + one}, {pair("x", "y"), fill(one, "Z"), "X Y Z"}},
		"one added later": {{pair("x"), nil, "? x"}, {pair("x"), x, "? " + one}, {pair("x", "y"), fill(one, "Z"), "? y"},
			{pair("x", "y"), y, "? " + one}, {pair("x", "y"), fill(one, "Z"), "X Y Z"}},
		"one removed later": {{pair("x", "y"), nil, "? x y"}, {pair("x", "y"), xy, "? " + one}, {pair("x"), fill(one, "Z"), "? " + one},
			{pair("x"), fill(one, "Z"), "X Z"}},
		"the same question again": {{twice, nil, "? q"}, {twice, fill("q", "1"), "? q"}, {twice, fill("q", "2"), "1 2"}},
		"error not returned":      {{swallows, nil, "? " + one}, {swallows, ada, "Ada"}},
	}
	for name, rounds := range tests {
		t.Run(name, func(t *testing.T) { play(t, gosdk.Options{}, rounds) })
	}
}

// TestAskStartsOver gives a handler the state of an earlier version that did not
// ask this way.
func TestAskStartsOver(t *testing.T) {
	for _, state := range []string{"step=2", "null", "[]", `{"asking":2,"steps":[[]]}`, `{"asking":1}`} {
		before := func(server *mcp.Server) {
			server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{RequestState: state, InputRequests: mcp.InputRequestMap{"elicitation-1": form("Your name?", "a")}}, nil
			})
		}
		now := newClock()
		_, token := call(t, legs(t, serve(t, newServer(newGuard(t, now, codec.GuardOptions{}), gosdk.Options{}, before)), everything()), "ask", nil, nil, "")
		session := legs(t, serve(t, newServer(newGuard(t, now, codec.GuardOptions{}), gosdk.Options{}, asking(names("Your name?", "?")))), everything())
		if got, _ := call(t, session, "ask", nil, fill("elicitation-1", "Ada"), token); got != "? elicitation-1" {
			t.Errorf("state %s: got %s, want the first question", state, got)
		}
	}
}

func TestAskKinds(t *testing.T) {
	s := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		message := &mcp.SamplingMessage{Role: "user", Content: &mcp.TextContent{Text: "A word?"}}
		sampled, err := ask.Sample(ctx, &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{message}, MaxTokens: 9})
		if err != nil {
			return "", err
		}
		roots, err := ask.ListRoots(ctx)
		if err != nil {
			return "", err
		}
		page, err := ask.Elicit(ctx, &mcp.ElicitParams{Mode: "url", Message: "Look.", URL: "https://example.com/"})
		if err != nil {
			return "", err
		}
		var words []string
		for _, c := range sampled.Content {
			words = append(words, c.(*mcp.TextContent).Text)
		}
		return fmt.Sprintf("%s %s %s", strings.Join(words, "+"), roots.Roots[0].URI, page.Action), nil
	}
	two := &mcp.CreateMessageWithToolsResult{Role: "assistant", Model: "m", Content: []mcp.Content{&mcp.TextContent{Text: "<a>"}, &mcp.TextContent{Text: "b"}}}
	list := &mcp.ListRootsResult{Roots: []*mcp.Root{{URI: "file:///home/ada"}}}
	play(t, gosdk.Options{}, []round{
		{s, nil, "? sampling-1"},
		{s, mcp.InputResponseMap{"sampling-1": &mcp.CreateMessageWithToolsResult{Role: "user", Model: "m", Content: two.Content}}, "? sampling-1"},
		{s, mcp.InputResponseMap{"sampling-1": two}, "? roots-2"},
		{s, mcp.InputResponseMap{"roots-2": &mcp.ListRootsResult{Roots: []*mcp.Root{nil}}}, "? roots-2"},
		{s, mcp.InputResponseMap{"roots-2": list}, "? elicitation-3"},
		{s, mcp.InputResponseMap{"elicitation-3": accept(nil)}, "<a>+b file:///home/ada accept"},
	})
}

func TestOnce(t *testing.T) {
	runs := 0
	hold := func(key string) script {
		return func(ctx context.Context, ask *gosdk.Ask) (string, error) {
			place, err := ask.Elicit(ctx, form("Where?", "a"))
			if err != nil {
				return "", err
			}
			held, err := gosdk.Once(ctx, ask, key, func(context.Context) (map[string]int, error) {
				runs++
				return map[string]int{"number": runs}, nil
			})
			if err != nil {
				return "", err
			}
			agreed, err := ask.Elicit(ctx, form(fmt.Sprintf("Number %d?", held["number"]), "a"))
			if err != nil {
				return "", err
			}
			return fmt.Sprint(said(place), held["number"], said(agreed)), nil
		}
	}
	here, yes := fill("elicitation-1", "here"), fill("elicitation-2", "yes")
	tests := map[string]struct {
		rounds []round
		runs   int
	}{
		"once": {[]round{{hold("a"), nil, "? elicitation-1"}, {hold("a"), here, "? elicitation-2"}, {hold("a"), nil, "? elicitation-2"},
			{hold("a"), yes, "here1yes"}}, 1},
		"another key": {[]round{{hold("a"), nil, "? elicitation-1"}, {hold("a"), here, "? elicitation-2"}, {hold("b"), yes, "? elicitation-2"},
			{hold("b"), yes, "here2yes"}}, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			runs = 0
			if play(t, gosdk.Options{}, tt.rounds); runs != tt.runs {
				t.Errorf("runs: got %d, want %d", runs, tt.runs)
			}
		})
	}

	fails := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		_, err := gosdk.Once(ctx, ask, "a", func(context.Context) (int, error) { return 0, errors.New("no more rooms") })
		return "", err
	}
	play(t, gosdk.Options{}, []round{{fails, nil, "error: no more rooms"}})
	lost := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		_, err := gosdk.Once(ctx, ask, "a", func(context.Context) (func(), error) { return func() {}, nil })
		return "", err
	}
	play(t, gosdk.Options{}, []round{{lost, nil, `error: gosdk: the result of Once("a"): json: unsupported type: func()`}})
}

func TestForm(t *testing.T) {
	type machine struct {
		Size  string `json:"size" jsonschema:"small or large"`
		Disks int8   `json:"disks,omitempty"`
	}
	derived := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		m, action, err := gosdk.Form[machine](ctx, ask, &mcp.ElicitParams{Message: "Which?"})
		return fmt.Sprintf("%s %s %d", action, m.Size, m.Disks), err
	}
	schema := json.RawMessage(`{"type":"object","properties":{"size":{"type":"string"},"disks":{"type":"integer","default":3}},"required":["size"]}`)
	given := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		m, action, err := gosdk.Form[machine](ctx, ask, &mcp.ElicitParams{Message: "Which?", RequestedSchema: schema})
		return fmt.Sprintf("%s %s %d", action, m.Size, m.Disks), err
	}
	const key = "elicitation-1"
	answer := func(content map[string]any) mcp.InputResponseMap { return mcp.InputResponseMap{key: accept(content)} }
	tests := map[string]struct {
		script  script
		answers mcp.InputResponseMap
		want    string
	}{
		"derived":        {derived, answer(map[string]any{"size": "large", "disks": 2}), "accept large 2"},
		"field left out": {derived, answer(map[string]any{"size": "large"}), "accept large 0"},
		"required":       {derived, answer(map[string]any{"disks": 2}), "? " + key},
		"not whole":      {derived, answer(map[string]any{"size": "large", "disks": 2.5}), "? " + key},
		"default":        {given, answer(map[string]any{"size": "large"}), "accept large 3"},
		"look-alike":     {given, answer(map[string]any{"size": "large", "diſks": 9, "Disks": 8}), "accept large 3"},
		"declined":       {given, mcp.InputResponseMap{key: &mcp.ElicitResult{Action: "decline", Content: map[string]any{"size": "x"}}}, "decline  0"},
		"more than int8": {given, answer(map[string]any{"size": "s", "disks": 300}), "error: gosdk: RequestedSchema allows what gosdk_test.machine cannot hold"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			play(t, gosdk.Options{}, []round{{tt.script, nil, "? " + key}, {tt.script, tt.answers, tt.want}})
		})
	}
	url := serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(derived)))
	large := func(string) any { return map[string]any{"size": "large", "disks": 2} }
	if got, want := text(t, parleyCall(t, url, large)), "accept large 2"; got != want {
		t.Errorf("derived, asked by Parley: got %s, want %s", got, want)
	}

	broken := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		_, err := ask.Elicit(ctx, &mcp.ElicitParams{Message: "?", RequestedSchema: json.RawMessage(`{"type":7}`)})
		return "", err
	}
	session := legs(t, serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(broken))), everything())
	if got, _ := call(t, session, "ask", nil, nil, ""); !strings.HasPrefix(got, `error: gosdk: MCP allows no such "type" for a form: `) {
		t.Errorf("a schema that is none: got %s", got)
	}
}

func TestAskTooLarge(t *testing.T) {
	both := names("Your name?", "Your friend's?")
	long := fill("elicitation-1", strings.Repeat("x", 900))
	play(t, gosdk.Options{MaxRecord: 1100}, []round{{both, nil, "? elicitation-1"}, {both, long, "? elicitation-2"}})
	play(t, gosdk.Options{MaxRecord: 900}, []round{{both, nil, "? elicitation-1"}, {both, long, "error: " + gosdk.ErrRecordTooLarge.Error()}})
	// The last answer goes into no state.
	longest := fill("elicitation-2", strings.Repeat("x", 2000))
	play(t, gosdk.Options{MaxRecord: 900}, []round{{both, nil, "? elicitation-1"}, {both, fill("elicitation-1", "Ada"), "? elicitation-2"},
		{both, longest, "Ada and " + strings.Repeat("x", 2000)}})
	// What fits by default fits a token.
	fits := fill("elicitation-1", strings.Repeat("x", gosdk.DefaultMaxRecord-200))
	play(t, gosdk.Options{}, []round{{both, nil, "? elicitation-1"}, {both, fits, "? elicitation-2"}})
}

func TestAskUnguarded(t *testing.T) {
	session := legs(t, serve(t, newServer(nil, gosdk.Options{}, asking(names("?", "?")))), everything())
	if got, _ := call(t, session, "ask", nil, nil, ""); !strings.Contains(got, "add the middleware gosdk.Guard") {
		t.Errorf("got %s, want what is missing", got)
	}
}

// TestAskPromptAndResource asks from the two other methods.
func TestAskPromptAndResource(t *testing.T) {
	furnish := func(server *mcp.Server) {
		server.AddPrompt(&mcp.Prompt{Name: "ask"}, gosdk.AskingPrompt(
			func(ctx context.Context, ask *gosdk.Ask, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				res, err := ask.Elicit(ctx, form("Your name?", "a"))
				if err != nil {
					return nil, err
				}
				text := fmt.Sprintf("%s %d %d", said(res), len(req.Params.RequestState), len(req.Params.InputResponses))
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
			}))
		server.AddResource(&mcp.Resource{Name: "ask", URI: "test://ask"}, gosdk.AskingResource(
			func(ctx context.Context, ask *gosdk.Ask, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				res, err := ask.Elicit(ctx, form("Your name?", "a"))
				if err != nil {
					return nil, err
				}
				text := fmt.Sprintf("%s %d %d", said(res), len(req.Params.RequestState), len(req.Params.InputResponses))
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: text}}}, nil
			}))
	}
	session := legs(t, serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, furnish)), everything())
	prompt, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "ask"})
	if err != nil || !prompt.NeedsInput() {
		t.Fatalf("prompt: got %+v, %v, want a question", prompt, err)
	}
	prompt, err = session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "ask", InputResponses: fill("elicitation-1", "Ada"), RequestState: prompt.RequestState})
	if err != nil || len(prompt.Messages) != 1 || prompt.Messages[0].Content.(*mcp.TextContent).Text != "Ada 0 0" {
		t.Errorf("prompt: got %+v, %v, want Ada 0 0", prompt, err)
	}
	resource, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://ask"})
	if err != nil || !resource.NeedsInput() || resource.CacheScope != "private" {
		t.Fatalf("resource: got %+v, %v, want a question", resource, err)
	}
	resource, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://ask", InputResponses: fill("elicitation-1", "Ada"), RequestState: resource.RequestState})
	if err != nil || len(resource.Contents) != 1 || resource.Contents[0].Text != "Ada 0 0" {
		t.Errorf("resource: got %+v, %v, want Ada 0 0", resource, err)
	}
}

// TestAskClients has whole clients make a call that two instances answer in
// turn: the SDK's, with its automatic loop, and Parley's.
func TestAskClients(t *testing.T) {
	var runs [2]atomic.Int32
	instance := func(i int) *mcp.Server {
		s := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
			runs[i].Add(1)
			return names("Your name?", "Your friend's?")(ctx, ask)
		}
		return newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(s))
	}
	url := serve(t, instance(0), instance(1))
	people := map[string]string{"Your name?": "Ada", "Your friend's?": "Bob"}
	shared := func(t *testing.T, got string) {
		t.Helper()
		if got != "Ada and Bob" {
			t.Errorf("got %q, want %q", got, "Ada and Bob")
		}
		if a, b := runs[0].Swap(0), runs[1].Swap(0); a+b != 3 || a == 0 || b == 0 {
			t.Errorf("runs: got %d and %d, want 3 on both together", a, b)
		}
	}
	t.Run("SDK", func(t *testing.T) {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return accept(map[string]any{"a": people[req.Params.Message]}), nil
			},
		})
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
		if err != nil {
			t.Fatal(err)
		}
		shared(t, text(t, res))
	})
	t.Run("Parley", func(t *testing.T) {
		res := parleyCall(t, url, func(message string) any { return map[string]string{"a": people[message]} })
		shared(t, text(t, res))
	})
}

// parleyCall makes a whole call of the tool "ask" with Parley's client, which
// refuses forms that are not of the schema elicitation allows.
func parleyCall(t *testing.T, url string, answer func(message string) any) *mcp.CallToolResult {
	t.Helper()
	session := hosttest.NewSession(t, parley.Native{}, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{})
	out, err := session.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"ask"}`), Askers: &parley.Askers{
		Elicit: func(_ context.Context, q parley.Question) ([]byte, error) {
			var question struct{ Message string }
			if err := json.Unmarshal(q.Params, &question); err != nil {
				return nil, err
			}
			return parley.Accept(answer(question.Message))
		},
	}})
	res := new(mcp.CallToolResult)
	if err == nil {
		err = json.Unmarshal(out.Result, res)
	}
	if err != nil {
		t.Fatal(err)
	}
	return res
}
