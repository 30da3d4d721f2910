package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
)

// maxFiles bounds how many files one result may become.
const maxFiles = 100

// resultGroup is about the result of a call, and where it goes.
func (c *command) resultGroup() flags.Group {
	return flags.Group{
		Text: resultText,
		Flags: []flags.Flag{
			{Name: "output", Value: "FILE", To: &c.outputFile, Text: "write pictures, sounds and blobs to FILE, decoded, and the texts beside them to standard output; " +
				"without any of them, write the texts to FILE; with --json, the JSON. FILE is overwritten. Several go to numbered files, chart-1.png and so on. " +
				"With - one goes to standard output, as it is, and the texts beside it are shown on standard error. What a tool calls an error goes to standard output"},
			c.jsonFlag(), c.traceFlag(),
		},
		Check: c.checkOutputFile,
	}
}

const resultText = `The result goes to standard output. A terminal shows it: what cannot be seen is
spelled out, a tab is four spaces, and what is too long is cut, which is said. A
pipe or a file gets what the server sent:
  a single text    byte for byte, with nothing before or after it
  several texts    in their order, with one line break between two. Before each
                   message stands a line with its role and a colon, before each
                   resource one with its address
  what is no text  such as pictures, sounds, blobs and links: its JSON, as it
                   came, on lines of its own
  structuredContent
                   is written the same way, but not if one of the texts is the
                   same JSON value, in whatever order and spelling: 1.0 is 1
`

func (c *command) jsonFlag() flags.Flag {
	return flags.Flag{Name: "json", To: &c.json, Text: "print the result as JSON; what a server sent is as it came"}
}

// checkOutputFile says what is wrong with the file of --output, before anything
// is sent.
func (c *command) checkOutputFile() error {
	switch info, err := os.Stat(c.outputFile); {
	case c.outputFile == "":
		return nil
	case c.outputFile == "-" && c.out.terminal:
		return errors.New("--output: what a server sends is not for the screen as it is: name a file, or send standard output somewhere")
	case c.outputFile == "-":
		return nil
	case err == nil && info.IsDir():
		return fmt.Errorf("--output: %s is a directory", c.outputFile)
	}
	if _, err := os.Stat(filepath.Dir(c.outputFile)); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

// printToFile writes to the file of --output what bytes a result has: pictures,
// sounds and blobs, decoded, several to numbered files. A result without any goes
// there as a program gets it. rest is what is left for standard output, unless
// there is an error.
func (c *command) printToFile(screen *console.Console, raw []byte, pieces []display.Piece, whole bool) (rest []display.Piece, err error) {
	var decoded [][]byte
	var about []string
	for i := range pieces {
		p := &pieces[i]
		if whole || !p.IsBytes() {
			rest = append(rest, *p)
			continue
		}
		data, err := p.Bytes()
		if err != nil {
			return nil, fmt.Errorf("what the server sent cannot be decoded: %s", p.About())
		}
		decoded, about = append(decoded, data), append(about, p.About())
	}
	switch {
	case whole:
		return nil, c.writeFile(screen, c.outputFile, "JSON", func(w io.Writer) error { return writeLine(w, raw) })
	case len(decoded) == 0:
		return nil, c.writeFile(screen, c.outputFile, "", func(w io.Writer) error {
			broken, err := display.Write(w, pieces)
			warnBroken(screen, broken)
			return err
		})
	case len(decoded) > maxFiles:
		return nil, fmt.Errorf("the result has %d pictures, sounds and blobs, and parley writes %d files at most", len(decoded), maxFiles)
	case len(decoded) > 1 && c.outputFile == "-":
		return nil, fmt.Errorf("the result has %d things for standard output (%s), which takes one: name a file", len(decoded), listed(about))
	}
	for i, data := range decoded {
		write := func(w io.Writer) error { _, err := w.Write(data); return err }
		if err := c.writeFile(screen, numbered(c.outputFile, i+1, len(decoded)), about[i], write); err != nil {
			return nil, err
		}
	}
	if text, _ := display.Shown(rest); c.outputFile == "-" && text != "" {
		screen.Quote(text) // which must not get among the bytes
		return nil, nil
	}
	return rest, nil
}

// numbered is the name of one of several files: chart-2.png of chart.png.
func numbered(name string, n, of int) string {
	if of == 1 {
		return name
	}
	end := filepath.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, end), n, end)
}

// writeFile writes a file, which it makes or overwrites, or standard output,
// whose errors are told at the end. It says what it has written.
func (c *command) writeFile(screen *console.Console, name, about string, write func(io.Writer) error) error {
	if name == "-" {
		write(c.out)
		return nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err == nil {
		err = errors.Join(write(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %s", plain.Line(name, maxMessage), causeOf(err))
	}
	screen.Say("%s", strings.TrimSuffix("wrote "+plain.Line(name, maxMessage)+": "+about, ": "))
	return nil
}
