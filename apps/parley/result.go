package main

import (
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/desk/result"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
)

// print writes the result and returns the exit code.
func (c *command) print(out *os.File, screen *console.Console, raw []byte) int {
	r, ok := result.Read(raw)
	lacks := result.Lacks(c.method, raw)
	switch {
	case c.json:
		printJSON(out, raw)
	case lacks != "":
		screen.Warn("%s: here it is as JSON", lacks)
		fmt.Fprintln(out, result.JSON(raw))
	case !ok:
		screen.Warn("the result is not what the schema says; here it is as JSON")
		fmt.Fprintln(out, result.JSON(raw))
	default:
		fmt.Fprint(out, r.Text())
	}
	if r.IsError && c.method == "tools/call" {
		screen.Fail("%s says that this is an error", c.subject)
		return exitToolError
	}
	return exitDone
}

// printJSON writes JSON as it is, to a terminal with what cannot be seen there
// spelled out.
func printJSON(out *os.File, raw []byte) {
	if term.IsTerminal(out.Fd()) {
		raw = []byte(plain.JSON(string(raw)))
	}
	out.Write(append(raw, '\n'))
}
