package envelope

import (
	"github.com/parley-mcp/parley/engine/internal/message"
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

// Read takes one message apart, whatever of no meaning stands around it. It fails on
// what is no JSON-RPC message, and on several.
func Read(data []byte) (Message, *rawjson.Error) { return parsed(message.Read(data, len(data))) }

// ReadAll takes apart all messages in what a transport brings at once. It fails if
// something in it is none, and returns none of what has nothing in it.
func ReadAll(data []byte) (all []Message, bad *rawjson.Error) {
	body := &message.Body{}
	body.Reset(len(data), false)
	body.Close(data)
	if body.IsBlank() {
		return nil, nil
	}
	if in := body.Bad(); in != nil {
		return nil, &rawjson.Error{Offset: -1, Reason: in.What(in.Err(false))}
	}
	for _, in := range body.Found() {
		m, bad := parsed(in)
		if bad != nil {
			return nil, bad
		}
		all = append(all, m)
	}
	return all, nil
}

func parsed(in *message.Message) (Message, *rawjson.Error) {
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
