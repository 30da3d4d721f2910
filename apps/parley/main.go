// Command parley calls an MCP server's tool, prompt or resource and puts the
// questions that come back to the person at the terminal. README.md in this
// directory describes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/parley-mcp/parley/apps/desk/program"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/engine/envelope"
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
	screen := console.New(os.Stderr, os.Environ())
	command, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(help(command.name))
		return exitDone
	case err != nil:
		defer screen.Say("%s", seeHelp(command.name))
		return misused(screen, err)
	case command.name == "version":
		fmt.Printf("parley %s\nengine: WebAssembly, ABI %d, %d bytes; protocol %s\n%s %s/%s\n",
			program.Version(), wasm.ABIVersion, len(wasm.Session()), envelope.ProtocolVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return exitDone
	}
	ctx, stop := command.interrupts.context(screen.Idle)
	defer stop()
	here := context.WithoutCancel(ctx) // what is done without a server is quick, and is not left half done
	switch command.name {
	case "token":
		return command.token.run(here, screen)
	case "store":
		return command.move.run(ctx, screen)
	case "parked":
		return command.parked(here, screen)
	case "discard":
		return command.discard(here, screen)
	case "export":
		return command.export(here, screen)
	case "import":
		return command.importCall(here, screen)
	case "resume":
		return command.resume(ctx, screen)
	case "discover":
		return command.discover(ctx, screen)
	case "tools":
		return command.tools(ctx, screen)
	case "login":
		return command.login(ctx, screen)
	case "logout":
		return command.logout(ctx, screen)
	case "accounts":
		return command.listAccounts(here, screen)
	}
	return command.call(ctx, screen)
}

// misused says why nothing was sent and returns the exit code.
func misused(screen *console.Console, err error) int {
	screen.Fail("%s", plain.Line(err.Error(), mostMessage))
	return exitUsage
}
