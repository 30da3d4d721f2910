package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-mcp/parley/apps/desk/result"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
)

// maxFiles bounds how many files one result may become.
const maxFiles = 100

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
func (c *command) printToFile(screen *console.Console, raw []byte, pieces []result.Piece, whole bool) (rest []result.Piece, err error) {
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
			broken, err := result.Write(w, pieces)
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
	if text, _ := result.Shown(rest); c.outputFile == "-" && text != "" {
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
		return fmt.Errorf("%s: %s", plain.Line(name, mostMessage), causeOf(err))
	}
	screen.Say("%s", strings.TrimSuffix("wrote "+plain.Line(name, mostMessage)+": "+about, ": "))
	return nil
}
