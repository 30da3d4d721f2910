package main

import (
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

// reason is why a request failed, in words for the person.
func (s *server) reason(subject string, err error) string {
	var failed *parley.Error
	if !errors.As(err, &failed) {
		return plain.Line(err.Error(), mostMessage)
	}
	var text string
	switch own := failed.Code == engine.ErrCanceled || failed.Code == engine.ErrRefused; {
	case failed.Response != nil:
		text = s.Label + " " + rpcError(failed.Response)
	case own && failed.Cause != nil:
		text = failed.Cause.Error()
	default:
		text = s.Label + ": " + failed.Code.String() + ": " + failed.Detail
	}
	text = plain.Line(text, mostMessage)
	if failed.InDoubt {
		text += ". Nobody knows whether " + subject + " was called"
	}
	return text
}

// rpcError is the server's JSON-RPC error.
func rpcError(response []byte) string {
	text := fmt.Sprintf("answered with error %s: %s", rawjson.Member(response, "code"), plain.Line(words(rawjson.Member(response, "message")), mostMessage/2))
	if data := rawjson.Member(response, "data"); len(data) > 0 && string(data) != "null" {
		text += " " + plain.Line(string(data), mostMessage/4)
	}
	return text
}
