package main

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/tests/interop/features"
)

// server is what the stories share.
type server struct {
	pages  *pages
	legacy bool
	forms  map[string]features.Form

	mu       sync.Mutex
	charges  map[string]int
	outcomes map[string]string
	required map[string]string // the page that a session must visit
}

func newServer(p *pages, legacy bool) *mcp.Server {
	all := features.Read()
	s := &server{pages: p, legacy: legacy, forms: all.Forms, charges: map[string]int{}, outcomes: map[string]string{}, required: map[string]string{}}
	versions := []string{"2026-07-28"}
	if legacy {
		versions = []string{"2025-11-25", "2025-06-18"}
	}
	m := mcp.NewServer(&mcp.Implementation{Name: "interop-gosdk", Version: "1"}, &mcp.ServerOptions{
		SupportedProtocolVersions: versions,
		Capabilities:              &mcp.ServerCapabilities{Logging: &mcp.LoggingCapabilities{}},
	})
	for _, t := range all.Tools {
		if legacy || !t.Legacy {
			m.AddTool(&mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema}, s.tool(tools[t.Name]))
		}
	}
	m.AddPrompt(&mcp.Prompt{Name: "advise", Arguments: []*mcp.PromptArgument{{Name: "topic", Required: true}}}, s.prompt(advise))
	m.AddResource(&mcp.Resource{URI: "interop://report", Name: "report", MIMEType: "text/plain"}, s.resource(report))
	return m
}

func (s *server) tool(tell story) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p := req.Params
		rep, err := s.play(ctx, tell, &round{
			session: req.Session, extra: req.Extra, token: p.GetProgressToken(), args: p.Arguments, answers: p.InputResponses, state: p.RequestState,
		})
		switch {
		case err != nil:
			return nil, err
		case rep.ask != nil:
			return &mcp.CallToolResult{InputRequests: rep.ask, RequestState: rep.state}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: rep.text}}}, nil
	}
}

func (s *server) prompt(tell story) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		p := req.Params
		args, err := json.Marshal(p.Arguments)
		if err != nil {
			return nil, err
		}
		rep, err := s.play(ctx, tell, &round{session: req.Session, args: args, answers: p.InputResponses, state: p.RequestState})
		switch {
		case err != nil:
			return nil, err
		case rep.ask != nil:
			return &mcp.GetPromptResult{InputRequests: rep.ask, RequestState: rep.state}, nil
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: rep.text}}}}, nil
	}
}

func (s *server) resource(tell story) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		p := req.Params
		rep, err := s.play(ctx, tell, &round{session: req.Session, answers: p.InputResponses, state: p.RequestState})
		switch {
		case err != nil:
			return nil, err
		case rep.ask != nil:
			return &mcp.ReadResourceResult{InputRequests: rep.ask, RequestState: rep.state}, nil
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: p.URI, MIMEType: "text/plain", Text: rep.text}}}, nil
	}
}
