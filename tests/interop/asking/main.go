// Command asking is a server whose tools ask in straight code, on the official
// Go SDK. asking.py and ../ts/asking.js have the same tools in the same words, so
// that each goes on with what another has begun.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("asking: ")
	keyFile := flag.String("key-file", "", "`file` of keys, the same for every instance")
	legacy := flag.Bool("legacy", false, "speak the revision before 2026-07-28, with sessions")
	flag.Parse()
	guard, err := seal.NewGuard(*keyFile, codec.GuardOptions{Audience: "interop-asking"})
	if err != nil {
		log.Fatal(err)
	}
	options := &mcp.ServerOptions{}
	if *legacy {
		options.SupportedProtocolVersions = []string{"2025-11-25"}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "asking-go", Version: "1"}, options)
	server.AddReceivingMiddleware(gosdk.Guard(guard, gosdk.Options{}))
	server.AddSendingMiddleware(gosdk.Declared)
	mcp.AddTool(server, &mcp.Tool{Name: "rounds", Description: "Asks ten times, by its results."}, rounds)
	mcp.AddTool(server, &mcp.Tool{Name: "names", Description: "Asks for two names."}, tool(names))
	mcp.AddTool(server, &mcp.Tool{Name: "trip", Description: "Asks for two places at once, then for the rest."}, tool(trip))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: !*legacy})
	fmt.Printf("listening on http://%s/mcp\n", l.Addr())
	log.Fatal(http.Serve(l, handler))
}

func tool(ask func(context.Context, *gosdk.Ask) (string, error)) mcp.ToolHandlerFor[struct{}, any] {
	return gosdk.AskingFor(func(ctx context.Context, a *gosdk.Ask, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		text, err := ask(ctx, a)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

// rounds keeps the letters it was told in its state.
func rounds(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	said := req.Params.RequestState
	if said != "" {
		said = said[1:]
		res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, req.Params.InputResponses, "letter", letter(len(said)+1))
		if verdict == codec.Same {
			said += fmt.Sprint(res.Content["a"])
		}
	}
	if len(said) == 10 {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil, nil
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"letter": letter(len(said) + 1)}, RequestState: "!" + said}, nil, nil
}

func letter(n int) *mcp.ElicitParams { return form(fmt.Sprintf("Letter %d?", n)) }

func names(ctx context.Context, ask *gosdk.Ask) (string, error) {
	a, err := ask.Elicit(ctx, form("Your name?"))
	if err != nil {
		return "", err
	}
	b, err := ask.Elicit(ctx, form("Your friend's?"))
	if err != nil {
		return "", err
	}
	return said(a) + " and " + said(b), nil
}

func trip(ctx context.Context, ask *gosdk.Ask) (string, error) {
	places, err := ask.All(ctx, mcp.InputRequestMap{"to": form("Where to?"), "from": form("From?")})
	if err != nil {
		return "", err
	}
	roots, err := ask.ListRoots(ctx)
	if err != nil {
		return "", err
	}
	river, err := ask.Sample(ctx, &mcp.CreateMessageParams{
		MaxTokens: 1000,
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Name a river."}}},
	})
	if err != nil {
		return "", err
	}
	from, to := places["from"].(*mcp.ElicitResult), places["to"].(*mcp.ElicitResult)
	return fmt.Sprintf("%s %s %s %s", said(from), said(to), roots.Roots[0].URI, river.Content[0].(*mcp.TextContent).Text), nil
}

func form(text string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: text, RequestedSchema: json.RawMessage(
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)}
}

func said(res *mcp.ElicitResult) string {
	if res.Action != "accept" {
		return res.Action
	}
	return fmt.Sprint(res.Content["a"])
}
