package gosdk

import (
	"context"
	"fmt"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Asking makes a tool of a handler that asks (see [Ask]). The server needs the
// middleware [Guard], which seals the answers that travel from round to round;
// without it the first question fails. req has neither RequestState nor
// InputResponses, and the handler sets neither RequestState nor InputRequests.
func Asking(h func(ctx context.Context, ask *Ask, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ask, res, err := askTool(ctx, req, h)
		if ask.pending != nil {
			return ask.toolResult(), nil
		}
		return res, err
	}
}

// AskingFor is [Asking] for [mcp.AddTool], with decoded arguments. It panics if In
// has fields that [Resolve] asks for.
func AskingFor[In, Out any](h func(ctx context.Context, ask *Ask, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error)) mcp.ToolHandlerFor[In, Out] {
	if t := reflect.TypeFor[In](); len(askedFields(t)) > 0 {
		panic(fmt.Sprintf("gosdk: AskingFor: %v has fields with the tag %s: use Resolve, or ask for them with Ask", t, askTag))
	}
	return askingFor(h)
}

func askingFor[In, Out any](h func(ctx context.Context, ask *Ask, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		var out Out
		ask, res, err := askTool(ctx, req, func(ctx context.Context, ask *Ask, req *mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
			res, out, err = h(ctx, ask, req, in)
			return res, err
		})
		if ask.pending != nil {
			var none Out
			return ask.toolResult(), none, nil
		}
		return res, out, err
	}
}

// AskingPrompt is [Asking] for a prompt.
func AskingPrompt(h func(ctx context.Context, ask *Ask, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error)) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		p := *req.Params
		ask := newAsk(ctx, req, p.RequestState, p.InputResponses)
		p.RequestState, p.InputResponses = "", nil
		res, err := h(ctx, ask, &mcp.GetPromptRequest{Session: req.Session, Params: &p, Extra: req.Extra})
		if ask.pending != nil {
			return &mcp.GetPromptResult{InputRequests: ask.pending, RequestState: ask.state}, nil
		}
		return res, err
	}
}

// AskingResource is [Asking] for a resource. Results with questions must not be
// cached by anybody else.
func AskingResource(h func(ctx context.Context, ask *Ask, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error)) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		p := *req.Params
		ask := newAsk(ctx, req, p.RequestState, p.InputResponses)
		p.RequestState, p.InputResponses = "", nil
		res, err := h(ctx, ask, &mcp.ReadResourceRequest{Session: req.Session, Params: &p, Extra: req.Extra})
		if ask.pending != nil {
			return &mcp.ReadResourceResult{
				Cacheable:     mcp.Cacheable{CacheScope: "private"},
				InputRequests: ask.pending,
				RequestState:  ask.state,
			}, nil
		}
		return res, err
	}
}

// askTool runs a tool's handler for one round.
func askTool(ctx context.Context, req *mcp.CallToolRequest, h func(context.Context, *Ask, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) (*Ask, *mcp.CallToolResult, error) {
	p := *req.Params
	ask := newAsk(ctx, req, p.RequestState, p.InputResponses)
	p.RequestState, p.InputResponses = "", nil
	res, err := h(context.WithValue(ctx, askKey{}, ask), ask, &mcp.CallToolRequest{Session: req.Session, Params: &p, Extra: req.Extra})
	return ask, res, err
}

// askKey is where the context of a tool's handler has its Ask, for [Tasks.Run].
type askKey struct{}

func (a *Ask) toolResult() *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: a.pending, RequestState: a.state}
}

func newAsk(ctx context.Context, req mcp.Request, state string, answers mcp.InputResponseMap) *Ask {
	if legacy(req) {
		a := &Ask{direct: req.GetSession().(*mcp.ServerSession), reached: reachable(req)}
		if r, ok := req.(declarer); ok {
			a.declared = r.ClientCapabilities()
		}
		return a
	}
	e := exchangeFrom(ctx)
	if e == nil {
		return &Ask{}
	}
	a := &Ask{exchange: e.x, maxRecord: e.maxRecord}
	var going bool
	if a.record, going = readRecord(state); going {
		a.open, a.answers = len(a.record.Steps)-1, answers
	}
	return a
}

// errUnreachable is for a client of an earlier revision without a session.
var errUnreachable = &jsonrpc.Error{
	Code: jsonrpc.CodeInvalidRequest,
	Message: "This needs to ask, and the server has no session to ask a client of this protocol revision by: " +
		"use revision " + protocolVersion,
}

// errUnguarded is the server's author's mistake, and says so to the first
// client: nothing else would.
var errUnguarded = &jsonrpc.Error{
	Code:    jsonrpc.CodeInternalError,
	Message: "This server asks without protecting its requestState: add the middleware gosdk.Guard",
}
