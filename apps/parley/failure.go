package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// report says why a call failed and returns the exit code.
func (c *command) report(ctx context.Context, h *host, err error) int {
	var failed *parley.Error
	if errors.As(err, &failed) && h.lostWith(failed) {
		defer h.console.Say("%s waited for an answer itself and was told that nobody waits any more. Nothing is kept: to start over, call it again", c.label)
	}
	switch {
	case errors.Is(err, dialog.ErrInterrupted) || ctx.Err() != nil:
		h.console.Fail("interrupted: the call to %s was not finished", c.subject)
		return exitInterrupted
	case errors.Is(err, errStopped) && h.wire.isTask():
		h.console.Fail("you stopped the call to %s, and %s was asked to cancel its task", c.subject, c.label)
		return exitStopped
	case errors.Is(err, errStopped):
		h.console.Fail("you stopped the call to %s", c.subject)
		return exitStopped
	}
	h.console.Fail("%s", plain.Line(c.reason(err, h.wire), mostMessage))
	return exitFailed
}

// reason is why a call failed, in words for the person.
func (c *command) reason(err error, w *wire) string {
	var failed *parley.Error
	if !errors.As(err, &failed) {
		return err.Error()
	}
	switch failed.Code {
	case engine.ErrRPC, engine.ErrState:
		return c.label + " " + rpcError(failed)
	case engine.ErrTask:
		if failed.Response == nil {
			return fmt.Sprintf("the task at %s came to nothing: %s", c.label, failed.Detail)
		}
		return fmt.Sprintf("the task at %s %s", c.label, strings.Replace(rpcError(failed), "answered with error", "ended with error", 1))
	case engine.ErrLegTimeout:
		if c.timeout == 0 { // of a call that is gone on with, it is the engine's to know
			return fmt.Sprintf("no answer from %s in time", c.label)
		}
		return fmt.Sprintf("no answer from %s within %v (--timeout)", c.label, c.timeout)
	case engine.ErrLost, engine.ErrInDoubt:
		if why := w.why(); why != "" {
			return fmt.Sprintf("no answer from %s: %s", c.label, why)
		}
		if failed.Code == engine.ErrInDoubt {
			return fmt.Sprintf("%s was called when the call stopped, and nobody knows what came of it", c.subject)
		}
		return fmt.Sprintf("no answer from %s: %s", c.label, failed.Detail)
	case engine.ErrCanceled, engine.ErrRefused:
		if failed.Cause != nil {
			return failed.Cause.Error()
		}
	}
	return failed.Code.String() + ": " + failed.Detail
}

// rpcError is the server's JSON-RPC error, with what can be done about it.
func rpcError(failed *parley.Error) string {
	code, data := jsontext.Get(failed.Response, "code"), jsontext.Get(failed.Response, "data")
	text := fmt.Sprintf("answered with error %s: %s", code, plain.Line(new(jsontext.Reader).Text(failed.Response, "message"), mostMessage/2))
	if data != nil && string(data) != "null" {
		text += " " + plain.Line(string(data), mostMessage/4)
	}
	switch {
	case failed.Code == engine.ErrState:
		text += " (if the answers came too late, start over)"
	case string(code) == "-32021" && bytes.Contains(data, []byte(`"sampling"`)):
		text += " (--sample-cmd gives it a model)"
	case string(code) == "-32021" && bytes.Contains(data, []byte(`"roots"`)):
		text += " (--root gives it folders)"
	}
	return text
}
