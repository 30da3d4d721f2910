package extism_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// guarded is a handler behind inbound and outbound: what a server in any language
// does with the plug-in.
type guarded struct {
	t     testing.TB
	host  host
	next  http.Handler
	state []string // every requestState that a client has got
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		g.t.Error(err)
	}
	var request struct {
		ID, Params json.RawMessage
		Method     string
	}
	if json.Unmarshal(body, &request); request.Method != "tools/call" {
		r.Body = io.NopCloser(bytes.NewReader(body))
		g.next.ServeHTTP(w, r)
		return
	}
	in := members(g.t, g.host.call(g.t, "inbound", object("now", time.Now().UnixMilli(), "method", request.Method, "params", string(request.Params)), nil))
	if failed, ok := in["error"].(map[string]any); ok {
		reply(w, request.ID, "error", failed["response"].(string))
		return
	}
	inner := r.Clone(r.Context())
	inner.Body = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":` + string(request.ID) + `,"method":"tools/call","params":` + in["params"].(string) + `}`))
	inner.ContentLength = -1
	recorder := httptest.NewRecorder()
	g.next.ServeHTTP(recorder, inner)
	var response struct{ Result json.RawMessage }
	if err := json.Unmarshal(recorder.Body.Bytes(), &response); err != nil || response.Result == nil {
		g.t.Errorf("the server answered %s", recorder.Body)
	}
	var random [8]byte
	rand.Read(random[:])
	out := members(g.t, g.host.call(g.t, "outbound", object("now", time.Now().UnixMilli(), "exchange", in["exchange"],
		"random", base64.RawURLEncoding.EncodeToString(random[:]), "result", string(response.Result)), nil))
	result, _ := out["result"].(string)
	if state, ok := members(g.t, []byte(result))["requestState"].(string); ok {
		g.state = append(g.state, state)
	}
	reply(w, request.ID, "result", result)
}

func reply(w http.ResponseWriter, id json.RawMessage, member, value string) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(id)+`,"`+member+`":`+value+`}`)
}

// TestGuardedServer puts the plug-in before a server of the official SDK, whose
// state is plain, and calls it with that SDK's client: the client gets tokens, the
// server what it had sent, and a token that was meddled with stops before it.
func TestGuardedServer(t *testing.T) {
	const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
	each(t, map[string]string{"keys": keys, "audience": "tests"}, func(t *testing.T, h host) {
		var states []string
		server := mcp.NewServer(&mcp.Implementation{Name: "plain", Version: "1"}, nil)
		server.AddTool(&mcp.Tool{Name: "count", InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			states = append(states, req.Params.RequestState)
			if req.Params.RequestState == "step 2 of 2" {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "counted"}}}, nil
			}
			next := "step 1 of 2"
			if req.Params.RequestState == next {
				next = "step 2 of 2"
			}
			question := &mcp.ElicitParams{Message: "More?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
			return &mcp.CallToolResult{RequestState: next, InputRequests: mcp.InputRequestMap{"q": question}}, nil
		})
		streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
		g := &guarded{t: t, host: h, next: streamable}
		front := httptest.NewServer(g)
		defer front.Close()
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			},
		})
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: front.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "count"})
		if err != nil || len(res.Content) != 1 || res.Content[0].(*mcp.TextContent).Text != "counted" {
			t.Fatalf("got %v, %v, want it counted", res, err)
		}
		if got := strings.Join(states, ", "); got != ", step 1 of 2, step 2 of 2" {
			t.Errorf("the server saw %q", got)
		}
		if len(g.state) != 2 || strings.Contains(strings.Join(g.state, ""), "step") {
			t.Errorf("the client got %d states, want 2 that cannot be read", len(g.state))
		}
		meddled := "A" + g.state[0]
		_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "count", RequestState: meddled, InputResponses: mcp.InputResponseMap{}})
		if err == nil || !strings.Contains(err.Error(), "requestState") || len(states) != 3 {
			t.Errorf("a state that was meddled with: got %v, and the server was called %d times, want 3", err, len(states))
		}
	})
}
