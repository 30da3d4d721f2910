// Package message reads and writes JSON-RPC messages without decoding what they
// carry: ids, params and results stay the bytes they came as.
package message

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/parley-mcp/parley/rawjson"
)

// Message is a request, a notification or a response.
type Message struct {
	ID     []byte // the token as it came; nil for a notification
	Method string // "" for a response
	Params []byte // JSON object, nil where there are none
	Result []byte // of a response
	Error  []byte // of a response that is an error: the error object
}

// IsRequest reports whether an answer is due.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// Sink takes messages for a client: those for the response to a POST, or for
// standard output. Send may be called from any goroutine and keeps the message.
type Sink interface{ Send(text []byte) }

// Parse reads one message, or a batch, which is an array of them.
//
// Source: MCP 2025-03-26, basic, Batching: implementations MUST support
// receiving batches.
func Parse(text []byte) ([]Message, error) {
	value, bad := rawjson.Value(text)
	if bad != nil {
		return nil, errors.New("the message is not JSON")
	}
	if !rawjson.IsArray(value) {
		m, err := parse(value)
		return []Message{m}, err
	}
	var all []Message
	var e rawjson.Elements
	for e.Start(value); e.Next(); {
		m, err := parse(e.Value)
		if err != nil {
			return nil, err
		}
		if all = append(all, m); len(all) > maxBatch {
			return nil, fmt.Errorf("a batch has more than %d messages", maxBatch)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("a batch has no message")
	}
	return all, nil
}

const maxBatch = 64 // messages

var errNotRPC = errors.New("the message is not a JSON-RPC 2.0 request, notification or response")

func parse(value []byte) (m Message, err error) {
	if !rawjson.IsObject(value) {
		return m, errNotRPC
	}
	var names rawjson.Names
	var version, method []byte
	var o rawjson.Members
	for o.Start(value); o.Next(); {
		if names.Add(o.Name) != nil {
			return m, errors.New("the message has a member twice")
		}
		isNull := string(o.Value) == "null" // as serializers write what is absent
		switch {
		case o.Is("jsonrpc"):
			version = o.Value
		case o.Is("id"):
			m.ID = o.Value
		case isNull && !o.Is("result"):
		case o.Is("method"):
			method = o.Value
		case o.Is("params"):
			m.Params = o.Value
		case o.Is("result"):
			m.Result = o.Value
		case o.Is("error"):
			m.Error = o.Value
		}
	}
	if m.Error != nil && string(m.Result) == "null" {
		m.Result = nil
	}
	if o.Err != nil || !rawjson.Is(version, "2.0") {
		return m, errNotRPC
	}
	if method != nil {
		var ok bool
		if m.Method, ok = rawjson.Unquote(method); !ok || m.Method == "" {
			return m, errNotRPC
		}
	}
	switch {
	case m.Params != nil && !rawjson.IsObject(m.Params):
		return m, errors.New("params is not an object")
	case m.ID != nil && !rawjson.IsString(m.ID) && !rawjson.IsNumber(m.ID) && !(m.Error != nil && string(m.ID) == "null"):
		return m, errors.New("id is neither a string nor a number")
	case m.Method == "" && (m.ID == nil || (m.Result == nil) == (m.Error == nil)):
		return m, errNotRPC
	}
	return m, nil
}

// Key is an id to look up by: the same for every spelling of a string.
func Key(id []byte) string {
	if text, ok := rawjson.Unquote(id); rawjson.IsString(id) && ok {
		return "s" + text
	}
	return "n" + string(id)
}

// Response answers a request.
func Response(id, result []byte) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// Failure answers a request with an error object. A nil id is that of a message
// that could not be read.
func Failure(id, object []byte) []byte {
	if id == nil {
		id = []byte("null")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, object)
}

// InUse refuses a request with the id of another one.
func InUse(id []byte) []byte {
	return Failure(id, Error(InvalidRequest, "a request with this id is still running", nil))
}

// Request asks for something; params may be nil.
func Request(id int64, method string, params []byte) []byte {
	return body(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d`, id), method, params)
}

// Notification tells something; params may be nil.
func Notification(method string, params []byte) []byte {
	return body([]byte(`{"jsonrpc":"2.0"`), method, params)
}

func body(b []byte, method string, params []byte) []byte {
	b = append(b, `,"method":`...)
	b = rawjson.AppendQuoted(b, method)
	if params != nil {
		b = append(append(b, `,"params":`...), params...)
	}
	return append(b, '}')
}

// JSON-RPC error codes, and those of MCP 2026-07-28.
const (
	ParseError        = -32700
	InvalidRequest    = -32600
	NoMethod          = -32601
	InvalidParams     = -32602
	Internal          = -32603
	HeaderMismatch    = -32020
	MissingCapability = -32021
	WrongVersion      = -32022
)

// Error is an error object. data may be nil.
func Error(code int, text string, data []byte) []byte {
	b := append(strconv.AppendInt([]byte(`{"code":`), int64(code), 10), `,"message":`...)
	b = rawjson.AppendQuoted(b, text)
	if data != nil {
		b = append(append(b, `,"data":`...), data...)
	}
	return append(b, '}')
}

// Line puts a message into one line, in place. Between tokens JSON takes a space
// for a line break, and within strings there are none.
func Line(text []byte) []byte {
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	return text
}
