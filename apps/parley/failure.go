package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// report says why a call failed and returns the exit code.
func (c *command) report(ctx context.Context, h *host, err error) int {
	var failed *parley.Error
	doubt := errors.As(err, &failed) && failed.InDoubt
	switch {
	case errors.Is(err, errStopped) && h.conn.watch.isTask():
		h.console.Fail("you stopped the call to %s, and %s was asked to cancel its task", c.subject, c.Label)
		return exitStopped
	case errors.Is(err, errStopped):
		h.console.Fail("you stopped the call to %s", c.subject)
		if doubt {
			h.console.Say("%s had it by then: it may have done part of its work. Nothing is kept.", c.Label)
		}
		return exitStopped
	case !errors.Is(err, dialog.ErrInterrupted) && ctx.Err() == nil:
		h.console.Fail("%s", plain.Line(c.reason(err), maxMessage))
	case doubt:
		h.console.Fail("interrupted while %s had the call to %s", c.Label, c.subject)
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

func (c *command) late() error {
	return fmt.Errorf("no answer from %s within %v (--timeout)", c.Label, c.timeout)
}

// reason is why a call failed, in words for the person, with the flag that would
// have helped.
func (c *command) reason(err error) string {
	var failed *parley.Error
	if !errors.As(err, &failed) {
		return display.Reason(c.Label, err)
	}
	if failed.Code == fault.LegTimeout && c.timeout > 0 { // of a call that is resumed, it is the engine's to know
		if strings.Contains(failed.Detail, "(legMax)") {
			return fmt.Sprintf("no answer from %s within %v, though it reports progress (--timeout allows more)", c.Label, max(c.timeout, maxProgress)) + display.Failure(failed)
		}
		return c.late().Error() + display.Failure(failed)
	}
	text := display.Reason(c.Label, err)
	if failed.Code == fault.Unauthorized && c.unaccepted != nil {
		return c.unaccepted.Error() + display.Failure(failed)
	}
	if jsontext.Text(failed.Response, "code") == "-32021" {
		switch wanted := jsontext.Get(failed.Response, "data"); {
		case bytes.Contains(wanted, []byte(`"sampling"`)):
			text += " (--sample-cmd gives it a model)"
		case bytes.Contains(wanted, []byte(`"roots"`)):
			text += " (--root gives it folders)"
		}
	}
	return text
}
