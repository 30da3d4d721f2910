package gosdk

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Undeclared returns the JSON-RPC error -32021 for the first kind of question
// that a client did not declare in its request, in the order of the
// specification; nil if all of them may be asked. [Guard] calls it for every
// result.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 7.
func Undeclared(questions mcp.InputRequestMap, declared *mcp.ClientCapabilities) error {
	var form, url, sampling, tools, roots bool
	for _, q := range questions {
		switch q := q.(type) {
		case *mcp.ElicitParams:
			isURL := q != nil && (q.Mode == "url" || q.Mode == "" && (q.URL != "" || q.ElicitationID != ""))
			form, url = form || !isURL, url || isURL
		case *mcp.CreateMessageParams:
			sampling = true
		case *mcp.CreateMessageWithToolsParams:
			sampling = true
			tools = tools || q != nil && (len(q.Tools) > 0 || q.ToolChoice != nil)
		case *mcp.ListRootsParams:
			roots = true
		}
	}
	if declared == nil {
		declared = &mcp.ClientCapabilities{}
	}
	elicitation := declared.Elicitation
	switch {
	// An elicitation capability that names no mode stands for forms.
	case form && (elicitation == nil || elicitation.Form == nil && elicitation.URL != nil):
		return required("elicitation", `{"elicitation":{"form":{}}}`)
	case url && (elicitation == nil || elicitation.URL == nil):
		return required("elicitation in url mode", `{"elicitation":{"url":{}}}`)
	case sampling && declared.Sampling == nil:
		return required("sampling", `{"sampling":{}}`)
	case tools && declared.Sampling.Tools == nil:
		return required("sampling with tools", `{"sampling":{"tools":{}}}`)
	case roots && declared.RootsV2 == nil:
		return required("roots", `{"roots":{}}`)
	}
	return nil
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
