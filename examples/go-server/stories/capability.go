package stories

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// undeclared returns the error for the first kind of question the client did
// not declare in this very request, in the order of the specification.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 7.
func undeclared(questions mcp.InputRequestMap, c *mcp.ClientCapabilities) error {
	var form, url, sampling, roots bool
	for _, q := range questions {
		switch q := q.(type) {
		case *mcp.ElicitParams:
			form, url = form || q.Mode != "url", url || q.Mode == "url"
		case *mcp.CreateMessageParams:
			sampling = true
		case *mcp.ListRootsParams:
			roots = true
		}
	}
	switch {
	case form && !takesForms(c):
		return required("elicitation", `{"elicitation":{"form":{}}}`)
	case url && (c == nil || c.Elicitation == nil || c.Elicitation.URL == nil):
		return required("elicitation in url mode", `{"elicitation":{"url":{}}}`)
	case sampling && (c == nil || c.Sampling == nil):
		return required("sampling", `{"sampling":{}}`)
	case roots && (c == nil || c.RootsV2 == nil):
		return required("roots", `{"roots":{}}`)
	}
	return nil
}

// takesForms treats an elicitation capability that names no mode as form.
func takesForms(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// required spells its data out: mcp.MissingRequiredClientCapabilityData would
// always list roots too.
func required(name, capabilities string) error {
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: fmt.Sprintf("This needs a client that declares the %s capability", name),
		Data:    json.RawMessage(`{"requiredCapabilities":` + capabilities + `}`),
	}
}
