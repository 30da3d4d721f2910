package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/apps/desk/request"
	"github.com/parley-mcp/parley/apps/desk/server"
	"github.com/parley-mcp/parley/apps/desk/template"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// wants is what the commands need besides a server.
var wants = map[string]string{"call": "TOOL", "prompt": "NAME", "read": "RESOURCE_URI"}

// readServer takes the server out of the arguments before and after "--" and
// returns the others. A URL comes first. A command comes after "--", behind
// what is wanted of it; what else follows "--" is taken as it is.
func (c *command) readServer(before, after []string) (args []string, err error) {
	want := wants[c.name]
	byCommand := after != nil
	if want != "" {
		byCommand = byCommand && len(before) > 0 && (server.HTTPURL(before[0]) == nil || c.name == "read" && len(before) == 1)
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

// readRequest makes the request's method and params of what is wanted of the
// server. JSON among it goes into the params as it stands.
func (c *command) readRequest(args []string) error {
	if wants[c.name] == "" {
		if len(args) > 0 {
			return fmt.Errorf("%s takes nothing but the server: its URL, or its command after --", c.name)
		}
		return nil
	}
	name, rest := args[0], args[1:]
	if !utf8.ValidString(name) {
		return fmt.Errorf("%q is not UTF-8", name)
	}
	if c.name == "read" {
		if len(rest) > 0 {
			return errors.New("read takes URL RESOURCE_URI and nothing else")
		}
		c.method, c.params = request.Resource(name)
		if template.Variables(name) != nil {
			c.blank = name
		}
	} else {
		arguments, err := readArguments(rest, os.Stdin)
		if err != nil {
			return err
		}
		of := request.Tool
		if c.name == "prompt" {
			of = request.Prompt
			if len(rest) == 0 {
				c.blank = name
			}
		}
		c.method, c.params = of(name, arguments)
		if c.asTask {
			c.params = request.AsTask(c.params)
		}
	}
	c.subject = request.Subject(c.method, c.params)
	return nil
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
