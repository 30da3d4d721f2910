package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
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
	doubt := errors.As(err, &failed) && failed.InDoubt
	switch {
	case errors.Is(err, errStopped) && h.conn.watch.isTask():
		h.console.Fail("you stopped the call to %s, and %s was asked to cancel its task", c.subject, c.label)
		return exitStopped
	case errors.Is(err, errStopped):
		h.console.Fail("you stopped the call to %s", c.subject)
		if doubt {
			h.console.Say("%s had it by then: it may have done part of its work. Nothing is kept.", c.label)
		}
		return exitStopped
	case !errors.Is(err, dialog.ErrInterrupted) && ctx.Err() == nil:
		h.console.Fail("%s", plain.Line(c.reason(err), mostMessage))
	case doubt:
		h.console.Fail("interrupted while %s had the call to %s", c.label, c.subject)
	default:
		h.console.Fail("interrupted: the call to %s was not finished", c.subject)
		return exitInterrupted
	}
	if doubt {
		h.console.Say("%s", inDoubt)
		return exitInDoubt
	}
	return exitFailed
}

// inDoubt is what a person has to know who may call a tool again.
const inDoubt = "It is in doubt: the tool was called, and no answer came, so it may have run or not. Find out if you can."

// reason is why a call failed, in words for the person.
func (c *command) reason(err error) string {
	var failed *parley.Error
	var status *parley.StatusError
	if !errors.As(err, &failed) {
		return err.Error()
	}
	switch failed.Code {
	case engine.ErrRPC, engine.ErrState:
		return c.label + " " + rpcError(failed)
	case engine.ErrTask:
		if failed.Response == nil {
			return fmt.Sprintf("the task at %s came to nothing: %s", c.label, inWords(failed.Detail))
		}
		return fmt.Sprintf("the task at %s %s", c.label, strings.Replace(rpcError(failed), "answered with error", "ended with error", 1))
	case engine.ErrLegTimeout:
		if c.timeout == 0 { // of a call that is gone on with, it is the engine's to know
			return fmt.Sprintf("no answer from %s in time", c.label)
		}
		return fmt.Sprintf("no answer from %s within %v (--timeout)", c.label, c.timeout)
	case engine.ErrLost, engine.ErrInDoubt:
		if errors.As(err, &status) {
			return fmt.Sprintf("%s answered with %s", c.label, statusWords(status))
		}
		return fmt.Sprintf("no answer from %s: %s", c.label, inWords(failed.Detail))
	case engine.ErrCanceled, engine.ErrRefused:
		if failed.Cause != nil {
			return failed.Cause.Error()
		}
	}
	return failed.Code.String() + ": " + inWords(failed.Detail)
}

var limits = regexp.MustCompile(`limits\.\w+ allows`)

// inWords is a detail of the engine's for who cannot set its limits.
func inWords(detail string) string { return limits.ReplaceAllString(detail, "parley takes") }

// statusWords is an HTTP error status, with what can be done about it.
func statusWords(status *parley.StatusError) string {
	text := fmt.Sprintf("HTTP status %d %s", status.Code, http.StatusText(status.Code))
	switch status.Code {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return text + ": it wants authorization, which parley does not give"
	case http.StatusTooManyRequests:
		return text + ": it has had too many requests; wait a while, then try again"
	}
	return strings.TrimPrefix(status.Error(), "parley: ")
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
		text += " (it does not go on from where it was, maybe because the answers came too late)"
	case string(code) == "-32021" && bytes.Contains(data, []byte(`"sampling"`)):
		text += " (--sample-cmd gives it a model)"
	case string(code) == "-32021" && bytes.Contains(data, []byte(`"roots"`)):
		text += " (--root gives it folders)"
	}
	return text
}
