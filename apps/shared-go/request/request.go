// Package request makes the requests that may ask back, says what they are about, and fills in
// the templates of resources' addresses.
package request

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
)

// Tool is the method and params of a call of a tool. The arguments are JSON text
// and go out as they are written, as those of a prompt do.
func Tool(name string, arguments []byte) (method string, params []byte) {
	return "tools/call", named(name, arguments)
}

// Prompt is the method and params that get a prompt.
func Prompt(name string, arguments []byte) (method string, params []byte) {
	return "prompts/get", named(name, arguments)
}

// AsTask is the params of a call of a tool that ask for a task, as of MCP
// 2025-11-25.
func AsTask(params []byte) []byte {
	return append(params[:len(params)-1:len(params)-1], `,"task":{}}`...)
}

func named(name string, arguments []byte) []byte {
	return fmt.Appendf(nil, `{"name":%s,"arguments":%s}`, jsontext.Quote(name), arguments)
}

// Resource is the method and params that read a resource.
func Resource(uri string) (method string, params []byte) {
	return "resources/read", fmt.Appendf(nil, `{"uri":%s}`, jsontext.Quote(uri))
}

// Arguments checks that a text is a JSON object, and takes off what is around it.
func Arguments(text []byte) ([]byte, error) {
	if err := jsontext.Check(text); err != nil {
		return nil, fmt.Errorf("the arguments: %w", err)
	}
	text = bytes.TrimSpace(text)
	if text[0] != '{' {
		return nil, errors.New(`the arguments are JSON, but no object: they look like {"name":"value"}`)
	}
	return text, nil
}

// maxName bounds a name in a subject, in characters.
const maxName = 200

// Subject is what a request is about, in words fit to be shown: "the tool NAME".
func Subject(method string, params []byte) string {
	switch method {
	case "tools/call":
		return "the tool " + plain.Line(jsontext.Text(params, "name"), maxName)
	case "prompts/get":
		return "the prompt " + plain.Line(jsontext.Text(params, "name"), maxName)
	case "resources/read":
		return "the resource " + plain.Line(jsontext.Text(params, "uri"), maxName)
	}
	return "the request " + plain.Line(method, maxName)
}
