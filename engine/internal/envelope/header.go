package envelope

import (
	"encoding/base64"

	"github.com/parley-mcp/parley/rawjson"
)

// Header is an HTTP header field of a leg.
type Header struct{ Name, Value string }

// Headers returns the protocol's header fields for a request, the same on
// every leg: inputResponses and requestState are not mirrored in headers.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http, Standard Headers.
func Headers(r *Request) []Header {
	headers := make([]Header, 2, 6)
	headers[0] = Header{"MCP-Protocol-Version", r.Version()}
	headers[1] = Header{"Mcp-Method", r.Method}
	member := ""
	switch r.Method {
	case "tools/call", "prompts/get":
		member = "name"
	case "resources/read":
		member = "uri"
	case "tasks/get", "tasks/update", "tasks/cancel": // the tasks extension, Streamable HTTP
		member = "taskId"
	default:
		return headers
	}
	var m rawjson.Members
	for m.StartChecked(r.Params); m.Next(); {
		if m.Is(member) {
			if name, ok := rawjson.Unquote(m.Value); ok {
				headers = append(headers, Header{"Mcp-Name", HeaderValue(name)})
			}
			break
		}
	}
	return headers
}

// HeaderValue encodes a value that is not plain ASCII, or that could be taken
// for an encoded one, as =?base64?…?=.
func HeaderValue(text string) string {
	const prefix, suffix = "=?base64?", "?="
	plain := !(len(text) >= len(prefix)+len(suffix) && text[:len(prefix)] == prefix && text[len(text)-len(suffix):] == suffix)
	for i := 0; i < len(text) && plain; i++ {
		edge := i == 0 || i == len(text)-1
		plain = text[i] > ' ' && text[i] < 0x7F || text[i] == ' ' && !edge
	}
	if plain {
		return text
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(text)) + suffix
}
