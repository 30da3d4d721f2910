package envelope

import (
	"github.com/parley-mcp/parley/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

// Message is a JSON-RPC message from the server, parsed just far enough for a
// transport to know whose it is. What it holds is not checked.
type Message struct {
	ID     []byte // the id as JSON text, nil if the message has none
	Method string // of a request or notification, "" of a response
	Params []byte // of a request or notification, nil if it has none
	Failed bool   // a response with an error

	Result, Error []byte // of a response
}

// Read takes one message apart. It fails on what is no JSON-RPC message, batches
// included.
func Read(data []byte) (Message, *rawjson.Error) {
	in := message.Read(data, len(data))
	if err := in.Err(false); err != nil {
		return Message{}, err
	}
	method, ok := "", true
	if in.Has(message.Method) {
		if method, ok = rawjson.Unquote(in.Text(message.Method)); !ok || method == "" {
			return Message{}, &rawjson.Error{Offset: -1, Reason: "the method is empty or not Unicode text"}
		}
	}
	return Message{
		ID: in.Text(message.ID), Method: method, Params: in.Text(message.Params), Failed: in.Has(message.Error),
		Result: in.Text(message.Result), Error: in.Text(message.Error),
	}, nil
}
