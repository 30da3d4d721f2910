package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
)

// Message is a JSON-RPC message from the server, taken apart just so far that
// a transport knows whose it is. What it holds is not checked.
type Message = envelope.Message

// ReadMessage takes one message apart. It fails with [engine.ErrMalformed] on
// what is no JSON-RPC message, batches included.
func ReadMessage(data []byte) (Message, *engine.Error) {
	m, bad := envelope.Read(data)
	if bad != nil {
		return Message{}, &engine.Error{Code: engine.ErrMalformed, Detail: "message: " + bad.Error()}
	}
	return m, nil
}

// AppendMessage appends a message as
// {"id":"1","method":"notifications/progress","params":"{…}","failed":false},
// with the members it has, for hosts that do not run Go.
func AppendMessage(dst []byte, m Message) []byte {
	w := writer{append(dst, '{')}
	w.raw("id", m.ID)
	if m.Method != "" {
		w.string("method", m.Method)
	}
	w.raw("params", m.Params)
	w.boolean("failed", m.Failed)
	w.close()
	return w.dst
}
