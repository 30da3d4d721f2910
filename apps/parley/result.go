package main

import (
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/display"
)

// print writes the result and returns the exit code. If the result lacks what its
// method must bring, print warns, so that it doesn't pass for an empty success. If it
// then has nothing to show, print writes it as JSON.
func (c *command) print(screen *console.Console, raw []byte) int {
	r := display.Read(c.method, raw)
	whole := c.json || r.Lacks != "" && len(r.Pieces) == 0
	switch {
	case c.json, r.Lacks == "":
	case whole:
		screen.Warn("%s: here it is as JSON", r.Lacks)
	case len(undecodable(r.Pieces)) == 0: // of which printPieces tells
		screen.Warn("%s", r.Lacks)
	}
	code := exitDone
	if c.outputFile != "" && !r.IsError {
		rest, err := c.printToFile(screen, raw, r.Pieces, whole)
		switch {
		case err != nil:
			screen.Fail("--output: %s. The result goes to standard output instead", err)
			code = exitFailed
		case len(rest) == 0:
			return exitDone
		default:
			r.Pieces = rest
		}
	}
	switch {
	case c.json, whole && !c.out.terminal:
		c.out.json(raw)
	case whole:
		fmt.Fprintln(c.out, display.JSON(raw))
	default:
		c.printPieces(screen, r.Pieces)
	}
	if r.IsError {
		screen.Fail("%s says that this is an error", c.subject)
		return exitToolError
	}
	return code
}

// printPieces writes pieces to standard output, and says what is not to be seen
// of them there.
func (c *command) printPieces(screen *console.Console, pieces []display.Piece) {
	if c.out.terminal {
		text, left := display.Shown(pieces)
		fmt.Fprint(c.out, text)
		c.out.left += left
	} else {
		broken, _ := display.Write(c.out, pieces)
		warnBroken(screen, broken)
	}
	var encoded []string
	for i := range pieces {
		if p := &pieces[i]; p.IsBytes() && !isUndecodable(p) {
			encoded = append(encoded, p.About())
		}
	}
	if bad := undecodable(pieces); len(bad) > 0 {
		screen.Warn("what the server sent cannot be decoded: %s (--json has it as it came)", listed(bad))
	}
	if len(encoded) > 0 && !c.out.terminal {
		screen.Say("in the output as JSON: %s (--output FILE decodes it)", listed(encoded))
	}
}

// undecodable are the pieces that cannot be decoded.
func undecodable(pieces []display.Piece) (about []string) {
	for i := range pieces {
		if p := &pieces[i]; isUndecodable(p) {
			about = append(about, p.About())
		}
	}
	return about
}

func isUndecodable(p *display.Piece) bool {
	if !p.IsBytes() {
		return false
	}
	_, err := p.Bytes()
	return err != nil
}

// listed are things in a line, the first few by name.
func listed(things []string) string {
	const most = 5
	if more := len(things) - most; more > 0 {
		return fmt.Sprintf("%s; and %d more", strings.Join(things[:most], "; "), more)
	}
	return strings.Join(things, "; ")
}

// warnBroken says that texts are not quite as they came.
func warnBroken(screen *console.Console, texts int) {
	if texts > 0 {
		screen.Warn("U+FFFD stands for half of a surrogate pair, which UTF-8 cannot express, in %d of the texts; --json has it as it came", texts)
	}
}
