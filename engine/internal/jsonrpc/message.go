// Package jsonrpc takes JSON-RPC 2.0 messages apart into raw spans.
package jsonrpc

import (
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
)

// Message is one JSON-RPC message. Each field is the raw span of the member of
// that name, nil where the message has none.
type Message struct {
	ID, Method, Params, Result, Error []byte
}

// Unreadable says what came in place of a response.
func Unreadable(body []byte, bad *rawjson.Error) string {
	for len(body) > 0 && body[0] <= ' ' {
		body = body[1:]
	}
	what := bad.Error()
	switch {
	case len(body) == 0:
		what = "it is empty"
	case body[0] == '<':
		what = "it looks like HTML"
	case body[0] == 0xEF:
		what = "it begins with a byte order mark"
	}
	return "the answer is no JSON-RPC message: " + what
}

// Split reads one message. It checks what JSON-RPC says about the envelope:
// one object without duplicate names, "jsonrpc":"2.0", and either a method
// (request, notification) or exactly one of result and error (response).
// What the members hold need only be well-formed JSON.
func Split(data []byte) (Message, *rawjson.Error) {
	var msg Message
	if !utf8.Valid(data) { // RFC 8259, section 8.1
		return msg, &rawjson.Error{Offset: -1, Reason: "text that is not UTF-8"}
	}
	var names rawjson.Names
	version := false
	var m rawjson.Members
	for m.Start(data); m.Next(); {
		if err := names.Add(m.Name); err != nil {
			return Message{}, err
		}
		switch {
		case m.Is("jsonrpc"):
			version = rawjson.Is(m.Value, "2.0")
		case m.Is("id"):
			msg.ID = m.Value
		case m.Is("method"):
			msg.Method = m.Value
		case m.Is("params"):
			msg.Params = m.Value
		case m.Is("result"):
			msg.Result = m.Value
		case m.Is("error"):
			msg.Error = m.Value
		}
	}
	switch {
	case m.Err != nil:
		return Message{}, m.Err
	case !version:
		return Message{}, &rawjson.Error{Offset: -1, Reason: `"jsonrpc" is not "2.0"`}
	case msg.Method != nil && (msg.Result != nil || msg.Error != nil):
		return Message{}, &rawjson.Error{Offset: -1, Reason: "a method together with a result or an error"}
	case msg.Method != nil && !rawjson.IsString(msg.Method):
		return Message{}, &rawjson.Error{Offset: -1, Reason: "the method is not a string"}
	case msg.Result != nil && msg.Error != nil:
		return Message{}, &rawjson.Error{Offset: -1, Reason: "both a result and an error"}
	case msg.Method == nil && msg.Result == nil && msg.Error == nil:
		return Message{}, &rawjson.Error{Offset: -1, Reason: "neither a method, a result nor an error"}
	}
	return msg, nil
}
