package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// numeric asks for n, a number.
func numeric(kind, keywords string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "How many?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"` + kind + `"` + keywords + `}}}`)}
}

// heard is what a handler has got of n.
func heard(res *mcp.ElicitResult) *mcp.CallToolResult {
	text, err := json.Marshal(res.Content["n"])
	if err != nil {
		return result("%v", err)
	}
	return result("%s", text)
}

// counter is a server whose tool tells what it hears of n.
type counter struct {
	server  *mcp.Server
	tool    string
	earlier bool // it asks by requests
}

// counters are one for each way to ask.
func counters(t *testing.T, question *mcp.ElicitParams) map[string]counter {
	straight := func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "count", InputSchema: object()}, gosdk.Asking(
			func(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				res, err := ask.Elicit(ctx, question)
				if err != nil {
					return nil, err
				}
				if _, err := ask.Elicit(ctx, form("And?", "a")); err != nil { // so that it goes through the record
					return nil, err
				}
				return heard(res), nil
			}))
	}
	plain := func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "count", InputSchema: object()}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, req.Params.InputResponses, "n", question)
			if verdict != codec.Same {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"n": question}}, nil
			}
			return heard(res), nil
		})
	}
	second := func(server *mcp.Server) { // at an earlier revision, the Guard asks in this round, and the SDK in the first
		server.AddTool(&mcp.Tool{Name: "count", InputSchema: object()}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Params.RequestState == "" {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": form("And?", "a")}, RequestState: "asked"}, nil
			}
			res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, req.Params.InputResponses, "n", question)
			if verdict != codec.Same {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"n": question}, RequestState: "asked"}, nil
			}
			return heard(res), nil
		})
	}
	task := func(server *mcp.Server) {
		tasks := gosdk.NewTasks(gosdk.TaskOptions{Poll: time.Millisecond})
		tasks.Add(server)
		server.AddTool(&mcp.Tool{Name: "count", InputSchema: object()}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return tasks.Run(ctx, req, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
				res, err := t.Elicit(ctx, question)
				if err != nil {
					return nil, err
				}
				return heard(res), nil
			})
		})
	}
	guard := func() *codec.Guard { return newGuard(t, newClock(), codec.GuardOptions{}) }
	all := map[string]counter{}
	for name, furnish := range map[string]func(*mcp.Server){"plain": plain, "second": second, "straight": straight, "task": task} {
		all[name] = counter{newServer(guard(), gosdk.Options{}, furnish), "count", false}
		earlier := counter{legacyServer(guard(), gosdk.Options{}), "count", true}
		furnish(earlier.server)
		all[name+", earlier"] = earlier
	}
	return all
}

