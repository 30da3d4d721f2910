package conformance

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// undeclared returns an error if a question needs a capability that the client
// did not declare in this very request.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 7.
func undeclared(questions mcp.InputRequestMap, c *mcp.ClientCapabilities) error {
	needed := map[string]struct{}{}
	for _, q := range questions {
		if name := missing(q, c); name != "" {
			needed[name] = struct{}{}
		}
	}
	if len(needed) == 0 {
		return nil
	}
	data, _ := json.Marshal(map[string]any{"requiredCapabilities": needed}) // names and empty objects
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "This needs a client that declares more capabilities",
		Data:    data,
	}
}

// missing returns the capability that the question needs and the client does
// not declare, "" if it may be asked. An elicitation capability that names no
// mode stands for forms.
func missing(q mcp.InputRequest, c *mcp.ClientCapabilities) string {
	if c == nil {
		c = &mcp.ClientCapabilities{}
	}
	switch q.(type) {
	case *mcp.ElicitParams:
		if c.Elicitation == nil || c.Elicitation.Form == nil && c.Elicitation.URL != nil {
			return "elicitation"
		}
	case *mcp.CreateMessageParams:
		if c.Sampling == nil {
			return "sampling"
		}
	case *mcp.ListRootsParams:
		if c.RootsV2 == nil {
			return "roots"
		}
	}
	return ""
}
