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

	"github.com/parley-mcp/parley/apps/desk/program"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
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

// mostMessage bounds an error message, whose parts may be the server's, in
// characters.
const mostMessage = 1200

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	log.SetOutput(io.Discard) // net/http would quote what a server sends out of turn
	screen, out := console.New(os.Stderr, os.Environ()), newOutput(os.Stdout)
	command, err := parse(args, out)
	return out.end(screen, command.run(screen, err))
}

// run does what the command line says, unless err is what is wrong with it, and
// returns the exit code.
func (c *command) run(screen *console.Console, err error) int {
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.out, help(c.name))
		return exitDone
	case err != nil:
		defer screen.Say("%s", seeHelp(c.name))
		return misused(screen, err)
	case c.name == "version":
		fmt.Fprintf(c.out, "parley %s\nengine: WebAssembly, ABI %d, %d bytes; protocol %s\n%s %s/%s\n",
			program.Version(), wasm.ABIVersion, len(wasm.Engine()), session.ProtocolVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return exitDone
	}
	ctx, stop := c.interrupts.context(screen.Idle)
	defer stop()
	here := context.WithoutCancel(ctx) // what is done without a server is quick, and is not left half done
	switch c.name {
	case "token":
		c.token.out = c.out
		return c.token.run(here, screen)
	case "store":
		return c.move.run(ctx, screen)
	case "parked":
		return c.parked(here, screen)
	case "discard":
		return c.discard(here, screen)
	case "export":
		return c.export(here, screen)
	case "import":
		return c.importCall(here, screen)
	case "resume":
		return c.resume(ctx, screen)
	case "discover":
		return c.discover(ctx, screen)
	case "tools":
		return c.tools(ctx, screen)
	case "login":
		return c.login(ctx, screen)
	case "logout":
		return c.logout(ctx, screen)
	case "accounts":
		return c.listAccounts(here, screen)
	}
	return c.call(ctx, screen)
}

// misused says why nothing was sent and returns the exit code.
func misused(screen *console.Console, err error) int {
	screen.Fail("%s", plain.Line(err.Error(), mostMessage))
	return exitUsage
}
