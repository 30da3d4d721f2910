package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// maxSnapshot bounds a file to import, in bytes: what an engine takes, and a
// line's end.
const maxSnapshot = 8<<20 + 2

func (c *command) exportVerb() *verb {
	keep := flags.Flag{Name: "keep", To: &c.keep, Text: "leave the call here, too. Resume it in one place only: otherwise you are asked, and answer, twice"}
	return &verb{
		name: "export", args: []string{"ID [FILE] [FLAGS]"}, brief: "write a parked call to a file",
		text: `Takes a parked call out of the store and writes it to FILE (default: ID.parley),
so that another host of Parley's can resume it: a page in a browser, an editor,
an Extism program, parley elsewhere. FILE must not exist yet, and only you may
read it (0600). It holds a secret, not encrypted: your answers and the server's
requestState.

FILE may be - for standard output. The call is then gone from here even if
nobody reads it: --keep keeps it, until parley discard.
`,
		groups: []flags.Group{{Flags: []flags.Flag{keep}}, c.storeGroup()},
		exits:  localExits, local: true, run: c.export,
		read: func(before, after []string) error {
			args := append(before, after...)
			if len(args) < 1 || len(args) > 2 {
				return fmt.Errorf("export needs the ID of one parked call, and perhaps a FILE; this lists them:  %s", c.line("parked"))
			}
			c.id, c.file = args[0], args[0]+".parley"
			if len(args) == 2 {
				c.file = args[1]
			}
			return nil
		},
	}
}

// export takes a call out of the store and writes its snapshot, bare, as every
// host takes it. It is gone here only when it is there.
func (c *command) export(ctx context.Context, screen *console.Console) int {
	lease, e, info, err := c.take(ctx)
	if err != nil {
		return c.fail(screen, err)
	}
	defer lease.Release(ctx) // fails if it is done
	if info.Over {
		return c.fail(screen, fmt.Errorf("call %s is over and cannot be resumed; this deletes it:  %s", c.id, c.line("discard", c.id)))
	}
	undo, err := c.writeOut(e.Snapshot)
	if err == nil && !c.keep {
		if err = lease.Done(ctx); err != nil {
			undo()
		}
	}
	if err != nil {
		return c.fail(screen, fmt.Errorf("call %s is not exported: %s", c.id, saved.Problem(err)))
	}
	where := plain.Line(c.file, maxMessage)
	if c.file == "-" {
		where = "what went to standard output"
	}
	screen.Warn("%s holds a secret: whoever has it can read the answers and resume the call.", where)
	if info.Principal != "" {
		screen.Say("It belongs to an account that is kept here, so it cannot continue on another machine.")
	}
	if c.keep {
		screen.Say("%s is still here, too: resume it in one place only", c.id)
	}
	if info.InDoubt {
		screen.Say("%s Resuming it sends it again, and the tool may run twice.", inDoubt)
	}
	return exitDone
}

// writeOut writes a snapshot to the file, which it makes, or to standard
// output. undo removes the file.
func (c *command) writeOut(snapshot []byte) (undo func(), err error) {
	if c.file == "-" {
		if c.out.terminal {
			return nil, errors.New("a secret is not for the screen: name a file, or send standard output somewhere")
		}
		_, err = c.out.Write(snapshot)
		return func() {}, err
	}
	f, err := os.OpenFile(c.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is there already: name another file", c.file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", c.file, causeOf(err))
	}
	undo = func() { os.Remove(c.file) }
	_, err = f.Write(snapshot)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		undo()
	}
	return undo, err
}

func (c *command) importVerb() *verb {
	return &verb{
		name: "import", args: []string{"FILE [FLAGS]", "FILE [FLAGS] -- COMMAND"}, brief: "take a parked call from a file",
		text: `Takes over a parked call that another host, or parley elsewhere, has exported.
FILE may be - for standard input. The call goes into the store, encrypted, and
its new ID to standard output; parley resume ID resumes it. FILE stays: delete
it.

The file names the URL of the call's server, so take no file from somebody you
do not trust. If the server is a command that parley ran, give that command
again, in the same directory.
`,
		groups: []flags.Group{
			{Flags: []flags.Flag{c.labelFlag()}},
			{Flags: c.Server.Flags(), Text: `Only for a call in a version that client and server agreed on, which the file
does not have: SEP-2322 and that version. Any other call continues as it began.
`},
			c.storeGroup(),
		},
		exits: localExits, local: true, run: c.importCall,
		read: func(before, after []string) error {
			if len(before) != 1 {
				return errors.New("import needs the FILE that a parked call was exported to, or - for standard input")
			}
			c.file = before[0]
			if after == nil {
				return nil
			}
			return c.byCommand(after)
		},
	}
}

