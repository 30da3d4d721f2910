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

	"github.com/parley-mcp/parley/examples/terminal/internal/jsontext"
)

// readRequest makes the request's method and params of the arguments that are
// no flags. JSON among them goes into the params as it stands.
func (c *command) readRequest(args []string) error {
	want := map[string]string{"call": "URL TOOL", "prompt": "URL NAME", "read": "URL RESOURCE_URI"}[c.name]
	if len(args) < 2 {
		return fmt.Errorf("%s needs %s", c.name, want)
	}
	if err := c.readURL(args[0]); err != nil {
		return err
	}
	name, rest := args[1], args[2:]
	if !utf8.ValidString(name) {
		return fmt.Errorf("%q is not UTF-8", name)
	}
	if c.name == "read" {
		if len(rest) > 0 {
			return fmt.Errorf("read takes %s and nothing else", want)
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
