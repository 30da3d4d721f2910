// Command mcpgo is a server on mark3labs/mcp-go, as its documentation shows: a tool that asks returns what it needs, and the
// library asks clients of earlier eras itself.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type place struct {
	City string `json:"city"`
}

type conditions struct {
	City    string  `json:"city"`
	Celsius float64 `json:"celsius"`
}

func main() {
	overHTTP := flag.Bool("http", false, "serve over HTTP")
	flag.Parse()
	s := newServer()
	if !*overHTTP {
		if err := server.ServeStdio(s); err != nil {
			log.Print(err)
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("http://%s/mcp", listener.Addr())
	http.Handle("/mcp", server.NewStreamableHTTPServer(s))
	log.Fatal(http.Serve(listener, nil))
}

func newServer() *server.MCPServer {
	s := server.NewMCPServer("restaurant", "1.0.0",
		server.WithToolCapabilities(true), server.WithResourceCapabilities(false, true), server.WithPromptCapabilities(true),
		server.WithLogging(), server.WithElicitation(), server.WithRoots(), server.WithPaginationLimit(3))
	s.EnableSampling()
	s.AddTool(mcp.NewTool("greet", mcp.WithDescription("Greets somebody."), mcp.WithString("name", mcp.Required())), greet)
	s.AddTool(mcp.NewTool("weather", mcp.WithDescription("Says what the weather is."),
		mcp.WithInputSchema[place](), mcp.WithOutputSchema[conditions]()), mcp.NewStructuredToolHandler(weather))
	s.AddTool(mcp.NewTool("divide", mcp.WithDescription("Divides a by b."),
		mcp.WithNumber("a", mcp.Required()), mcp.WithNumber("b", mcp.Required())), divide)
	s.AddTool(mcp.NewTool("book", mcp.WithDescription("Books a table."), mcp.WithString("date", mcp.Required())), book)
	s.AddTool(mcp.NewTool("summarize", mcp.WithDescription("Has the client's model summarize a text."),
		mcp.WithString("text", mcp.Required())), summarize)
	s.AddTool(mcp.NewTool("folders", mcp.WithDescription("Says which folders the client works on.")), folders)
	s.AddTool(mcp.NewTool("count", mcp.WithDescription("Counts, and reports progress."), mcp.WithInteger("to", mcp.Required())), count)
	s.AddResource(mcp.NewResource("config://app", "config", mcp.WithMIMEType("application/json")), config)
	s.AddResourceTemplate(mcp.NewResourceTemplate("users://{id}/name", "user", mcp.WithTemplateMIMEType("text/plain")), user)
	s.AddPrompt(mcp.NewPrompt("review", mcp.WithPromptDescription("Asks for a review."),
		mcp.WithArgument("code", mcp.RequiredArgument()), mcp.WithArgument("language", mcp.RequiredArgument())), review)
	return s
}

func greet(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name, err := req.RequireString("name")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	return mcp.NewToolResultText(fmt.Sprintf("Hello, %s!", name)), nil
}

func weather(_ context.Context, _ mcp.CallToolRequest, in place) (conditions, error) {
	return conditions{City: in.City, Celsius: 4.5}, nil
}

func divide(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	b := req.GetFloat("b", 0)
	if b == 0 {
		return mcp.NewToolResultError("cannot divide by zero"), nil
	}
	return mcp.NewToolResultText(fmt.Sprint(req.GetFloat("a", 0) / b)), nil
}

func book(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	date := req.GetString("date", "")
	answer := server.ElicitationResponse(req.Params.InputResponses, "booking")
	switch {
	case answer == nil:
		return server.NewInputRequestBuilder("").Elicit("booking", mcp.ElicitationParams{
			Mode:    mcp.ElicitationModeForm,
			Message: fmt.Sprintf("A table on %s?", date),
			RequestedSchema: map[string]any{
				"type": "object",
				"properties": map[string]any{
					"guests": map[string]any{"type": "integer", "description": "How many will come?", "minimum": 1},
					"window": map[string]any{"type": "boolean", "default": false},
				},
				"required": []string{"guests"},
			},
		}).ToolResult(), nil
	case answer.Action != mcp.ElicitationResponseActionAccept:
		return mcp.NewToolResultText("Nothing was booked."), nil
	}
	content, _ := answer.Content.(map[string]any)
	return mcp.NewToolResultText(fmt.Sprintf("Booked for %v on %s.", content["guests"], date)), nil
}

func summarize(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer := server.SamplingResponse(req.Params.InputResponses, "summary")
	if answer == nil {
		prompt := mcp.NewTextContent("Summarize: " + req.GetString("text", ""))
		return server.NewInputRequestBuilder("").Sample("summary", mcp.CreateMessageParams{
			Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: prompt}}, MaxTokens: 100,
		}).ToolResult(), nil
	}
	return mcp.NewToolResultText("Summary: " + mcp.GetTextFromContent(answer.Content)), nil
}

func folders(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer := server.RootsResponse(req.Params.InputResponses, "folders")
	if answer == nil {
		return server.NewInputRequestBuilder("").Roots("folders").ToolResult(), nil
	}
	var all []string
	for _, root := range answer.Roots {
		all = append(all, root.URI)
	}
	return mcp.NewToolResultText(strings.Join(all, "\n")), nil
}

func count(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s, to := server.ServerFromContext(ctx), req.GetInt("to", 0)
	s.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(mcp.LoggingLevelInfo, "restaurant", fmt.Sprintf("counting to %d", to)))
	if meta := req.Params.Meta; meta != nil && meta.ProgressToken != nil {
		for n := 1; n <= to; n++ {
			s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
				"progressToken": meta.ProgressToken, "progress": n, "total": to, "message": fmt.Sprintf("at %d", n),
			})
		}
	}
	return mcp.NewToolResultText(fmt.Sprintf("Counted to %d.", to)), nil
}

func config(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: "application/json", Text: `{"theme":"dark"}`}}, nil
}

func user(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "users://"), "/name")
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: "text/plain", Text: "User " + id}}, nil
}

func review(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := fmt.Sprintf("Review this %s code: %s", req.Params.Arguments["language"], req.Params.Arguments["code"])
	return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}), nil
}
