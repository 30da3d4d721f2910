package session

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/sentence"
)

// ProtocolVersion is the latest protocol version that a session speaks.
const ProtocolVersion = envelope.ProtocolVersion

// ParsedMessage is a JSON-RPC message taken apart. Its bytes point into the text that was
// parsed, and what they hold is not checked. Programs that stand between a client and a
// server need it; a session parses its messages itself.
type ParsedMessage struct {
	ID     []byte // as JSON text; nil if the message has none
	Method string // of a request or notification; "" of a response
	Params []byte // of a request or notification; nil if it has none
	Failed bool   // a response with an error

	Result, Error []byte // of a response; nil otherwise
}

// ParseMessages takes apart what a transport delivers at once, such as a line or a body:
// one message, a batch, or several in a row. For white space it returns none. It fails
// with [fault.Malformed] if a part is no JSON-RPC message.
//
// Source: MCP 2025-03-26, basic, Batching: implementations MUST support receiving
// batches.
func ParseMessages(data []byte) ([]ParsedMessage, error) {
	all, bad := envelope.ReadAll(data)
	if bad != nil {
		return nil, newError(fault.Malformed, sentence.Say("message: {0}", bad.Sentence()))
	}
	messages := make([]ParsedMessage, len(all))
	for i := range all {
		messages[i] = ParsedMessage(all[i])
	}
	return messages, nil
}
