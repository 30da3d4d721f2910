package main

import (
	"errors"

	"github.com/parley-mcp/parley/apps/desk/failure"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// reason is why a request to a server failed, in words for the person.
func reason(label, subject string, err error) string {
	text := failure.Reason(label, err)
	if failed := (*parley.Error)(nil); errors.As(err, &failed) && failed.InDoubt {
		text += ". Nobody knows whether " + subject + " was called"
	}
	return text
}

// noSignIn says what to do where the editor cannot ask somebody to sign in.
func (c *call) noSignIn(err error) string {
	if !errors.Is(err, fault.Unauthorized) || c.host.editor.Load().Asks.Authorize || c.server.URL == "" {
		return ""
	}
	return ". This editor cannot ask: run  parley login " + c.server.URL + "  with the --state-dir of the editor"
}
