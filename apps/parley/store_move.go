package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"

	"github.com/parley-mcp/parley/apps/desk/saved"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// moveCommand is what the command line of parley store move says.
type moveCommand struct {
	from, to string // URLs
	stateDir string
}

func parseMove(args []string) (*moveCommand, error) {
	c := &moveCommand{}
	if len(args) == 0 || args[0] != "move" {
		return c, errors.New("store needs move FROM TO")
	}
	flags := flag.NewFlagSet("store move", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&c.stateDir, "state-dir", "", "")
	before, after, err := interspersed(flags, args[1:])
	if err != nil {
		return c, err
	}
	stores := append(before, after...)
	if len(stores) != 2 {
		return c, errors.New("store move needs FROM and TO, which are URLs of stores")
	}
	for i, url := range []*string{&c.from, &c.to} {
		if *url, err = whereOf(stores[i]); err != nil {
			return c, err
		}
	}
	if c.from == c.to {
		return c, errors.New("FROM and TO are the same store")
	}
	return c, nil
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
	screen.Fail("%s", plain.Line(saved.Problem(err), mostMessage))
	return exitFailed
}
