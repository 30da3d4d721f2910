package gosdk_test

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// legacyClient connects a client of protocol revision 2025-11-25, which has no
// rounds: the server asks it by requests of its own. It answers every form with
// the form's message, in capitals.
func legacyClient(t *testing.T, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if req.Params.Message == "decline" {
				return &mcp.ElicitResult{Action: "decline"}, nil
			}
			return accept(map[string]any{"a": strings.ToUpper(req.Params.Message)}), nil
		},
		CreateMessageHandler: func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "sampled"}}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///home/ada"})
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != "2025-11-25" {
		t.Fatalf("protocol version: got %s", got)
	}
	return session
}

func legacyServer(g *codec.Guard, o gosdk.Options) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"},
		&mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25"}})
	if g != nil {
		server.AddReceivingMiddleware(gosdk.Guard(g, o))
	}
	return server
}

// TestLegacyFallback has the SDK ask a client without rounds, inside the Guard.
func TestLegacyFallback(t *testing.T) {
	server := legacyServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{})
	question := form("ada", "a")
	server.AddTool(&mcp.Tool{Name: "greet", InputSchema: object()}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p := req.Params
		res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, p.InputResponses, "q", question)
		if verdict != codec.Same || p.RequestState == "" {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": question}, RequestState: p.RequestState + "I"}, nil
		}
		return result("%v after %s", res.Content["a"], p.RequestState), nil
	})
	session := legacyClient(t, server)

	forged := &mcp.CallToolParams{Name: "greet", RequestState: "III", InputResponses: mcp.InputResponseMap{"q": accept(map[string]any{"a": "forged"})}}
	res, err := session.CallTool(t.Context(), forged)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(t, res), "ADA after I"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLegacyAsking asks a client without rounds as often as it takes, and
// without a Guard: no state leaves the server.
func TestLegacyAsking(t *testing.T) {
	for name, g := range map[string]*codec.Guard{"guarded": newGuard(t, newClock(), codec.GuardOptions{}), "bare": nil} {
		t.Run(name, func(t *testing.T) {
			server := legacyServer(g, gosdk.Options{})
			runs, holds := 0, 0
			server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, gosdk.Asking(
				func(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					runs++
					first, err := ask.Elicit(ctx, form("ada", "a"))
					if err != nil {
						return nil, err
					}
					if _, err := gosdk.Once(ctx, ask, "hold", func(context.Context) (int, error) { holds++; return holds, nil }); err != nil {
						return nil, err
					}
					all, err := ask.All(ctx, mcp.InputRequestMap{
						"form":  form("decline", "a"),
						"model": &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "?"}}}, MaxTokens: 9},
						"roots": &mcp.ListRootsParams{},
					})
					if err != nil {
						return nil, err
					}
					return result("%v %s %s %s", first.Content["a"], all["form"].(*mcp.ElicitResult).Action,
						all["model"].(*mcp.CreateMessageWithToolsResult).Content[0].(*mcp.TextContent).Text,
						all["roots"].(*mcp.ListRootsResult).Roots[0].URI), nil
				}))
			session := legacyClient(t, server)
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := text(t, res), "ADA decline sampled file:///home/ada"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if runs != 1 || holds != 1 {
				t.Errorf("ran %d times and held %d, want once each", runs, holds)
			}
		})
	}
}

// TestLegacyPage gives a page the id that revision 2025-11-25 wants, without
// Declared, too.
func TestLegacyPage(t *testing.T) {
	server := legacyServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{})
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, gosdk.Asking(
		func(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for range 2 {
				if _, err := ask.Elicit(ctx, &mcp.ElicitParams{Mode: "url", Message: "Look", URL: "https://example.com/"}); err != nil {
					return nil, err
				}
			}
			return result("done"), nil
		}))
	ids := map[string]bool{}
	client := (&desk{}).connect(t, server, mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			ids[req.Params.ElicitationID] = true
			return &mcp.ElicitResult{Action: "accept"}, nil
		},
	})
	if got, _ := call(t, client, "ask", nil, nil, ""); got != "done" || len(ids) != 2 || ids[""] {
		t.Errorf("got %s and the ids %v, want two", got, ids)
	}
}
