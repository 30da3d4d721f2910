package session

import "github.com/parley-mcp/parley/engine/internal/envelope"

// headers are the header fields of a request.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http.
func (s *Session) headers(r *request, message *envelope.Request) []Header {
	if r.kind == initialize {
		return content(nil)
	}
	if r.speaks == sessions {
		return s.sessionHeaders(s.earlier.sessionID, true)
	}
	headers := content(envelope.Headers(message))
	if r.method == "tools/call" {
		headers = s.paramHeaders(headers, r.params)
	}
	return headers
}

// content are the header fields of everything that has a body.
func content(headers []Header) []Header {
	return append(headers, header("Content-Type", "application/json"), header("Accept", "application/json, text/event-stream"))
}

// sessionHeaders are the header fields of an earlier era.
//
// Source: MCP 2025-11-25, basic/transports: Session Management, Protocol
// Version Header.
func (s *Session) sessionHeaders(sessionID string, body bool) (headers []Header) {
	if s.version != firstHTTP && s.version != oldest {
		headers = append(headers, header("MCP-Protocol-Version", s.version))
	}
	if sessionID != "" {
		headers = append(headers, header("Mcp-Session-Id", sessionID))
	}
	if body {
		return content(headers)
	}
	return headers
}

func header(name, value string) Header { return Header{Name: name, Value: value} }
