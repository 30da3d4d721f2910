package main

import (
	"errors"

	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// reason is why a request to a server failed, in words for the person.
func reason(label, subject string, err error) string {
	text := display.Reason(label, err)
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
	return ". This editor cannot ask: " + c.host.signsIn(c.server.URL)
}

// signsIn is how to sign in to a server where the editor cannot ask for it.
func (h *host) signsIn(url string) string {
	if h.stateDir == "" { // accounts end with this process
		return "start parley-editor with --state-dir and --key-file, and sign in with parley login"
	}
	return "run  " + system.ShellLine("parley", "login", url, "--state-dir", h.stateDir)
}
