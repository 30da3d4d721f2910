package stories

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// desk takes a request to its story and the story's reply to the wire.
type desk struct {
	server *mcp.Server
	log    *slog.Logger
	pages  *pages // nil where nobody serves them
	tasks  *gosdk.Tasks
	step   time.Duration // of a task
}

func newDesk(o Options) *desk {
	o = o.withDefaults()
	d := &desk{
		server: mcp.NewServer(
			&mcp.Implementation{Name: "parley-go-server", Title: "Parley example server", Version: "0.1.0"},
			&mcp.ServerOptions{
				Instructions: "Every tool, prompt and resource here may ask for input before it answers.",
				// Only what is there: no logging, and lists that never change.
				Capabilities: &mcp.ServerCapabilities{
					Tools:     &mcp.ToolCapabilities{},
					Prompts:   &mcp.PromptCapabilities{},
					Resources: &mcp.ResourceCapabilities{},
					Extensions: map[string]any{
						gosdk.TasksExtension: struct{}{},
					},
				},
				SupportedProtocolVersions: []string{ProtocolVersion},
			}),
		log:  o.Logger,
		step: o.Step,
	}
	d.server.AddReceivingMiddleware(o.guard())
	d.tasks = o.Tasks
	d.tasks.Add(d.server)
	return d
}

// leg is what the three kinds of request have in common.
type leg struct {
	method, name string
	state        string // plain: the Guard opened it
	answers      mcp.InputResponseMap
	base         string // this server's own address, "" if it does not know it
}

// take plays one round.
func take[In any](d *desk, l leg, in In, tell story[In]) reply {
	rep := tell(in, round{last: readProgress(l.state), answers: l.answers, base: l.base})
	d.log.Info("round", "method", l.method, "name", l.name, "more", rep.questions != nil, "asks", rep.next.Keys)
	if rep.questions != nil && !rep.stateless {
		rep.state = rep.next.text()
	}
	return rep
}

func addTool[In any](d *desk, tool *mcp.Tool, tell story[In]) {
	mcp.AddTool(d.server, tool, func(_ context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		p := req.Params
		base := ""
		if req.Extra != nil {
			base = req.Extra.Header.Get(baseHeader)
		}
		return toolResult(take(d, leg{"tools/call", p.Name, p.RequestState, p.InputResponses, base}, in, tell))
	})
}

func toolResult(rep reply) (*mcp.CallToolResult, any, error) {
	if rep.questions != nil {
		return &mcp.CallToolResult{InputRequests: rep.questions, RequestState: rep.state}, nil, nil
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: rep.text}},
		IsError: rep.end == unanswered, // a user's no is a result, not an error
	}, nil, nil
}

func addPrompt(d *desk, prompt *mcp.Prompt, tell story[map[string]string]) {
	d.server.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		p := req.Params
		rep := take(d, leg{"prompts/get", p.Name, p.RequestState, p.InputResponses, ""}, p.Arguments, tell)
		if rep.questions != nil {
			return &mcp.GetPromptResult{InputRequests: rep.questions, RequestState: rep.state}, nil
		}
		if rep.end != done {
			return nil, noResult(rep)
		}
		return &mcp.GetPromptResult{
			Description: prompt.Description,
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: rep.text}}},
		}, nil
	})
}

func addResource(d *desk, resource *mcp.Resource, tell story[struct{}]) {
	d.server.AddResource(resource, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		p := req.Params
		private := mcp.Cacheable{CacheScope: "private"} // what follows depends on the user
		rep := take(d, leg{"resources/read", p.URI, p.RequestState, p.InputResponses, ""}, struct{}{}, tell)
		if rep.questions != nil {
			return &mcp.ReadResourceResult{Cacheable: private, InputRequests: rep.questions, RequestState: rep.state}, nil
		}
		if rep.end != done {
			return nil, noResult(rep)
		}
		return &mcp.ReadResourceResult{
			Cacheable: private,
			Contents:  []*mcp.ResourceContents{{URI: p.URI, Text: rep.text}},
		}, nil
	})
}

// noResult is how a prompt or a resource ends without one: unlike a tool's,
// their results have no room for it.
func noResult(rep reply) error {
	data, _ := json.Marshal(map[string]ending{"reason": rep.end})
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: rep.text, Data: data}
}
