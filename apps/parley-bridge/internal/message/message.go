// Package message reads and writes JSON-RPC messages without decoding what they
// carry: ids, params and results stay the bytes they came as.
package message

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/rawjson"
)

// Message is a request, a notification or a response.
type Message struct {
	ID     []byte // the token as it came; nil for a notification
	Method string // "" for a response
	Params []byte // JSON object, nil where there are none
	Result []byte // of a response
	Error  []byte // of a response that is an error: the error object
	Flaw   []byte // the error object that answers a request which cannot be carried out, nil if it can

	Held *memory.Lease // what the text takes; nil over stdio, where there is one client
}

// IsRequest reports whether an answer is due.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// Sink takes messages for a client: those for the response to a POST, or for
// standard output. Its methods may be called from any goroutine and keep the message.
type Sink interface {
	// Send tells something.
	Send(text []byte)
	// Answer sends the response to a request.
	Answer(id, text []byte)
	// Ask sends a request of the bridge's own, which is kept until settle is called. It
	// fails if there is no room for it.
	Ask(text []byte) (settle func(), err error)
}

// Parse reads what a client sends at once: one message, or several in a batch. Of white
// space it returns none. A request with a flaw of its own is one of them; what else is
// wrong is wrong with all of them, and [IDsOf] tells whom to answer.
func Parse(text []byte) ([]Message, error) {
	all, err := session.ParseMessages(text)
	var bad *engine.Error
	switch {
	case errors.As(err, &bad):
		return nil, fmt.Errorf("the message is not JSON-RPC: %s", strings.TrimPrefix(bad.Detail.String(), "message: "))
	case len(all) > maxBatch:
		return nil, fmt.Errorf("a batch has more than %d messages", maxBatch)
	}
	messages := make([]Message, len(all))
	for i, m := range all {
		messages[i] = Message{ID: m.ID, Method: m.Method, Params: m.Params, Result: m.Result, Error: m.Error}
		if err := messages[i].check(); err != nil {
			return nil, err
		}
	}
	return messages, nil
}

const maxBatch = 64 // messages

func (m *Message) check() error {
	var err error
	code := InvalidRequest
	switch {
	case m.ID != nil && !isID(m.ID) && !(m.Error != nil && string(m.ID) == "null"):
		err = errors.New("id is neither a string nor a number")
	case m.Method == "" && m.ID == nil:
		err = errors.New("a response has no id")
	case m.Params != nil && !rawjson.IsObject(m.Params):
		code, err = InvalidParams, errors.New("params is not an object")
	}
	if err == nil || !m.IsRequest() {
		return err
	}
	if !isID(m.ID) {
		m.ID = []byte("null")
	}
	m.Flaw, m.Params = Error(code, err.Error(), nil), nil
	return nil
}

func isID(token []byte) bool { return rawjson.IsString(token) || rawjson.IsNumber(token) }

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
