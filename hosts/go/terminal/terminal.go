// Package terminal asks the person at a terminal what a server wants to know,
// for programs that have no better way:
//
//	parley.SessionOptions{Askers: terminal.Askers(os.Stdin, os.Stdout)}
package terminal

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// no is what whoever declines types.
const no = "/decline"

// Askers put a server's questions to a person: forms field by field, lists value by
// value, and pages to open. Of a value that may be of several types the type is asked
// for first. What is wrong is asked for again, an empty line takes what stands in
// brackets, /decline declines, and the end of the input parks the call, because
// nobody is there. One question is put at a time. What a server says reaches out only as plain text.
func Askers(in io.Reader, out io.Writer) parley.Askers {
	t := &terminal{in: bufio.NewScanner(in), out: out}
	return parley.Askers{Elicit: t.alone(t.askForm), ElicitURL: t.alone(t.askPage)}
}

type terminal struct {
	in  *bufio.Scanner
	out io.Writer

	asking sync.Mutex
	next   chan typed // the line that nobody has read yet; nil if none is awaited
}

type typed struct {
	line string
	ok   bool // it is not the end of the input
}

// errDeclined says that the person declined.
var errDeclined = errors.New("terminal: the person declined")

// alone has a question wait for the one before.
func (t *terminal) alone(ask func(context.Context, parley.Question) ([]byte, error)) func(context.Context, parley.Question) ([]byte, error) {
	return func(ctx context.Context, q parley.Question) ([]byte, error) {
		t.asking.Lock()
		defer t.asking.Unlock()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		answer, err := ask(ctx, q)
		if err == errDeclined {
			return parley.Decline(), nil
		}
		return answer, err
	}
}

func (t *terminal) askForm(ctx context.Context, q parley.Question) ([]byte, error) {
	if q.Problem != "" {
		fmt.Fprintf(t.out, "\nThat could not be sent: %s\n", Shown(q.Problem.String()))
	}
	var stopped error
	var asks struct{ RequestedSchema json.RawMessage }
	json.Unmarshal(q.Params, &asks) // the engine has read it
	schema, _ := form.Parse(asks.RequestedSchema)
	answer, err := form.Ask(q.Params, func(p form.Prompt) (string, bool) {
		line, err := t.read(ctx, t.introduced(p, unchecked(schema.Unchecked)))
		stopped = err
		if p.Field == nil {
			line = "yes"
		}
		return line, err == nil
	})
	if stopped != nil {
		return nil, stopped
	}
	return answer, err
}

// introduced says what a prompt has to say, with the first one also what is more of
// the whole answer, and returns what to type behind.
func (t *terminal) introduced(p form.Prompt, more string) string {
	if p.Message != "" {
		fmt.Fprintf(t.out, "\nThe server asks: %s\n", Shown(p.Message))
		if more != "" {
			fmt.Fprintf(t.out, "  (of the whole answer, %s)\n", more)
		}
	}
	if p.Field == nil {
		return "Enter sends this"
	}
	if p.Problem != "" {
		fmt.Fprintf(t.out, "  It %s.\n", Shown(p.Problem.String()))
	} else {
		if p.Field.Description != "" && p.Taken == 0 {
			fmt.Fprintf(t.out, "  %s\n", Shown(p.Field.Description))
		}
		if hints := hints(p.Field); hints != "" && p.Taken == 0 {
			fmt.Fprintf(t.out, "  (%s)\n", hints)
		}
		for _, choice := range choices(p.Field) {
			fmt.Fprintf(t.out, "  - %s\n", Shown(choice))
		}
	}
	prompt := p.Field.Title
	switch {
	case p.Taken > 0:
		return prompt + ", one more"
	case p.Field.Kind == form.List:
		prompt += ", one a line, an empty line ends"
	}
	if p.Field.Default != "" {
		prompt += " [" + typeable(p.Field.Default) + "]"
	}
	return prompt
}

func (t *terminal) askPage(ctx context.Context, q parley.Question) ([]byte, error) {
	var page struct{ Message, URL string }
	if err := json.Unmarshal(q.Params, &page); err != nil {
		return nil, err
	}
	wants, prompt := "wants you to open", "Open it if you trust it, then Enter"
	if q.Repeat {
		wants, prompt = "waits until you are done with", "Enter when you are done there"
	}
	fmt.Fprintf(t.out, "\nThe server %s a page at %s: %s\n  %s\n", wants, Shown(q.Host), Shown(page.Message), Shown(page.URL))
	if q.Punycode {
		fmt.Fprintln(t.out, "  Its name stands for letters beyond a to z: it may look like another one.")
	}
	if _, err := t.read(ctx, prompt); err != nil {
		return nil, err
	}
	return []byte(`{"action":"accept"}`), nil
}

// read asks for one line. It fails with errDeclined, [parley.ErrPark] or as its
// context does: the line is then for the next one.
func (t *terminal) read(ctx context.Context, prompt string) (string, error) {
	fmt.Fprintf(t.out, "  %s (or %s): ", Shown(prompt), no)
	if t.next == nil {
		t.next = make(chan typed, 1)
		go func(next chan<- typed) {
			ok := t.in.Scan()
			next <- typed{t.in.Text(), ok}
		}(t.next)
	}
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case got := <-t.next:
		t.next = nil
		switch {
		case !got.ok:
			fmt.Fprintln(t.out) // what comes next does not belong behind the prompt
			return "", parley.ErrPark
		case strings.TrimSpace(got.line) == no:
			return "", errDeclined
		}
		return got.line, nil
	}
}
