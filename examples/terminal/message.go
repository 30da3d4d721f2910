package main

import (
	"encoding/json"
	"fmt"

	"github.com/parley-mcp/parley/examples/terminal/internal/jsontext"
	"github.com/parley-mcp/parley/internal/plain"
)

// message is what of a JSON-RPC message can be shown.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcFault       `json:"error"`
}

type rpcFault struct {
	Code json.RawMessage `json:"code"`
}

func (e *rpcFault) code() string { return plain.Line(string(e.Code), 20) }

// readMessage reads a message, nil if it is none.
func readMessage(body []byte) *message {
	m := new(message)
	if json.Unmarshal(body, m) != nil {
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
	var result struct {
		ResultType    string          `json:"resultType"`
		InputRequests json.RawMessage `json:"inputRequests"`
		RequestState  json.RawMessage `json:"requestState"`
	}
	switch {
	case m.Error != nil:
		return seen{kind: "error " + m.Error.code()}
	case m.Result == nil:
		return seen{kind: "neither result nor error"}
	case json.Unmarshal(m.Result, &result) != nil:
		return seen{kind: "unreadable"}
	}
	s := seen{kind: plain.Line(result.ResultType, 40)}
	if s.kind == "" {
		s.kind = "complete"
	}
	if state := result.RequestState; state != nil {
		s.more = fmt.Sprintf("  requestState: %d bytes", max(len(state)-len(`""`), 0))
	}
	requests, _ := jsontext.Members(result.InputRequests)
	for _, entry := range requests {
		var request struct{ Method string }
		json.Unmarshal(entry.Value, &request)
		s.asks = append(s.asks, plain.Line(entry.Name, mostKey)+"  "+plain.Line(request.Method, mostKey))
	}
	return s
}