// hear calls a server for a person who answers n with this text, "" for nothing.
// It returns what the handler heard, or why not, and what the person was asked.
func (c counter) hear(t *testing.T, exact bool, n string) (got, asked string) {
	t.Helper()
	var handler http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return c.server }, &mcp.StreamableHTTPOptions{Stateless: !c.earlier})
	if exact {
		handler = gosdk.Exact(handler)
	}
	srv := httptest.NewServer(handler)
	defer srv.Close()
	session, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: srv.URL}, parley.SessionOptions{Askers: parley.Askers{
		Tasks: true,
		Elicit: func(_ context.Context, q parley.Question) ([]byte, error) {
			switch {
			case strings.Contains(string(q.Params), "And?"):
				return []byte(`{"action":"accept","content":{"a":"yes"}}`), nil
			case n == "":
				asked = string(q.Params)
				return []byte(`{"action":"accept","content":{}}`), nil
			}
			asked = string(q.Params)
			return []byte(`{"action":"accept","content":{"n":` + n + `}}`), nil
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(t.Context(), parley.ToolCall{Name: c.tool})
	if err != nil {
		return err.Error(), asked
	}
	return res.Content[0].Text, asked
}

// TestWholeNumbers has a person answer with numbers that a float64 rounds: the
// handler hears the same number, or the person why not.
func TestWholeNumbers(t *testing.T) {
	const refused = "An answer has a whole number beyond 9007199254740991, which this server's SDK rounds"
	tests := map[string]struct{ exact, alone string }{ // with Exact and without, in rounds
		"9007199254740991":     {"9007199254740991", "9007199254740991"},
		"9007199254740992":     {"9007199254740992", refused},
		"9007199254740993":     {"9007199254740993", refused},
		"9223372036854775807":  {"9223372036854775807", refused},
		"-9223372036854775808": {"-9223372036854775808", refused},
		"18446744073709551615": {"18446744073709551615", refused},
		"1e30":                 {"1e+30", refused},
		"0.1":                  {"0.1", "0.1"},
		"-0":                   {"-0", "-0"},
		"1e400":                {"parley: ", "parley: "}, // the SDK does not decode it
	}
	for way, c := range counters(t, numeric("number", "")) {
		for n, want := range tests {
			t.Run(way+" "+n, func(t *testing.T) {
				if got, _ := c.hear(t, true, n); !strings.HasPrefix(got, want.exact) {
					t.Errorf("with Exact: got %s, want %s", got, want.exact)
				}
				alone := want.alone
				if way == "task" {
					alone = want.exact // an answer to a task is not decoded by the SDK
				}
				if got, _ := c.hear(t, false, n); !strings.HasPrefix(got, alone) && !(alone == refused && strings.Contains(got, refused)) {
					t.Errorf("without Exact: got %s, want %s", got, alone)
				}
			})
		}
	}
}

// TestWholeDefaults has a person leave out what has a default and bounds that a
// float64 rounds: the person sees the server's, and the handler gets it.
func TestWholeDefaults(t *testing.T) {
	const keywords = `,"default":9007199254740993,"minimum":9007199254740993,"maximum":9223372036854775807`
	for way, c := range counters(t, numeric("integer", keywords)) {
		t.Run(way, func(t *testing.T) {
			got, asked := c.hear(t, true, "")
			if !strings.Contains(asked, strings.TrimPrefix(keywords, ",")) {
				t.Errorf("the person is asked %s, want %s in it", asked, keywords)
			}
			want := "9007199254740993"
			if way == "plain" || way == "second" { // which gets what the client sent
				want = "null"
			}
			if !strings.HasPrefix(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestWholeFields reads such numbers into structs.
func TestWholeFields(t *testing.T) {
	const refused = "gosdk: RequestedSchema allows what "
	schema := numeric("integer", "").RequestedSchema
	tests := map[string]struct {
		ask  script
		n    string
		want string
	}{
		"int64":             {into[int64](schema), "9223372036854775807", "9223372036854775807"},
		"int64, the least":  {into[int64](schema), "-9223372036854775808", "-9223372036854775808"},
		"int64, too large":  {into[int64](schema), "9223372036854775808", refused},
		"uint64":            {into[uint64](schema), "18446744073709551615", "18446744073709551615"},
		"uint64, a minus":   {into[uint64](schema), "-9007199254740993", refused},
		"float64":           {into[float64](schema), "9007199254740993", refused},
		"float64, held":     {into[float64](schema), "9007199254740992", "9.007199254740992e+15"},
		"pointer":           {into[*float64](schema), "9007199254740993", refused},
		"any":               {into[any](schema), "9007199254740993", refused},
		"json.Number":       {into[json.Number](schema), "9007199254740993", "9007199254740993"},
		"made of the type":  {into[int64](nil), "9007199254740993", "9007199254740993"},
		"negative nothing":  {into[int64](schema), "-0", "0"},
		"a small one, int8": {into[int8](schema), "128", refused},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(tt.ask))
			if got, _ := (counter{server, "ask", false}).hear(t, true, tt.n); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func into[T any](schema any) script {
	return func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		answer, _, err := gosdk.Form[struct {
			N T `json:"n"`
		}](ctx, ask, &mcp.ElicitParams{Message: "How many?", RequestedSchema: schema})
		return fmt.Sprint(answer.N), err
	}
}

// TestWholeBounds holds what a client sends without looking against a form.
func TestWholeBounds(t *testing.T) {
	const fits, not = "fits", "asks again"
	tests := []struct{ kind, keywords, n, want string }{
		{"number", `"maximum":9007199254740993`, "9007199254740993", fits},
		{"number", `"maximum":9007199254740993`, "9007199254740994", not},
		{"number", `"minimum":9007199254740993`, "9007199254740992", not},
		{"integer", `"exclusiveMinimum":9007199254740992`, "9007199254740993", fits},
		{"integer", `"exclusiveMinimum":9007199254740992`, "9007199254740992", not},
		{"integer", `"exclusiveMaximum":9007199254740993`, "9007199254740993", not},
		{"number", `"maximum":9223372036854775807`, "9223372036854775808", not},
		{"number", `"minimum":-9223372036854775808`, "-9223372036854775808", fits},
		{"number", `"maximum":18446744073709551615`, "18446744073709551616", not},
		{"number", `"maximum":3`, "3", fits},
		{"number", `"maximum":3`, "3.5", not},
		{"integer", `"maximum":3`, "2.5", not},
	}
	for _, tt := range tests {
		t.Run(tt.keywords+" "+tt.n, func(t *testing.T) {
			server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(func(ctx context.Context, ask *gosdk.Ask) (string, error) {
				_, err := ask.Elicit(ctx, numeric(tt.kind, ","+tt.keywords))
				return fits, err
			}))
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
			srv := httptest.NewServer(gosdk.Exact(handler))
			defer srv.Close()
			leg := func(more string) (response struct {
				Result struct {
					ResultType, RequestState string
					Content                  []struct{ Text string }
				}
			}) {
				text := post(t, srv.URL, "tools/call", "ask", `"name":"ask","arguments":{}`+more)
				if err := json.Unmarshal([]byte(text), &response); err != nil || response.Result.ResultType == "" {
					t.Fatalf("got %s", text)
				}
				return response
			}
			state := leg("").Result.RequestState
			got := not
			if last := leg(fmt.Sprintf(`,"requestState":%q,"inputResponses":{"elicitation-1":{"action":"accept","content":{"n":%s}}}`, state, tt.n)).Result; last.ResultType == "complete" {
				got = last.Content[0].Text
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestWholeTransports asks the SDK's own client over what wraps a transport, in
// both ways to ask.
func TestWholeTransports(t *testing.T) {
	tasks := gosdk.NewTasks(gosdk.TaskOptions{})
	for name, wrap := range map[string]func(mcp.Transport) mcp.Transport{"Exact": gosdk.ExactTransport, "Tasks": tasks.Transport} {
		for _, way := range []string{"straight", "straight, earlier"} {
			t.Run(name+" "+way, func(t *testing.T) {
				client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
					ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						return accept(map[string]any{"n": int64(9007199254740993), "a": "yes"}), nil
					},
				})
				here, there := mcp.NewInMemoryTransports()
				if _, err := counters(t, numeric("integer", ""))[way].server.Connect(t.Context(), wrap(here), nil); err != nil {
					t.Fatal(err)
				}
				session, err := client.Connect(t.Context(), there, nil)
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "count"})
				if err != nil {
					t.Fatal(err)
				}
				if got := text(t, res); got != "9007199254740993" {
					t.Errorf("got %s, want 9007199254740993", got)
				}
			})
		}
	}
}

// TestExactLong has a request pass that is longer than what Exact looks at.
func TestExactLong(t *testing.T) {
	const long = 5 << 20
	got, bound := make(chan int, 1), int64(0)
	srv := httptest.NewServer(gosdk.Exact(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bound))
		if err != nil {
			got <- -1
			return
		}
		got <- len(body)
	})))
	defer srv.Close()
	for _, tt := range []struct {
		bound int64
		want  int
	}{{long, long}, {long - 1, -1}} {
		bound = tt.bound
		res, err := http.Post(srv.URL, "application/json", strings.NewReader(strings.Repeat(" ", long)))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if n := <-got; n != tt.want {
			t.Errorf("with a bound of %d: read %d bytes, want %d", tt.bound, n, tt.want)
		}
	}
}
