package session

import (
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/rawjson"
)

// paramHeaders appends the Mcp-Param fields of a tools/call. A parameter that
// is absent or null has none.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http, Custom Headers
// from Tool Parameters.
func (s *Session) paramHeaders(headers []Header, params []byte) []Header {
	if len(s.tools) == 0 {
		return headers
	}
	name, ok := rawjson.Unquote(rawjson.Member(params, "name"))
	arguments := rawjson.Member(params, "arguments")
	t := s.toolNamed(name)
	if !ok || t == nil {
		return headers
	}
	for _, p := range t.params {
		if text, ok := headerText(p.at.of(arguments)); ok {
			headers = append(headers, header("Mcp-Param-"+p.header, envelope.HeaderValue(text)))
		}
	}
	return headers
}

// headerText is a string, an integer or a boolean as a header field has it.
func headerText(value []byte) (string, bool) {
	if rawjson.IsString(value) {
		return rawjson.Unquote(value)
	}
	if rawjson.IsNumber(value) {
		// An integer however it is written, within what a header field MUST stay
		// (server/tools, x-mcp-header).
		d, ok := rawjson.ParseDecimal(string(value))
		n, safe := d.Safe()
		return string(rawjson.AppendInt(nil, n)), ok && safe
	}
	return string(value), string(value) == "true" || string(value) == "false"
}
