package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
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
		byCommand = byCommand && len(before) > 0 && (httpURL(before[0]) == nil || c.name == "read" && len(before) == 1)
	}
	switch args = append(before, after...); {
	case byCommand:
		args = before
		c.server, err = commandServer(after)
	case len(args) == 0 && want == "":
		return nil, fmt.Errorf("%s needs the server: its URL, or its command after --", c.name)
	case len(args) < 2 && want != "" && (len(args) == 0 || httpURL(args[0]) != nil):
		return nil, fmt.Errorf("%s needs URL %s, or %s -- COMMAND", c.name, want, want)
	default:
		c.server, err = urlServer(args[0])
		args = args[1:]
	}
	if err != nil {
		return nil, err
	}
	if c.label == "" {
		c.label = c.server.label()
	}
	c.label = plain.Line(c.label, mostLabel)
	return args, nil
}

// mostLabel bounds the name of a server, in characters.
const mostLabel = 100

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
		c.method = "resources/read"
		c.params = fmt.Appendf(nil, `{"uri":%s}`, jsontext.Quote(name))
		c.subject = subject(c.method, c.params)
		return nil
	}
	c.method = "tools/call"
	if c.name == "prompt" {
		c.method = "prompts/get"
	}
	arguments, err := readArguments(rest, os.Stdin)
	if err != nil {
		return err
	}
	c.params = fmt.Appendf(nil, `{"name":%s,"arguments":%s}`, jsontext.Quote(name), arguments)
	c.subject = subject(c.method, c.params)
	return nil
}

// readArguments makes one JSON object of a JSON text, of "-" for the standard
// input, or of name=value and name:=json words.
func readArguments(args []string, stdin io.Reader) (json.RawMessage, error) {
	switch {
	case len(args) == 0:
		return json.RawMessage("{}"), nil
	case len(args) == 1 && args[0] == "-":
		text, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("reading the arguments: %w", err)
		}
		return readObject(bytes.TrimPrefix(text, []byte("\ufeff")))
	case len(args) == 1 && !pair(args[0]):
		return readObject([]byte(args[0]))
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
			if err := checkJSON(value); err != nil {
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

func readObject(text []byte) (json.RawMessage, error) {
	if err := checkJSON(text); err != nil {
		return nil, fmt.Errorf("the arguments: %w", err)
	}
	text = bytes.TrimSpace(text)
	if text[0] != '{' {
		return nil, errors.New(`the arguments are JSON, but no object: they look like {"name":"value"}`)
	}
	return text, nil
}

// checkJSON reports where text is not JSON.
func checkJSON(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := text[:min(int(syntax.Offset), len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if int(syntax.Offset) >= len(text) && strings.Contains(syntax.Error(), "unexpected end") {
		column++ // what is missing comes after the last character
	}
	return fmt.Errorf("not JSON at line %d, column %d: %w", line, column, syntax)
}
