package session

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/sentence"
)

// ProtocolVersion is the latest protocol version that a session speaks.
const ProtocolVersion = envelope.ProtocolVersion

// ParsedMessage is a JSON-RPC message, taken apart. What it holds is not checked, and
// points into the text. A session parses what it is given itself: this is for programs
// that stand between a client and a server.
type ParsedMessage = envelope.Message

// ParseMessages takes apart all messages in what a transport brings at once, such as a
// line or the body of a request: in a batch, one a line or one after the other. Of white
// space it returns none. It fails with [fault.Malformed] if something in it is no
// message.
//
// Source: MCP 2025-03-26, basic, Batching: implementations MUST support receiving
// batches.
func ParseMessages(data []byte) ([]ParsedMessage, error) {
	all, bad := envelope.ReadAll(data)
	if bad != nil {
		return nil, newError(fault.Malformed, sentence.Say("message: {0}", bad.Sentence()))
	}
	return all, nil
}
