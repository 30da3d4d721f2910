package gosdk_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// roundVector is a file of hosts/testdata/rounds. Its README says what the
// members mean.
type roundVector struct {
	Declares json.RawMessage
	Call     map[string]any
	Rounds   []struct {
		Asks    mcp.InputRequestMap
		State   string
		Answers map[string]map[string]any
	}
	Times []int
	Work  bool
	End   roundEnd
}

type roundEnd struct {
	Text  string
	Error *struct {
		Code          int64
		Message, Says string
		Data          any
	}
}

// TestRoundVectors replays hosts/testdata/rounds, as servers in other languages
// do.
func TestRoundVectors(t *testing.T) {
	files, err := filepath.Glob("../../testdata/rounds/*.json")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d vectors, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			var v roundVector
			if err == nil {
				err = json.Unmarshal(text, &v)
			}
			if err != nil {
				t.Fatal(err)
			}
			v.replay(t, "ask", v.tool)
			if v.Work {
				v.replay(t, "run", v.work)
				v.inRounds(t)
			}
		})
	}
}

// tool adds one that asks by its results.
func (v roundVector) tool(t *testing.T, server *mcp.Server) {
	runs := 0
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		state, answers := "", map[string]map[string]any{}
		if runs > 0 {
			before := v.Rounds[v.round(runs-1)]
			state, answers = before.State, before.Answers
		}
		if p := req.Params; p.RequestState != state || len(p.InputResponses) != len(answers) || len(answers) > 0 && !sameRoundJSON(t, p.InputResponses, answers) {
			t.Errorf("round %d: the handler got %q and %v, want %q and %v", runs+1, p.RequestState, p.InputResponses, state, answers)
		}
		runs++
		if runs > len(v.Rounds) && v.Times == nil {
			return result("%s", v.End.Text), nil
		}
		now := v.Rounds[v.round(runs-1)]
		return &mcp.CallToolResult{InputRequests: now.Asks, RequestState: now.State}, nil
	})
}

// work adds a tool whose work need not be a task, and asks the same.
func (v roundVector) work(t *testing.T, server *mcp.Server) {
	running(server, func(ctx context.Context, task *gosdk.Task) (*mcp.CallToolResult, error) {
		for i, round := range v.Rounds {
			answers, err := task.All(ctx, round.Asks)
			if err != nil {
				return nil, err
			}
			if !sameRoundJSON(t, answers, round.Answers) {
				t.Errorf("round %d: the work got %v, want %v", i+1, answers, round.Answers)
			}
		}
		return result("%s", v.End.Text), nil
	})
}

// inRounds has the work ask a client that has rounds and no tasks.
func (v roundVector) inRounds(t *testing.T) {
	url := serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, func(s *mcp.Server) { v.work(t, s) }))
	more := ""
	for i := 0; ; i++ {
		var got struct {
			Result struct {
				InputRequests, RequestState json.RawMessage
				Content                     []struct{ Text string }
			}
		}
		response := post(t, url, "tools/call", "run", `"name":"run","arguments":{}`+more)
		if err := json.Unmarshal([]byte(response), &got); err != nil {
			t.Fatal(err)
		}
		if i == len(v.Rounds) {
			if len(got.Result.Content) != 1 || got.Result.Content[0].Text != v.End.Text {
				t.Errorf("in rounds: ended with %s", response)
			}
			return
		}
		if got.Result.InputRequests == nil || !sameRoundJSON(t, got.Result.InputRequests, v.Rounds[i].Asks) {
			t.Fatalf("round %d: got %s", i+1, response)
		}
		answers, err := json.Marshal(v.Rounds[i].Answers)
		if err != nil {
			t.Fatal(err)
		}
		more = fmt.Sprintf(`,"requestState":%s,"inputResponses":%s`, got.Result.RequestState, answers)
	}
}

