// Package conformance holds what the official MCP conformance suite calls in
// its input-required-result scenarios: eight tools and a prompt, named and
// worded by the suite. README.md says how to run it.
//
// Fixtures put plain text in requestState and believe what comes back, so they
// are only as safe as what is around the server: protecting requestState is the
// work of a receiving middleware, for them as for the stories. Of the suite's
// scenarios only input-required-result-tampered-state can tell.
package conformance

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// Handler returns the Streamable HTTP endpoint of a stories server that has
// the fixtures, too. It has no pages, and no web page may call it: o.Origins is
// ignored.
func Handler(o stories.Options) http.Handler {
	o.Tasks = gosdk.NewTasks(gosdk.TaskOptions{Logger: o.Logger})
	server := stories.NewServer(o)
	Register(server)
	RegisterTasks(server, o.Tasks)
	return http.NewCrossOriginProtection().Handler(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{
			Stateless:                    true, // the SDK serves 2026-07-28 no other way
			JSONResponse:                 o.JSON,
			Logger:                       o.Logger,
			MaxRequestBodyBytes:          1 << 20,
			PropagateRequestCancellation: true,
		}))
}

// Register adds the fixtures to the server. Whether middleware is added before
// or after makes no difference.
func Register(server *mcp.Server) {
	addTool(server, "test_input_required_result_elicitation", "Asks for a name in a form.", elicitation)
	addTool(server, "test_input_required_result_sampling", "Asks the client's model for a capital.", sampling)
	addTool(server, "test_input_required_result_list_roots", "Asks for the client's roots.", listRoots)
	addTool(server, "test_input_required_result_request_state", "Asks for a confirmation, in a round with requestState.", confirmation)
	addTool(server, "test_input_required_result_multiple_inputs", "Asks for a name, a greeting and roots in one round.", multipleInputs)
	addTool(server, "test_input_required_result_multi_round", "Asks for a name, then for a colour.", multiRound)
	addTool(server, "test_input_required_result_tampered_state", "Asks for a confirmation, in a round whose requestState is then forged.", confirmation)
	addTool(server, "test_input_required_result_capabilities", "Asks whatever the client declares it can answer.", capabilities)
	addPrompt(server, "test_input_required_result_prompt", "Asks what the prompt is to be about.", promptContext)
}

// A fixture decides one round from what the client sent in it.
type fixture func(leg) reply

// leg is a request as a fixture sees it.
type leg struct {
	state    string // "" on a first leg
	answers  mcp.InputResponseMap
	declared *mcp.ClientCapabilities
}

// reply is questions, or no questions (nil) and the text that ends the call.
type reply struct {
	questions mcp.InputRequestMap
	state     string
	text      string
}

func ask(questions mcp.InputRequestMap) reply { return reply{questions: questions} }

func (r reply) withState(state string) reply {
	r.state = state
	return r
}

func answer(text string) reply { return reply{text: text} }

// play takes one round. Errors are JSON-RPC errors, for the SDK to pass on.
func play(f fixture, l leg) (reply, error) {
	r := f(l)
	return r, undeclared(r.questions, l.declared)
}

func addTool(server *mcp.Server, name, description string, f fixture) {
	tool := &mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(`{"type":"object"}`)}
	server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r, err := play(f, leg{req.Params.RequestState, req.Params.InputResponses, req.ClientCapabilities()})
		switch {
		case err != nil:
			return nil, err
		case r.questions != nil:
			return &mcp.CallToolResult{InputRequests: r.questions, RequestState: r.state}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.text}}}, nil
	})
}

func addPrompt(server *mcp.Server, name, description string, f fixture) {
	prompt := &mcp.Prompt{Name: name, Description: description}
	server.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		r, err := play(f, leg{req.Params.RequestState, req.Params.InputResponses, req.ClientCapabilities()})
		switch {
		case err != nil:
			return nil, err
		case r.questions != nil:
			return &mcp.GetPromptResult{InputRequests: r.questions, RequestState: r.state}, nil
		}
		return &mcp.GetPromptResult{
			Description: description,
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: r.text}}},
		}, nil
	})
}
