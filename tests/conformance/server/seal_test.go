package conformance_test

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// wrap stands for the middleware that protects requestState: whatever a fixture
// hands out goes through it, a round without requestState gets one, and what
// comes back is undone or refused. It protects nothing.
func wrap(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		var err error
		switch p := req.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			p.RequestState, err = open(p.RequestState)
		case *mcp.GetPromptParams:
			p.RequestState, err = open(p.RequestState)
		}
		if err != nil {
			return nil, err
		}
		res, err := next(ctx, method, req)
		switch r := res.(type) {
		case *mcp.CallToolResult:
			if r.NeedsInput() {
				r.RequestState = seal(r.RequestState)
			}
		case *mcp.GetPromptResult:
			if r.NeedsInput() {
				r.RequestState = seal(r.RequestState)
			}
		}
		return res, err
	}
}

func seal(state string) string { return "sealed(" + state + ")" }

func open(state string) (string, error) {
	if state == "" {
		return "", nil
	}
	inner, begins := strings.CutPrefix(state, "sealed(")
	inner, ends := strings.CutSuffix(inner, ")")
	if !begins || !ends {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid or expired requestState"}
	}
	return inner, nil
}
