package main

import (
	"errors"

	"github.com/parley-mcp/parley/apps/desk/failure"
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
