// Command parley calls an MCP server's tool, prompt or resource and puts the
// questions that come back to the person at the terminal. README.md in this
// directory describes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/wasm"
)

// The exit codes, as the help lists them.
const (
	exitDone        = 0
	exitToolError   = 1
	exitUsage       = 2
	exitFailed      = 3
	exitStopped     = 4
	exitParked      = 5
	exitInDoubt     = 6
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// maxMessage bounds an error message, whose parts may be the server's, in
// characters.
const maxMessage = 1200

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	log.SetOutput(io.Discard) // net/http would quote what a server sends out of turn
	screen, out := console.New(os.Stderr, os.Environ()), newOutput(os.Stdout)
	c := &command{out: out}
	verb, err := c.parse(args)
	return out.end(screen, c.run(screen, verb, err))
}

// run does what the verb is for, unless err is what is wrong with the command line,
// and returns the exit code.
func (c *command) run(screen *console.Console, v *verb, err error) int {
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.out, c.help(strings.Fields(v.name)))
		return exitDone
	case err != nil:
		defer screen.Say("%s", seeHelp(v))
		return misused(screen, err)
	}
	ctx, stop := c.interrupts.context(screen.Idle)
	defer stop()
	if v.local {
		ctx = context.WithoutCancel(ctx)
	}
	return v.run(ctx, screen)
}

func (c *command) versionVerb() *verb {
	return &verb{
		name: "version", brief: "print the version",
		text: "Prints the version of parley and of the engine inside it.\n",
		read: c.readNothing, local: true, run: func(context.Context, *console.Console) int {
			fmt.Fprintf(c.out, "parley %s\nengine: WebAssembly, ABI %d, %d bytes; protocol %s\n%s %s/%s\n",
				system.Version(), wasm.ABIVersion, len(wasm.Engine()), session.ProtocolVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return exitDone
		},
	}
}

// misused says why nothing was sent and returns the exit code.
func misused(screen *console.Console, err error) int {
	screen.Fail("%s", plain.Line(err.Error(), maxMessage))
	return exitUsage
}