func (v roundVector) replay(t *testing.T, name string, add func(*testing.T, *mcp.Server)) {
	server := legacyServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{})
	server.AddSendingMiddleware(gosdk.Declared)
	add(t, server)
	client := newBare(t, server)
	client.call(1, "initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": v.Declares, "clientInfo": map[string]any{"name": "bare", "version": "1"}}, nil)
	client.write(&jsonrpc.Request{Method: "notifications/initialized"})
	params := map[string]any{"name": name, "arguments": map[string]any{}}
	for name, value := range v.Call {
		params[name] = value
	}
	asked, left := 0, map[string]bool{}
	res := client.call(2, "tools/call", params, func(req *jsonrpc.Request) *jsonrpc.Response {
		if len(left) == 0 {
			if asked == len(v.Rounds) && v.Times == nil {
				t.Fatalf("asked for more than the handler asks: %s", req.Params)
			}
			for key := range v.Rounds[v.round(asked)].Asks {
				left[key] = true
			}
			asked++
		}
		round := v.Rounds[v.round(asked-1)]
		for key := range left {
			if !sameQuestion(t, req, mcp.InputRequestMap{key: round.Asks[key]}, key) {
				continue
			}
			delete(left, key)
			if answer := round.Answers[key]; answer["error"] != nil {
				var failure jsonrpc.Error
				remarshal(t, answer["error"], &failure)
				return &jsonrpc.Response{ID: req.ID, Error: &failure}
			} else if answer != nil {
				text, _ := json.Marshal(answer)
				return &jsonrpc.Response{ID: req.ID, Result: text}
			}
		}
		t.Fatalf("round %d: asked %s %s", asked, req.Method, req.Params)
		return nil
	})

	v.ended(t, res)
	want := 0
	for want < len(v.Rounds) && v.Rounds[want].Answers != nil {
		want++
	}
	if v.Times != nil && (asked < v.Times[0] || asked > v.Times[1]) || v.Times == nil && asked != want || len(left) > 0 {
		t.Errorf("asked in %d rounds, want %d or %v, and %v was not asked", asked, want, v.Times, left)
	}
}

// round is the index of a round; the last one of an endless handler goes on.
func (v roundVector) round(n int) int { return min(n, len(v.Rounds)-1) }

func (v roundVector) ended(t *testing.T, res *jsonrpc.Response) {
	t.Helper()
	if v.End.Error == nil {
		var got mcp.CallToolResult
		if err := json.Unmarshal(res.Result, &got); err != nil || got.IsError || text(t, &got) != v.End.Text {
			t.Errorf("ended with %s, %v, want %q", res.Result, res.Error, v.End.Text)
		}
		return
	}
	var got struct {
		Code    int64
		Message string
		Data    any
	}
	if res.Error == nil {
		t.Fatalf("ended with %s, want an error", res.Result)
	}
	remarshal(t, res.Error, &got)
	want := v.End.Error
	if got.Code != want.Code || !reflect.DeepEqual(got.Data, want.Data) || got.Message != cmp.Or(want.Message, got.Message) || !strings.Contains(got.Message, want.Says) {
		t.Errorf("ended with %+v, want %+v", got, want)
	}
}

// sameQuestion reports whether a request is the question, as revision 2025-11-25
// has it.
func sameQuestion(t *testing.T, req *jsonrpc.Request, question mcp.InputRequestMap, key string) bool {
	type params = map[string]any
	var got params
	var want map[string]struct {
		Method string
		Params params
	}
	remarshal(t, req.Params, &got)
	remarshal(t, question, &want)
	delete(got, "_meta")
	id, _ := got["elicitationId"].(string)
	delete(got, "elicitationId")
	return (id != "") == (got["mode"] == "url") && req.Method == want[key].Method && (len(got) == 0 && len(want[key].Params) == 0 || reflect.DeepEqual(got, want[key].Params))
}

func sameRoundJSON(t *testing.T, a, b any) bool {
	var x, y any
	remarshal(t, a, &x)
	remarshal(t, b, &y)
	return reflect.DeepEqual(x, y)
}

func remarshal(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// bare is a client that sends and gets JSON-RPC as it is.
type bare struct {
	t    *testing.T
	conn mcp.Connection
}

func newBare(t *testing.T, server *mcp.Server) bare {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	conn, err := there.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return bare{t, conn}
}

func (b bare) write(m jsonrpc.Message) {
	b.t.Helper()
	if err := b.conn.Write(b.t.Context(), m); err != nil {
		b.t.Fatal(err)
	}
}

// call returns the answer to a request, and answers what the server asks before.
func (b bare) call(id float64, method string, params any, answer func(*jsonrpc.Request) *jsonrpc.Response) *jsonrpc.Response {
	b.t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	made, err := jsonrpc.MakeID(id)
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(&jsonrpc.Request{ID: made, Method: method, Params: text})
	for {
		m, err := b.conn.Read(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		switch m := m.(type) {
		case *jsonrpc.Response:
			if fmt.Sprint(m.ID.Raw()) == fmt.Sprint(made.Raw()) {
				return m
			}
		case *jsonrpc.Request:
			if m.IsCall() && slices.Contains([]string{"elicitation/create", "sampling/createMessage", "roots/list"}, m.Method) {
				b.write(answer(m))
			}
		}
	}
}
