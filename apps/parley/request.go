package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

func (c *command) callVerb() *verb {
	return &verb{
		name: "call", args: []string{"URL TOOL [ARGUMENTS] [FLAGS]", "TOOL [ARGUMENTS] [FLAGS] -- COMMAND"}, brief: "call a tool",
		text: "Calls a tool.\n",
		examples: `  URL=http://127.0.0.1:8080/mcp
  parley call $URL get_weather location=Oslo
  parley call $URL update_work_item '{"id": 4711, "state": "Resolved"}'
  parley call $URL summarise - --sample-cmd ./my-model < arguments.json
  parley call $URL list_files --root . --root ~/notes
  parley call greet --label Desk -- ./my-server --verbose
`,
		groups: c.callGroups(flags.Group{Text: argumentsText + "\n", Flags: []flags.Flag{
			{Name: "task", To: &c.asTask, Text: `have the tool run as a task, at a server of 2025-11-25 whose "parley tools" says that it may: ` +
				`the call can then be parked while the tool works. A tool that runs only as a task does so anyway. A server of 2026-07-28 decides that alone`},
		}}),
		exits: callExits, run: c.call,
		read: c.readRequest("TOOL", func(name string, words []string) error {
			arguments, err := readArguments(words, os.Stdin)
			if err != nil {
				return err
			}
			if c.method, c.params = request.Tool(name, arguments); c.asTask {
				c.params = request.AsTask(c.params)
			}
			return nil
		}),
	}
}

func (c *command) promptVerb() *verb {
	return &verb{
		name: "prompt", args: []string{"URL NAME [ARGUMENTS] [FLAGS]", "NAME [ARGUMENTS] [FLAGS] -- COMMAND"}, brief: "get a prompt",
		text: `Gets a prompt and prints its messages. At a terminal, and without ARGUMENTS, you
are asked for those that the prompt has; Tab shows what the server suggests.
`,
		examples: `  parley prompt http://127.0.0.1:8080/mcp code_review
  parley prompt http://127.0.0.1:8080/mcp code_review code='x := 1'
`,
		groups: c.callGroups(flags.Group{Text: argumentsText}),
		exits:  callExits, run: c.call,
		read: c.readRequest("NAME", func(name string, words []string) error {
			arguments, err := readArguments(words, os.Stdin)
			if err != nil {
				return err
			}
			if len(words) == 0 {
				c.blank = name
			}
			c.method, c.params = request.Prompt(name, arguments)
			return nil
		}),
	}
}

func (c *command) readVerb() *verb {
	return &verb{
		name: "read", args: []string{"URL RESOURCE_URI [FLAGS]", "RESOURCE_URI [FLAGS] -- COMMAND"}, brief: "read a resource",
		text: `Reads a resource and prints its contents. RESOURCE_URI may be a template of the
server's, such as logs://{day}: at a terminal you are asked for what stands in
braces; Tab shows what the server suggests.
`,
		examples: "  parley read http://127.0.0.1:8080/mcp parley://report/quarterly\n",
		groups:   c.callGroups(),
		exits:    callExits, run: c.call,
		read: c.readRequest("RESOURCE_URI", func(uri string, words []string) error {
			if len(words) > 0 {
				return errors.New("read takes URL RESOURCE_URI and nothing else")
			}
			if request.TemplateVariables(uri) != nil {
				c.blank = uri
			}
			c.method, c.params = request.Resource(uri)
			return nil
		}),
	}
}

const argumentsText = `ARGUMENTS is one of
  '{"id": 1.0}'        a JSON object, which goes to the server as you write it
  -                    the same from standard input: up to 64 MiB, of which up
                       to 7 MiB can be saved and parked
  name=text name:=1.0  words, each a string or, after :=, JSON
`

// callGroups are the flags of a new call, after those of its own.
func (c *command) callGroups(own ...flags.Group) []flags.Group {
	saving := c.storeGroup()
	saving.Flags = append(saving.Flags, flags.Flag{Name: "no-save", To: &c.noSave,
		Text: "keep nothing of the call; Ctrl-C then loses what you answered"})
	return slices.Concat(own, []flags.Group{c.serverGroup(serverText), c.resultGroup()}, c.askingGroups(), []flags.Group{c.meansGroup(), saving})
}

// readRequest takes the server, and what is wanted of it, of which fill makes the
// request's method and params. JSON among it goes into the params as it stands.
func (c *command) readRequest(want string, fill func(name string, words []string) error) func(before, after []string) error {
	return func(before, after []string) error {
		words, err := c.readServer(want, before, after)
		if err != nil {
			return err
		}
		if !utf8.ValidString(words[0]) {
			return fmt.Errorf("%q is not UTF-8", words[0])
		}
		err = fill(words[0], words[1:])
		c.subject = request.Subject(c.method, c.params)
		return err
	}
}

// request makes a request as the flags want it.
func (c *command) request(conn *connection, method string) parley.Request {
	options := engine.Options{LegTimeout: cmp.Or(c.timeout, -1), LegMax: max(c.timeout, maxProgress), Audit: c.trace, Peer: c.Peer(), Limits: limits()}
	return parley.Request{Method: method, Options: options, Watchers: conn.watch.watchers()}
}

// readArguments makes one JSON object of a JSON text, of "-" for the standard
// input, or of name=value and name:=json words.
func readArguments(args []string, stdin io.Reader) (json.RawMessage, error) {
	switch {
	case len(args) == 0:
		return json.RawMessage("{}"), nil
	case len(args) == 1 && args[0] == "-":
		text, err := io.ReadAll(io.LimitReader(stdin, maxArguments+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("reading the arguments: %w", err)
		case len(text) > maxArguments:
			return nil, tooLong("the arguments on standard input")
		}
		return request.Arguments(bytes.TrimPrefix(text, []byte("\ufeff")))
	case len(args) == 1 && !pair(args[0]):
		return request.Arguments([]byte(args[0]))
	}
	object := []byte{'{'}
	names := map[string]bool{}
	for _, arg := range args {
		if !pair(arg) {
			return nil, fmt.Errorf("%q is neither name=value nor name:=json; or give all arguments as one JSON object, in quotes", arg)
		}
		name, text, _ := strings.Cut(arg, "=")
		value := jsontext.Quote(text)
		if before, raw := strings.CutSuffix(name, ":"); raw {
			name, value = before, json.RawMessage(text)
			if err := jsontext.Check(value); err != nil {
				return nil, fmt.Errorf("the value of %s: %w", name, err)
			}
		}
		switch {
		case name == "":
			return nil, fmt.Errorf("%q has no name", arg)
		case names[name]:
			return nil, fmt.Errorf("%s is given twice", name)
		case !utf8.ValidString(arg):
			return nil, fmt.Errorf("%q is not UTF-8", arg)
		}
		names[name] = true
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(object, jsontext.Quote(name)...), ':'), value...)
	}
	return append(object, '}'), nil
}

// pair reports whether an argument may be name=value: JSON text begins with
// something that no name begins with.
func pair(arg string) bool {
	return strings.Contains(arg, "=") && !strings.ContainsAny(strings.TrimSpace(arg)[:1], `{["`)
}
