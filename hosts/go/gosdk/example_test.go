package gosdk_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// A server with a key of its own, where a person may think for a day about each
// question. With several instances it is the name of a key
// file, and an Audience, that seal.NewGuard takes.
func ExampleGuard() {
	guard, err := seal.NewGuard("", codec.GuardOptions{TTL: 24 * time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	server.AddReceivingMiddleware(gosdk.Guard(guard, gosdk.Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}))

	// The handler's state is plain text to it, and to nobody else.
	question := &mcp.ElicitParams{Message: "Which colour?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string"}}}`)}
	server.AddTool(&mcp.Tool{Name: "paint", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, req.Params.InputResponses, "colour", question)
			if verdict != codec.Same {
				return &mcp.CallToolResult{
					InputRequests: mcp.InputRequestMap{"colour": question},
					RequestState:  "asked for a colour",
				}, nil
			}
			text := fmt.Sprintf("%s: %v", req.Params.RequestState, res.Content["colour"])
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})

	fmt.Println(callExample(server, "paint", map[string]any{"colour": "red"}))
	// Output:
	// Which colour?
	// asked for a colour: red
}

// A tool that asks twice, in straight code. The machine's name is made up once:
// the question about it has to be the same in every round.
func ExampleAskingFor() {
	guard := processGuard()
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	server.AddReceivingMiddleware(gosdk.Guard(guard, gosdk.Options{}))

	type args struct {
		Size string `json:"size"`
	}
	type consent struct {
		OK bool `json:"ok" jsonschema:"I agree"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "provision"}, gosdk.AskingFor(
		func(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest, in args) (*mcp.CallToolResult, any, error) {
			price, action, err := gosdk.Form[consent](ctx, ask, &mcp.ElicitParams{Message: "A " + in.Size + " machine costs 12 EUR a month. All right?"})
			if err != nil {
				return nil, nil, err // gosdk.ErrPending, in the first round
			}
			if action != "accept" || !price.OK {
				return say("Nothing was provisioned."), nil, nil
			}
			name, err := gosdk.Once(ctx, ask, "name", func(context.Context) (string, error) {
				return "vm-" + rand.Text()[:4], nil
			})
			if err != nil {
				return nil, nil, err
			}
			start, action, err := gosdk.Form[consent](ctx, ask, &mcp.ElicitParams{Message: "Start it at once?"})
			if err != nil {
				return nil, nil, err
			}
			// Effects belong here, after the last question.
			return say(fmt.Sprintf("A machine with a name of %d letters; started: %v.", len(name), action == "accept" && start.OK)), nil, nil
		}))

	fmt.Println(callExample(server, "provision", map[string]any{"ok": true}))
	// Output:
	// A small machine costs 12 EUR a month. All right?
	// Start it at once?
	// A machine with a name of 7 letters; started: true.
}

func say(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func processGuard() *codec.Guard {
	guard, err := seal.NewGuard("", codec.GuardOptions{TTL: 24 * time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	return guard
}

// callExample calls a tool with the SDK's client, which answers every form.
func callExample(server *mcp.Server, tool string, answer map[string]any) string {
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	defer srv.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			fmt.Println(req.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: answer}, nil
		},
	})
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: srv.URL}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"size": "small"}})
	if err != nil {
		log.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}
