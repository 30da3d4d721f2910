package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/hosts/go/store"
)

func (c *command) parkedVerb() *verb {
	return &verb{
		name: "parked", args: []string{"[FLAGS]"}, brief: "list the parked calls",
		text: `Lists the parked calls: ID, age, server, what is called, how many questions are
open. "taken": somebody else has it. "in doubt": see parley help resume. "a
task at work": it is running at the server.
`,
		groups: []flags.Group{c.storeGroup()},
		exits:  localExits, read: c.readNothing, local: true, run: c.parked,
	}
}

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
		return unreadable + plain.Line(saved.Problem(call.Problem), maxMessage)
	}
	about := call.About
	if about.Method == "" { // an earlier version kept it
		lease, e, info, err := saved.Take(ctx, s, call.ID)
		switch {
		case errors.Is(err, store.ErrTaken):
			return taken
		case err != nil:
			return unreadable + plain.Line(saved.Problem(err), maxMessage)
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

func (c *command) discardVerb() *verb {
	return &verb{
		name: "discard", args: []string{"ID [FLAGS]"}, brief: "delete a parked call",
		text:   "Deletes a parked call. The server is not told.\n",
		groups: []flags.Group{c.storeGroup()},
		exits:  localExits, read: c.readID, local: true, run: c.discard,
	}
}

// readID takes the ID of a parked call.
func (c *command) readID(before, after []string) error {
	args := append(before, after...)
	if len(args) != 1 {
		return fmt.Errorf("%s needs the ID of one parked call; this lists them:  %s", c.name, c.line("parked"))
	}
	c.id = args[0]
	return nil
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

func (c *command) resumeVerb() *verb {
	return &verb{
		name: "resume", args: []string{"ID [FLAGS]"}, brief: "resume a parked call",
		text: `Resumes a parked call, at the same server and with the label, folders and model
it had unless a flag says otherwise. What was answered is not asked again. A
server that is a command is started again, in the directory it had.
`,
		groups: slices.Concat([]flags.Group{{Flags: []flags.Flag{
			{Name: "resend", To: &c.resend, Text: "for a call in doubt: the tool was called and no answer came, so it may or may not have run. " +
				"This sends the call again with the same answers, and the tool may run twice"},
			{Name: "again", To: &c.again, Text: "start the call over, if the server does not continue from where it was. Forms that it asks again are filled in " +
				"with what you answered; you look at them and send them. A call in doubt needs --resend as well"},
		}}, c.resumedGroup(), c.resultGroup()}, c.askingGroups(), []flags.Group{c.meansGroup(), c.storeGroup()}),
		exits: callExits, read: c.readID, run: c.resume,
	}
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
		text = fmt.Sprintf("there is no parked call %s; this lists them:  %s", plain.Line(c.id, maxKey), c.line("parked"))
	}
	screen.Fail("%s", c.inStore(plain.Line(text, maxMessage)))
	return exitFailed
}
