package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/server"
)

// maxURL bounds the address of a server, which a call is kept with, in bytes.
const maxURL = 1024

// serverGroup is about the server of a new call, or of what looks at one.
func (c *command) serverGroup(text string) flags.Group {
	group := c.resumedGroup()
	group.Text = text
	timeout := flags.Flag{Name: "timeout", Value: "TIME", Default: "1m", To: &c.timeout,
		Text: "how long the server may take for one leg, 0 for no bound; your own time does not count"}
	group.Flags = slices.Concat(group.Flags[:1], []flags.Flag{timeout}, c.Server.Flags(), group.Flags[1:])
	return group
}

const serverText = `The server is behind a URL or, last of all and after --, a command. Flags may
stand anywhere before that --:
  URL              http or https: Streamable HTTP. Redirects are not followed
  -- COMMAND [ITS ARGUMENTS]
                   reached over standard input and output, without a shell. It
                   gets parley's environment, runs in this directory (also when
                   the call is resumed) and is shut down in order
`

// resumedGroup is what flags may still say of the server of a call that was parked.
func (c *command) resumedGroup() flags.Group {
	return flags.Group{
		Text: "The server:\n",
		Flags: []flags.Flag{
			c.labelFlag(),
			{Name: "engine", Value: "NAME", Default: "wasm", To: &c.engine,
				Text: "wasm runs the engine as WebAssembly in a sandbox, native runs it as Go code"},
			{Name: "server-log", Value: "FILE", To: &c.serverLog,
				Text: "append what a command logs (its standard error) to a file, as it is (default: show it, line by line)"},
			{Name: "known", Value: "FILE", To: &c.known,
				Text: "keep the protocol version that each server speaks in a file, so that parley need not find out again (default: nowhere)"},
		},
		Check: func() error {
			switch {
			case c.engine != "wasm" && c.engine != "native":
				return fmt.Errorf("--engine is wasm or native, not %q", c.engine)
			case c.timeout < 0:
				return errors.New("a timeout cannot be negative")
			}
			return nil
		},
	}
}

func (c *command) labelFlag() flags.Flag {
	return flags.Flag{Name: "label", Value: "NAME", To: &c.Label,
		Text: "what to call the server (default: its host and port, or the name of its command)"}
}

// readServer takes the server out of the arguments before and after "--" and
// returns the others. A URL comes first. A command comes after "--", behind what is wanted of it,
// if that is anything; what else follows "--" is taken as it is.
func (c *command) readServer(want string, before, after []string) (args []string, err error) {
	byCommand := after != nil
	if want != "" {
		byCommand = byCommand && len(before) > 0 && (server.HTTPURL(before[0]) == nil || want == "RESOURCE_URI" && len(before) == 1)
	}
	switch args = append(before, after...); {
	case byCommand:
		args = before
		err = c.byCommand(after)
	case len(args) == 0 && want == "":
		return nil, fmt.Errorf("%s needs the server: its URL, or its command after --", c.name)
	case len(args) < 2 && want != "" && (len(args) == 0 || server.HTTPURL(args[0]) != nil):
		return nil, fmt.Errorf("%s needs URL %s, or %s -- COMMAND", c.name, want, want)
	default:
		err = c.byURL(args[0])
		args = args[1:]
	}
	if err != nil {
		return nil, err
	}
	c.SetLabel()
	return args, nil
}

// readOnlyServer takes a server, and nothing that is wanted of it.
func (c *command) readOnlyServer(before, after []string) error {
	words, err := c.readServer("", before, after)
	if err == nil && len(words) > 0 {
		err = fmt.Errorf("%s takes nothing but the server: its URL, or its command after --", c.name)
	}
	return err
}

// byURL names the server at an address.
func (c *command) byURL(text string) error {
	if server.HTTPURL(text) == nil {
		return fmt.Errorf("%q is no http or https URL, such as http://127.0.0.1:8080/mcp; a server that is a command comes last, after --", text)
	}
	if len(text) > maxURL {
		return fmt.Errorf("the server's URL is longer than %d bytes, the most that parley keeps with a call", maxURL)
	}
	c.URL = text
	return nil
}

// byCommand names the server that a command is. It runs where parley does, also
// when a call is resumed from elsewhere.
func (c *command) byCommand(words []string) (err error) {
	switch {
	case len(words) == 0 || words[0] == "":
		return errors.New("there is no command after --")
	case slices.ContainsFunc(words, func(w string) bool { return !utf8.ValidString(w) }):
		return errors.New("the command after -- is not UTF-8")
	}
	c.Command = words
	c.Dir, err = os.Getwd()
	return err
}
