// Command gosdk is a server on the official Go SDK, as its documentation shows: a tool that asks returns what it needs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type person struct {
	Name string `json:"name" jsonschema:"who to greet"`
}

type place struct {
	City string `json:"city"`
}

type conditions struct {
	City    string  `json:"city"`
	Celsius float64 `json:"celsius"`
}

type numbers struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

type day struct {
	Date string `json:"date"`
}

type document struct {
	Text string `json:"text"`
}

type target struct {
	To int `json:"to"`
}

func main() {
	overHTTP := flag.Bool("http", false, "serve over HTTP")
	stateless := flag.Bool("stateless", false, "keep no sessions, which is how the SDK speaks 2026-07-28 over HTTP")
	flag.Parse()
	server := newServer()
	if !*overHTTP {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Print(err)
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("http://%s/mcp", listener.Addr())
	opts := &mcp.StreamableHTTPOptions{Stateless: *stateless}
	http.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opts))
	log.Fatal(http.Serve(listener, nil))
}

func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "restaurant", Version: "1.0.0"}, &mcp.ServerOptions{
		PageSize:     3,
		Capabilities: &mcp.ServerCapabilities{Logging: &mcp.LoggingCapabilities{}},
	})
	mcp.AddTool(s, &mcp.Tool{Name: "greet", Description: "Greets somebody."}, greet)
	mcp.AddTool(s, &mcp.Tool{Name: "weather", Description: "Says what the weather is."}, weather)
	mcp.AddTool(s, &mcp.Tool{Name: "divide", Description: "Divides a by b."}, divide)
	mcp.AddTool(s, &mcp.Tool{Name: "book", Description: "Books a table."}, book)
	mcp.AddTool(s, &mcp.Tool{Name: "summarize", Description: "Has the client's model summarize a text."}, summarize)
	mcp.AddTool(s, &mcp.Tool{Name: "folders", Description: "Says which folders the client works on."}, folders)
	mcp.AddTool(s, &mcp.Tool{Name: "count", Description: "Counts, and reports progress."}, count)
	s.AddResource(&mcp.Resource{URI: "config://app", Name: "config", MIMEType: "application/json"}, read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "users://{id}/name", Name: "user", MIMEType: "text/plain"}, read)
	s.AddPrompt(&mcp.Prompt{Name: "review", Description: "Asks for a review.", Arguments: []*mcp.PromptArgument{
		{Name: "code", Required: true}, {Name: "language", Required: true},
	}}, review)
	return s
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func greet(_ context.Context, _ *mcp.CallToolRequest, in person) (*mcp.CallToolResult, any, error) {
	return said(fmt.Sprintf("Hello, %s!", in.Name)), nil, nil
}

func weather(_ context.Context, _ *mcp.CallToolRequest, in place) (*mcp.CallToolResult, conditions, error) {
	return nil, conditions{City: in.City, Celsius: 4.5}, nil
}

func divide(_ context.Context, _ *mcp.CallToolRequest, in numbers) (*mcp.CallToolResult, any, error) {
	if in.B == 0 {
		return nil, nil, errors.New("cannot divide by zero")
	}
	return said(fmt.Sprint(in.A / in.B)), nil, nil
}

func book(_ context.Context, req *mcp.CallToolRequest, in day) (*mcp.CallToolResult, any, error) {
	answer, ok := req.Params.InputResponses["booking"].(*mcp.ElicitResult)
	switch {
	case !ok:
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"booking": &mcp.ElicitParams{
			Message: fmt.Sprintf("A table on %s?", in.Date),
			RequestedSchema: &jsonschema.Schema{
				Type: "object",
				Properties: map[string]*jsonschema.Schema{
					"guests": {Type: "integer", Description: "How many will come?", Minimum: jsonschema.Ptr(1.0)},
					"window": {Type: "boolean"},
				},
				Required: []string{"guests"},
			},
		}}}, nil, nil
	case answer.Action != "accept":
		return said("Nothing was booked."), nil, nil
	}
	return said(fmt.Sprintf("Booked for %v on %s.", answer.Content["guests"], in.Date)), nil, nil
}

func summarize(_ context.Context, req *mcp.CallToolRequest, in document) (*mcp.CallToolResult, any, error) {
	answer, ok := req.Params.InputResponses["summary"].(*mcp.CreateMessageWithToolsResult)
	if !ok {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"summary": &mcp.CreateMessageParams{
			MaxTokens: 100,
			Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Summarize: " + in.Text}}},
		}}}, nil, nil
	}
	return said("Summary: " + answer.Content[0].(*mcp.TextContent).Text), nil, nil
}

func folders(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	answer, ok := req.Params.InputResponses["folders"].(*mcp.ListRootsResult)
	if !ok {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"folders": &mcp.ListRootsParams{}}}, nil, nil
	}
	var all []string
	for _, root := range answer.Roots {
		all = append(all, root.URI)
	}
	return said(strings.Join(all, "\n")), nil, nil
}

func count(ctx context.Context, req *mcp.CallToolRequest, in target) (*mcp.CallToolResult, any, error) {
	req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: fmt.Sprintf("counting to %d", in.To)})
	for n := 1; n <= in.To && req.Params.GetProgressToken() != nil; n++ {
		req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: req.Params.GetProgressToken(), Progress: float64(n), Total: float64(in.To), Message: fmt.Sprintf("at %d", n),
		})
	}
	return said(fmt.Sprintf("Counted to %d.", in.To)), nil, nil
}

func read(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	contents := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "application/json", Text: `{"theme":"dark"}`}
	if id, ok := strings.CutPrefix(req.Params.URI, "users://"); ok {
		contents.MIMEType, contents.Text = "text/plain", "User "+strings.TrimSuffix(id, "/name")
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

func review(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := fmt.Sprintf("Review this %s code: %s", req.Params.Arguments["language"], req.Params.Arguments["code"])
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
}
