package stories

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// desk takes a request to its story and the story's reply to the wire.
type desk struct {
	server *mcp.Server
	sealer *sealer
	log    *slog.Logger
	pages  *pages // nil where nobody serves them
}

func newDesk(o Options) *desk {
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &desk{
		server: mcp.NewServer(
			&mcp.Implementation{Name: "parley-go-server", Title: "Parley example server", Version: "0.1.0"},
			&mcp.ServerOptions{
				Instructions: "Every tool, prompt and resource here may ask for input before it answers.",
				// Only what is there: no logging, and lists that never change.
				Capabilities: &mcp.ServerCapabilities{
					Tools:     &mcp.ToolCapabilities{},
					Prompts:   &mcp.PromptCapabilities{},
					Resources: &mcp.ResourceCapabilities{},
				},
				SupportedProtocolVersions: []string{ProtocolVersion},
			}),
		sealer: newSealer(o.TTL, o.Now),
		log:    log,
	}
}

// leg is what the three kinds of request have in common.
type leg struct {
	method, name string
	state        string
	answers      mcp.InputResponseMap
	declared     *mcp.ClientCapabilities
	base         string // this server's own address, "" if it does not know it
}

// take plays one round. Errors are JSON-RPC errors, for the SDK to pass on.
func take[In any](d *desk, l leg, in In, tell story[In]) (reply, error) {
	request, err := digest(l.method, l.name, in)
	if err != nil {
		return reply{}, err
	}
	r := round{answers: l.answers, base: l.base}
	if l.state != "" {
		if r.last, err = d.sealer.open(request, l.state); err != nil {
			d.log.Warn("requestState rejected", "method", l.method, "name", l.name, "cause", err)
			return reply{}, invalidState()
		}
	}
	rep := tell(in, r)
	if err := undeclared(rep.questions, l.declared); err != nil {
		return reply{}, err
	}
	d.log.Info("round", "method", l.method, "name", l.name, "more", rep.questions != nil, "asks", rep.next.Keys)
	if rep.questions != nil && !rep.stateless {
		rep.state, err = d.sealer.seal(request, rep.next)
	}
	return rep, err
}

func addTool[In any](d *desk, tool *mcp.Tool, tell story[In]) {
	mcp.AddTool(d.server, tool, func(_ context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		p := req.Params
		base := ""
		if req.Extra != nil {
			base = req.Extra.Header.Get(baseHeader)
		}
		rep, err := take(d, leg{"tools/call", p.Name, p.RequestState, p.InputResponses, req.ClientCapabilities(), base}, in, tell)
		if err != nil {
			return nil, nil, err
		}
		if rep.questions != nil {
			return &mcp.CallToolResult{InputRequests: rep.questions, RequestState: rep.state}, nil, nil
		}
		return &mcp.CallToolResult{
			Content: []mcp.Content{&mcp.TextContent{Text: rep.text}},
			IsError: rep.end == unanswered, // a user's no is a result, not an error
		}, nil, nil
	})
}

func addPrompt(d *desk, prompt *mcp.Prompt, tell story[map[string]string]) {
	d.server.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		p := req.Params
		rep, err := take(d, leg{"prompts/get", p.Name, p.RequestState, p.InputResponses, req.ClientCapabilities(), ""}, p.Arguments, tell)
		if err != nil {
			return nil, err
		}
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
		rep, err := take(d, leg{"resources/read", p.URI, p.RequestState, p.InputResponses, req.ClientCapabilities(), ""}, struct{}{}, tell)
		if err != nil {
			return nil, err
		}
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
