package gosdk_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// noting is a server whose tool "can" notes what its client can do, and whose
// tool "ask" asks it.
func noting(server *mcp.Server, got *gosdk.Abilities) {
	server.AddTool(&mcp.Tool{Name: "can", InputSchema: object()}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		*got = gosdk.Can(req)
		return result("noted"), nil
	})
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, gosdk.Asking(
		func(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := ask.Elicit(ctx, form("ada", "a"))
			if err != nil {
				return nil, err
			}
			return result("%v", res.Content["a"]), nil
		}))
}

func TestCan(t *testing.T) {
	all := gosdk.Abilities{Way: gosdk.Rounds, Form: true, URL: true, Sampling: true, Roots: true}
	tasks := gosdk.Abilities{Tasks: true}
	tests := map[string]struct {
		declared *mcp.ClientCapabilities
		want     gosdk.Abilities
	}{
		"everything":  {everything(), all},
		"nothing":     {&mcp.ClientCapabilities{}, gosdk.Abilities{}},
		"a plain one": {&mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}}, gosdk.Abilities{Way: gosdk.Rounds, Form: true}},
		"with tools": {&mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{Tools: &mcp.SamplingToolsCapabilities{}}},
			gosdk.Abilities{Way: gosdk.Rounds, Sampling: true, SamplingTools: true}},
		"tasks": {&mcp.ClientCapabilities{Extensions: map[string]any{gosdk.TasksExtension: map[string]any{}}}, tasks},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got gosdk.Abilities
			server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, func(s *mcp.Server) { noting(s, &got) })
			if out, _ := call(t, legs(t, serve(t, server), tt.declared), "can", nil, nil, ""); out != "noted" || got != tt.want {
				t.Errorf("got %s, %+v, want %+v", out, got, tt.want)
			}
		})
	}
}

// TestCanEarlier is a client of an earlier revision: with a session it is asked
// by requests, without one it gets an error that says why not.
func TestCanEarlier(t *testing.T) {
	over := func(t *testing.T, stateless bool, handler mcp.ClientOptions) (*mcp.ClientSession, *gosdk.Abilities) {
		got := new(gosdk.Abilities)
		server := legacyServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{})
		noting(server, got)
		srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(
			func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless}))
		t.Cleanup(srv.Close)
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &handler)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close() })
		return session, got
	}
	person := mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return accept(map[string]any{"a": strings.ToUpper(req.Params.Message)}), nil
	}}
	tests := map[string]struct {
		stateless bool
		client    mcp.ClientOptions
		way       gosdk.Way
		want      string
	}{
		"asked by requests": {false, person, gosdk.Requests, "ADA"},
		"no session":        {true, person, gosdk.Nothing, "-32600 This needs to ask, and the server has no session to ask a client of this protocol revision by: use revision 2026-07-28 "},
		"nobody to ask": {false, mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}, gosdk.Nothing,
			`-32021 This needs a client that declares the elicitation capability {"requiredCapabilities":{"elicitation":{"form":{}}}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			session, got := over(t, tt.stateless, tt.client)
			if _, _ = call(t, session, "can", nil, nil, ""); got.Way != tt.way {
				t.Errorf("way: got %v, want %v", got.Way, tt.way)
			}
			if out, _ := call(t, session, "ask", nil, nil, ""); out != tt.want {
				t.Errorf("got %s, want %s", out, tt.want)
			}
		})
	}
}
