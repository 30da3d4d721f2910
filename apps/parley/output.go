package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
)

// output is standard output. A terminal gets what can be shown there; a program,
// through a pipe or from a file, gets what the server sent.
type output struct {
	file     *os.File
	terminal bool
	left     int // bytes of the server's that the terminal did not get, being too long
	err      error
}

func newOutput(file *os.File) *output {
	return &output{file: file, terminal: term.IsTerminal(file.Fd())}
}

// Write implements [io.Writer]. After an error nothing more is written.
func (o *output) Write(p []byte) (n int, err error) {
	if o.err == nil {
		n, o.err = o.file.Write(p)
	}
	return n, o.err
}

// line is a text of the server's for a line of ours, text one on lines of its
// own. Where a program reads, a line goes on below, indented.
func (o *output) line(s string, most int) string {
	if !o.terminal {
		return strings.ReplaceAll(s, "\n", "\n    ")
	}
	s, left := plain.CutLine(s, most)
	o.left += left
	return s
}

func (o *output) text(s string, most int) string {
	if !o.terminal {
		return s
	}
	s, left := plain.CutText(s, most)
	o.left += left
	return s
}

// jsonText is JSON for a line.
func (o *output) jsonText(raw []byte) string {
	if !o.terminal {
		return string(raw)
	}
	return plain.JSON(string(raw))
}

// json is JSON as it came, or as what can be seen on a terminal.
func (o *output) json(raw []byte) {
	if o.terminal {
		raw = []byte(plain.JSON(string(raw)))
	}
	writeLine(o, raw)
}

func writeLine(w io.Writer, line []byte) error {
	_, err := w.Write(line)
	if err == nil {
		_, err = w.Write([]byte{'\n'})
	}
	return err
}

// end says what was not written, and returns the exit code: what is not written
// whole is no success. Who reads from a pipe may stop when they like, and hears
// nothing of it.
func (o *output) end(screen *console.Console, code int) int {
	if o.left > 0 {
		screen.Warn("%d bytes are left out above: a terminal gets no more. A file or a pipe gets all of it", o.left)
	}
	if o.err == nil || code != exitDone && code != exitToolError {
		return code
	}
	if !errors.Is(o.err, syscall.EPIPE) {
		screen.Fail("standard output could not be written: %s", causeOf(o.err))
	}
	return exitFailed
}
