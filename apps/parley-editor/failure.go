package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

// reason is why a request failed, in words for the person.
func (p *peer) reason(s server, subject string, err error) string {
	return plain.Line(why(s.Label, subject, err), mostMessage)
}

func (c *call) reason(err error) string { return c.peer.reason(c.server, c.subject, err) }

func why(label, subject string, err error) string {
	var failed *parley.Error
	if !errors.As(err, &failed) {
		return err.Error()
	}
	switch failed.Code {
	case engine.ErrRPC, engine.ErrState:
		return label + " " + rpcError(failed)
	case engine.ErrLegTimeout:
		return "no answer from " + label + " in time"
	case engine.ErrLost:
		return fmt.Sprintf("no answer from %s: %s", label, failed.Detail)
	case engine.ErrInDoubt:
		return fmt.Sprintf("%s was called, and nobody knows what came of it: %s", subject, failed.Detail)
	case engine.ErrCanceled, engine.ErrRefused:
		if failed.Cause != nil {
			return failed.Cause.Error()
		}
	}
	return failed.Code.String() + ": " + failed.Detail
}

// rpcError is the server's JSON-RPC error, with what can be done about it.
func rpcError(failed *parley.Error) string {
	code, data := rawjson.Member(failed.Response, "code"), rawjson.Member(failed.Response, "data")
	text := fmt.Sprintf("answered with error %s: %s", code, plain.Line(words(rawjson.Member(failed.Response, "message")), mostMessage/2))
	if len(data) > 0 && string(data) != "null" {
		text += " " + plain.Line(string(data), mostMessage/4)
	}
	switch {
	case failed.Code == engine.ErrState:
		text += " (if the answers came too late, start over)"
	case string(code) == "-32021" && bytes.Contains(data, []byte(`"sampling"`)):
		text += " (the editor has no model to offer)"
	case string(code) == "-32021" && bytes.Contains(data, []byte(`"roots"`)):
		text += " (the editor has no folders to offer)"
	}
	return text
}