// importCall stores a call that another host has parked.
func (c *command) importCall(ctx context.Context, screen *console.Console) int {
	e, info, err := c.readIn(ctx)
	if err != nil {
		return c.fail(screen, fmt.Errorf("%s cannot be imported: %w", c.fileName(), err))
	}
	calls, _, err := c.store(ctx)
	var id string
	if err == nil {
		id, err = saved.Put(ctx, calls, e)
	}
	if err != nil {
		return c.fail(screen, fmt.Errorf("%s is not imported: %s", c.fileName(), saved.Problem(err)))
	}
	fmt.Fprintln(c.out, id)
	imported := "imported " + request.Subject(info.Method, info.Params) + " for " + e.Label
	if info.InDoubt {
		screen.Say("%s. %s", imported, inDoubt)
		screen.Say("It is %s: %s", id, c.resends(id))
	} else {
		screen.Say("%s: resume it with  %s", imported, c.resumeLine(id))
	}
	if c.file != "-" {
		screen.Say("%s still has the call: delete it, so that nobody resumes it a second time.", plain.Line(c.file, maxMessage))
	}
	return exitDone
}

func (c *command) fileName() string {
	if c.file == "-" {
		return "standard input"
	}
	return c.file
}

// readIn reads a snapshot and checks that parley can go on with it.
func (c *command) readIn(ctx context.Context) (e saved.Entry, info engine.Info, err error) {
	snapshot, err := c.readFile()
	if err != nil {
		return e, info, err
	}
	peer, principal := jsontext.Text(snapshot, "peer"), saved.Principal(snapshot)
	expect := engine.Expect{Peer: peer, Principal: principal,
		Can: &engine.Can{Form: true, URL: true, Sampling: true, Roots: true, Tasks: true, Authorize: true}}
	info, err = saved.Info(snapshot, expect)
	var unusable *engine.Error
	switch {
	case errors.As(err, &unusable):
		return e, info, errors.New(unusable.Detail.String())
	case err != nil:
		return e, info, err
	case info.Over:
		return e, info, errors.New("the call is over, and nobody can resume it")
	}
	if err := c.speaks(snapshot, expect); err != nil {
		return e, info, fmt.Errorf("%w (--dialect and --protocol-version)", err)
	}
	if err := c.reach(peer); err != nil {
		return e, info, err
	}
	if err := c.isHere(ctx, principal); err != nil {
		return e, info, err
	}
	return saved.Entry{Server: c.Server, Snapshot: snapshot}, info, nil
}

// speaks reports whether resuming the call will find it in a dialect that is
// spoken: the flags say so, or the snapshot. Nothing is sent.
func (c *command) speaks(snapshot []byte, expect engine.Expect) error {
	s, err := session.New(session.Options{Dialect: c.Dialect, Versions: c.Versions})
	if err == nil {
		_, err = s.Restore(snapshot, expect)
	}
	var unspoken *engine.Error
	if errors.As(err, &unspoken) {
		return errors.New(unspoken.Detail.String())
	}
	return err
}

// isHere reports whether an account is one of those here. Every host has labels
// of its own for its accounts, and cannot tell whose those of others are.
func (c *command) isHere(ctx context.Context, label string) error {
	if label == "" {
		return nil
	}
	accounts, err := oauth.Accounts(ctx, c.accounts())
	if err != nil {
		return account.Words(err)
	}
	if !slices.ContainsFunc(accounts, func(a oauth.Account) bool { return a.Label == label }) {
		return errors.New("it belongs to an account that is not signed in here, and its answers go nowhere as somebody else")
	}
	return nil
}

// reach names the server that a snapshot has as its peer: its URL or, of a
// command, what tells it from others, so that the person has to say it again.
func (c *command) reach(peer string) error {
	switch {
	case c.Command != nil && c.Peer() == peer:
	case c.Command != nil && strings.HasPrefix(peer, server.StdioPeer):
		return errors.New("it is of another command than that after --, or of one in another directory")
	case c.Command != nil:
		return errors.New("it is not of a command that parley ran: leave out -- and what follows")
	case strings.HasPrefix(peer, server.StdioPeer):
		return errors.New("its server is a command: name it once more after --, in the directory it runs in")
	case server.HTTPURL(peer) == nil:
		return errors.New("the name that it has for its server is no http or https URL")
	default:
		c.URL = peer
	}
	c.SetLabel()
	return nil
}

func (c *command) readFile() ([]byte, error) {
	in := os.Stdin
	if c.file != "-" {
		f, err := os.Open(c.file)
		if err != nil {
			return nil, errors.New(causeOf(err))
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxSnapshot+1))
	switch {
	case err != nil:
		return nil, errors.New(causeOf(err))
	case len(data) > maxSnapshot:
		return nil, errors.New("it is too long for a snapshot")
	}
	return bytes.TrimSpace(data), nil // an editor may have ended the line
}
