package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/examples/terminal/internal/console"
	"github.com/parley-mcp/parley/examples/terminal/internal/dialog"
	"github.com/parley-mcp/parley/examples/terminal/internal/plain"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// report says why a call failed and returns the exit code.
func (c *command) report(ctx context.Context, screen *console.Console, err error) int {
	switch {
	case errors.Is(err, dialog.ErrInterrupted) || ctx.Err() != nil:
		screen.Fail("interrupted: the call to %s was not finished", c.subject)
		return exitInterrupted
	case errors.Is(err, errStopped):
		screen.Fail("you stopped the call to %s", c.subject)
		return exitStopped
	}
	screen.Fail("%s", plain.Line(c.reason(err), mostMessage))
	return exitFailed
}

// reason is why a call failed, in words for the person.
func (c *command) reason(err error) string {
	var failed *parley.Error
	if !errors.As(err, &failed) {
		return err.Error()
	}
	switch failed.Code {
	case engine.ErrRPC, engine.ErrState:
		return c.label + " " + rpcError(failed)
	case engine.ErrLegTimeout:
		return fmt.Sprintf("no answer from %s within %v (--timeout)", c.label, c.timeout)
	case engine.ErrLost, engine.ErrInDoubt:
		if failed.Cause != nil {
			return fmt.Sprintf("no answer from %s: %s", c.label, lost(failed.Cause))
		}
		if failed.Code == engine.ErrInDoubt {
			return fmt.Sprintf("%s was called when the call stopped, and nobody knows what came of it", c.subject)
		}
	case engine.ErrRefused:
		if failed.Cause != nil {
			return failed.Cause.Error()
		}
	}
	return failed.Code.String() + ": " + failed.Detail
}

// lost is why the transport failed, without what the person knows already.
func lost(cause error) string {
	var address *url.Error
	var status *parley.StatusError
	switch {
	case errors.As(cause, &address):
		cause = address.Err
	case errors.As(cause, &status) && (status.Code == http.StatusUnauthorized || status.Code == http.StatusForbidden):
		return fmt.Sprintf("HTTP status %d: it wants authorization, which this example does not give", status.Code)
	}
	return strings.TrimPrefix(cause.Error(), "parley: ")
}

// rpcError is the server's JSON-RPC error, with what can be done about it.
func rpcError(failed *parley.Error) string {
	var e struct {
		Code    json.RawMessage `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	json.Unmarshal(failed.Response, &e) // the engine has read its code
	text := fmt.Sprintf("answered with error %s: %s", e.Code, plain.Line(e.Message, mostMessage/2))
	if e.Data != nil && string(e.Data) != "null" {
		text += " " + plain.Line(string(e.Data), mostMessage/4)
	}
	switch {
	case failed.Code == engine.ErrState:
		text += " (if the answers came too late, start over)"
	case string(e.Code) == "-32021" && bytes.Contains(e.Data, []byte(`"sampling"`)):
		text += " (--sample-cmd gives it a model)"
	case string(e.Code) == "-32021" && bytes.Contains(e.Data, []byte(`"roots"`)):
		text += " (--root gives it folders)"
	}
	return text
}
