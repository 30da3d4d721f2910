package main

import (
	"encoding/json"
	"fmt"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
	"github.com/parley-mcp/parley/rawjson"
)

// message is what of a JSON-RPC message can be shown.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *rpcFault
}

type rpcFault struct {
	Code json.RawMessage
}

func (e *rpcFault) code() string { return plain.Line(string(e.Code), 20) }

// readMessage reads a message, nil if it is none. It keeps body.
func readMessage(body []byte) *message {
	m := new(message)
	var in rawjson.Members
	for in.Start(body); in.Next(); {
		switch {
		case in.Is("id"):
			m.ID = in.Value
		case in.Is("method") && json.Unmarshal(in.Value, &m.Method) != nil:
			return nil
		case in.Is("params"):
			m.Params = in.Value
		case in.Is("result"):
			m.Result = in.Value
		case in.Is("error") && rawjson.IsObject(in.Value):
			m.Error = &rpcFault{jsontext.Get(in.Value, "code")}
		case in.Is("error") && string(in.Value) != "null":
			return nil
		}
	}
	if in.Err != nil {
		return nil
	}
	return m
}

// size is how long the params are without the _meta that every request has.
func (m *message) size() int {
	size := len(m.Params)
	if meta := jsontext.Get(m.Params, "_meta"); meta != nil {
		size -= len(`,"_meta":`) + len(meta)
	}
	return max(size, len("{}")) // where there is nothing else there is no comma
}

// seen is what of a response can be shown.
type seen struct {
	kind string
	more string
	asks []string
}

const inputRequired = "input_required"

func (m *message) look() seen {
	var in jsontext.Reader
	kind := in.Text(m.Result, "resultType")
	switch {
	case m.Error != nil:
		return seen{kind: "error " + m.Error.code()}
	case m.Result == nil:
		return seen{kind: "neither result nor error"}
	case in.Odd:
		return seen{kind: "unreadable"}
	}
	s := seen{kind: plain.Line(kind, 40)}
	if s.kind == "" {
		s.kind = "complete"
	}
	if state := jsontext.Get(m.Result, "requestState"); state != nil {
		s.more = fmt.Sprintf("  requestState: %d bytes", max(len(state)-len(`""`), 0))
	}
	requests, _ := jsontext.Members(jsontext.Get(m.Result, "inputRequests"))
	for _, entry := range requests {
		s.asks = append(s.asks, plain.Line(entry.Name, mostKey)+"  "+plain.Line(in.Text(entry.Value, "method"), mostKey))
	}
	return s
}
