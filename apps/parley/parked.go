package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// errTaken is what a person is told of [parley.ErrTaken].
var errTaken = errors.New("somebody else has this call: another parley is at it right now. When that ends, or was dead for half a minute, it can be taken")

// parked lists the calls in the store.
func (c *command) parked(screen *console.Console) int {
	store, _, err := c.store()
	if err != nil {
		return c.fail(screen, err)
	}
	calls, err := store.List()
	if err != nil {
		return c.fail(screen, err)
	}
	if len(calls) == 0 {
		screen.Say("nothing is parked")
	}
	for _, call := range calls {
		fmt.Fprintf(os.Stdout, "%s  %s  %s\n", call.ID, age(time.Since(call.Time)), describe(store, call))
	}
	return exitDone
}

// describe is a call in the store in a line. To be read, a call has to be taken
// for a moment; of one that somebody has there is nothing to be said.
func describe(store *parley.FileStore, call parley.Parked) string {
	const taken = "taken: another parley is at it"
	if call.Taken {
		return taken
	}
	lease, data, err := store.Take(call.ID)
	switch {
	case errors.Is(err, parley.ErrTaken):
		return taken
	case err != nil:
		return "unreadable: " + plain.Line(storeProblem(err), 200)
	}
	defer lease.Release()
	e, err := readEntry(data)
	if err != nil {
		return "unreadable: " + err.Error()
	}
	info, err := describedBy(e.snapshot, engine.Expect{Peer: e.peer()})
	if err != nil {
		return "unreadable: " + plain.Line(err.Error(), 200)
	}
	parts := []string{plain.Line(e.Label, mostLabel), info.Method, strings.TrimPrefix(subject(info.Method, info.Params), "the ")}
	switch {
	case info.Over:
		parts = append(parts, "over")
	case info.InDoubt:
		parts = append(parts, "in doubt")
	case info.Questions == 1:
		parts = append(parts, "1 question open")
	case info.Questions > 1:
		parts = append(parts, fmt.Sprintf("%d questions open", info.Questions))
	case info.Task != "":
		parts = append(parts, "a task at work")
	default:
		parts = append(parts, "nothing to answer")
	}
	return strings.Join(parts, "  ")
}

func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(int(d.Seconds()), 0))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// discard deletes a call.
func (c *command) discard(screen *console.Console) int {
	store, _, err := c.store()
	if err == nil {
		err = store.Delete(c.id)
	}
	if err != nil {
		return c.fail(screen, err)
	}
	screen.Say("discarded %s", c.id)
	return exitDone
}

// resume goes on with a call.
func (c *command) resume(ctx context.Context, screen *console.Console) int {
	lease, e, info, err := c.take()
	if err != nil {
		return c.fail(screen, err)
	}
	c.adopt(e, info)
	roots, err := c.listedRoots()
	if err != nil {
		lease.Release()
		return misused(screen, err)
	}
	if roots == nil {
		roots = e.Roots
	}
	s := newSaved(c.id, c.entry(roots), lease, screen)
	s.resumed = true
	screen.Say("going on with %s for %s", c.subject, c.label)
	return c.converse(ctx, screen, s, roots, &restored{e.snapshot, info})
}

// adopt takes over from a parked call what no flag says.
func (c *command) adopt(e entry, info engine.Info) {
	c.server, c.method, c.params, c.subject = e.server, info.Method, info.Params, subject(info.Method, info.Params)
	if c.label == "" {
		c.label = e.Label
	}
	c.label = plain.Line(c.label, mostLabel)
	if c.model == nil && len(e.SampleCommand) > 0 {
		c.model = &sampler.Command{Words: e.SampleCommand, Model: e.SampleModel}
	}
}

// fail says why nothing came of a command about parked calls.
func (c *command) fail(screen *console.Console, err error) int {
	text := storeProblem(err)
	switch {
	case errors.Is(err, parley.ErrNotFound):
		text = fmt.Sprintf("there is no parked call %s; parley parked lists them", c.id)
	case sealProblem(err) != "":
		text = fmt.Sprintf("call %s cannot be gone on with: %s", c.id, text)
	}
	screen.Fail("%s", plain.Line(text, mostMessage))
	return exitFailed
}

// storeProblem is what the store says, in words for the person.
func storeProblem(err error) string {
	if errors.Is(err, parley.ErrTaken) {
		return errTaken.Error()
	}
	return cmp.Or(sealProblem(err), strings.TrimPrefix(err.Error(), "parley: "))
}

// sealProblem is why a call's file does not open, or nothing.
func sealProblem(err error) string {
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist):
		return "there is no key file " + missing.Path
	case errors.Is(err, parley.ErrUnsealed):
		return "it is not sealed, as an earlier version of parley left it: parley token rotate --snapshots seals it"
	case errors.Is(err, codec.ErrUnknownKey):
		return "it is sealed with a key that is not there any more"
	case errors.Is(err, codec.ErrForged), errors.Is(err, codec.ErrMalformed):
		return "its file was changed since parley wrote it, or is another call's"
	}
	return ""
}
