package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/desk/request"
	"github.com/parley-mcp/parley/apps/desk/saved"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// parked lists the calls in the store.
func (c *command) parked(ctx context.Context, screen *console.Console) int {
	files, _, err := c.store(ctx)
	if err != nil {
		return c.fail(screen, err)
	}
	calls, err := saved.List(ctx, files)
	if err != nil {
		return c.fail(screen, err)
	}
	if len(calls) == 0 {
		screen.Say("nothing is parked")
	}
	for _, call := range calls {
		fmt.Fprintf(c.out, "%s  %s  %s\n", call.ID, age(time.Since(call.Time)), c.inStore(describe(ctx, files, call)))
	}
	return exitDone
}

// describe is a call in the store in a line.
func describe(ctx context.Context, s store.Store, call store.Parked) string {
	const taken, unreadable = "taken: somebody else is at it", "unreadable: "
	switch {
	case call.Taken:
		return taken
	case call.Problem != nil:
		return unreadable + plain.Line(saved.Problem(call.Problem), mostMessage)
	}
	about := call.About
	if about.Method == "" { // an earlier version kept it
		lease, e, info, err := saved.Take(ctx, s, call.ID)
		switch {
		case errors.Is(err, store.ErrTaken):
			return taken
		case err != nil:
			return unreadable + plain.Line(saved.Problem(err), mostMessage)
		}
		defer lease.Release(ctx)
		about = saved.About(e, info)
	}
	parts := []string{about.Label, about.Method, strings.TrimPrefix(saved.Subject(about), "the ")}
	switch {
	case about.Over:
		parts = append(parts, "over")
	case about.InDoubt:
		parts = append(parts, "in doubt")
	case about.Questions == 1:
		parts = append(parts, "1 question open")
	case about.Questions > 1:
		parts = append(parts, fmt.Sprintf("%d questions open", about.Questions))
	case about.Task != "":
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
func (c *command) discard(ctx context.Context, screen *console.Console) int {
	files, _, err := c.store(ctx)
	if err == nil {
		err = files.Delete(ctx, c.id)
	}
	if err != nil {
		return c.fail(screen, err)
	}
	screen.Say("discarded %s", c.id)
	return exitDone
}

// resume goes on with a call.
func (c *command) resume(ctx context.Context, screen *console.Console) int {
	lease, e, info, err := c.take(ctx)
	if err != nil {
		return c.fail(screen, err)
	}
	c.adopt(e, info)
	if err := c.speaks(e.Snapshot, engine.Expect{Peer: c.Peer(), Principal: info.Principal}); err != nil {
		lease.Release(context.WithoutCancel(ctx))
		return c.fail(screen, fmt.Errorf("call %s cannot be resumed: %w. Export it, and import it with --dialect and --protocol-version", c.id, err))
	}
	roots, err := c.listedRoots()
	if err != nil {
		lease.Release(context.WithoutCancel(ctx))
		return misused(screen, err)
	}
	if roots == nil {
		roots = e.Roots
	}
	s := saved.Begin(c.id, lease, c.entry(roots), unsaved(screen))
	s.Resumed = true
	screen.Say("going on with %s for %s", c.subject, c.Label)
	return c.converse(ctx, screen, s, roots, &restored{e.Snapshot, info})
}

// adopt takes over from a parked call what no flag says.
func (c *command) adopt(e saved.Entry, info engine.Info) {
	label := c.Label
	c.Server, c.method, c.params, c.subject = e.Server, info.Method, info.Params, request.Subject(info.Method, info.Params)
	if label != "" {
		c.Label = label
		c.SetLabel()
	}
	if c.model == nil && len(e.SampleCommand) > 0 {
		c.model = &sampler.Command{Words: e.SampleCommand, Model: e.SampleModel}
	}
}

// fail says why nothing came of a command about parked calls.
func (c *command) fail(screen *console.Console, err error) int {
	text := saved.Problem(err)
	if errors.Is(err, store.ErrNotFound) {
		text = fmt.Sprintf("there is no parked call %s; this lists them:  %s", plain.Line(c.id, mostKey), c.line("parked"))
	}
	screen.Fail("%s", c.inStore(plain.Line(text, mostMessage)))
	return exitFailed
}
