package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// moveCommand is what the command line of parley store move says.
type moveCommand struct {
	from, to string // URLs
	stateDir string
}

func storeVerb() *verb {
	c := &moveCommand{}
	return &verb{name: "store", verbs: []*verb{{
		name: "store move", args: []string{"FROM TO [FLAGS]"}, brief: "move all parked calls to another store",
		text: `Moves all parked calls from one store to another. FROM and TO are URLs as of
--store, or env:NAME for one in the variable NAME, where a URL with a password
belongs. The key file, PARLEY_SNAPSHOT_KEY_FILE or snapshot.key in the directory
of state, has to open the calls; they are sealed anew at the other store, and
kept there for 30 days from now on. A call that somebody has stays, and is
named. If the command is stopped or killed in the middle, give it again.
`,
		examples: `  PARLEY_STORE=postgres://parley:PASSWORD@db.example.com/parley \
    parley store move file:$HOME/.local/state/parley env:PARLEY_STORE
`,
		groups: []flags.Group{{Flags: []flags.Flag{stateFlag(&c.stateDir)}}},
		exits: `  0    all are moved
  2    wrong usage
  3    a call stays, or a store cannot be used
`,
		read: c.read, run: c.run,
	}}}
}

func (c *moveCommand) read(before, after []string) (err error) {
	stores := append(before, after...)
	if len(stores) != 2 {
		return errors.New("store move needs FROM and TO, which are URLs of stores")
	}
	for i, url := range []*string{&c.from, &c.to} {
		if *url, err = whereOf(stores[i]); err != nil {
			return err
		}
	}
	if c.from == c.to {
		return errors.New("FROM and TO are the same store")
	}
	return nil
}

// whereOf is the URL that an argument is, or that the variable has which it names.
func whereOf(argument string) (string, error) {
	name, named := strings.CutPrefix(argument, "env:")
	if !named {
		return saved.Where(argument, os.Getenv)
	}
	url, err := saved.Where("", func(string) string { return os.Getenv(name) })
	if err == nil && url == "" {
		err = errors.New("the variable " + name + " has no URL of a store")
	}
	return url, err
}

// run moves all calls.
func (c *moveCommand) run(ctx context.Context, screen *console.Console) int {
	from, _, err := sealedStore(ctx, c.from, c.stateDir, false)
	if err != nil {
		return c.fail(screen, err)
	}
	to, _, err := sealedStore(ctx, c.to, c.stateDir, false)
	if err != nil {
		return c.fail(screen, err)
	}
	moved, stayed := 0, 0
	for id, err := range store.Move(ctx, from, to) {
		switch {
		case err == nil:
			moved++
		case id == "":
			screen.Say("moved: %d", moved)
			return c.fail(screen, err)
		default:
			stayed++
			screen.Warn("%s stays: %s", id, saved.Problem(err))
		}
	}
	screen.Say("moved: %d", moved)
	if stayed > 0 {
		return exitFailed
	}
	return exitDone
}

func (c *moveCommand) fail(screen *console.Console, err error) int {
	screen.Fail("%s", plain.Line(saved.Problem(err), maxMessage))
	return exitFailed
}
