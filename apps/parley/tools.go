package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
	parley "github.com/parley-mcp/parley/hosts/go"
)

const (
	mostPages       = 100
	mostDescription = 4000 // characters
	mostArgument    = 400
)

// tools lists the server's tools.
func (c *command) tools(ctx context.Context, screen *console.Console) int {
	conn, err := c.connect(ctx, screen, parley.Callbacks{}, false)
	if err != nil {
		return misused(screen, err)
	}
	list, err := c.listTools(ctx, conn)
	conn.close()
	if err != nil {
		return c.unanswered(ctx, conn, err)
	}
	if c.json {
		printJSON(os.Stdout, slices.Concat([]byte(`{"tools":[`), bytes.Join(list, []byte(",")), []byte("]}")))
		return exitDone
	}
	if len(list) == 0 {
		screen.Say("%s has no tools", c.label)
	}
	for i, tool := range list {
		if i > 0 {
			fmt.Println()
		}
		fmt.Print(describeTool(tool))
	}
	return exitDone
}

// listTools asks page by page. What has no name cannot be called, and is left
// out.
func (c *command) listTools(ctx context.Context, conn *connection) (list [][]byte, err error) {
	params := []byte("{}")
	told := 0
	for page := 0; ; page++ {
		raw, err := c.ask(ctx, conn, "tools/list", params)
		if err != nil {
			return nil, err
		}
		var in jsontext.Reader
		tools, cursor := in.List(raw, "tools"), jsontext.Get(raw, "nextCursor")
		if in.Odd {
			return nil, fmt.Errorf("%s answered tools/list with what is no list of tools", c.label)
		}
		for _, tool := range tools {
			told++
			if name := jsontext.Get(tool, "name"); len(name) == 0 || name[0] != '"' {
				conn.console.Warn("%s: left out tool %d, which has no name", c.label, told)
				continue
			}
			list = append(list, tool)
		}
		switch {
		case len(cursor) == 0 || cursor[0] != '"':
			return list, nil
		case page+1 == mostPages:
			conn.console.Warn("%s: there are more tools than the first %d pages tell", c.label, mostPages)
			return list, nil
		}
		params = fmt.Appendf(nil, `{"cursor":%s}`, cursor)
	}
}

// describeTool is a Tool in words.
func describeTool(tool []byte) string {
	var b strings.Builder
	b.WriteString(plain.Line(jsontext.Text(jsontext.Get(tool, "name")), mostKey))
	title := jsontext.Get(tool, "title")
	if title == nil {
		title = jsontext.Get(jsontext.Get(tool, "annotations"), "title")
	}
	if title != nil {
		b.WriteString("  " + plain.Line(jsontext.Text(title), 200))
	}
	b.WriteString("\n")
	if text := jsontext.Text(jsontext.Get(tool, "description")); text != "" {
		bar(&b, text, mostDescription)
	}
	schema := jsontext.Get(tool, "inputSchema")
	var required []string
	json.Unmarshal(jsontext.Get(schema, "required"), &required)
	properties, _ := jsontext.Members(jsontext.Get(schema, "properties"))
	for _, p := range properties {
		b.WriteString("  " + plain.Line(p.Name, mostKey) + "  " + argument(p.Value, slices.Contains(required, p.Name)) + "\n")
	}
	return b.String()
}

// argument is a property of an inputSchema in words.
func argument(schema []byte, required bool) string {
	var words []string
	if allowed := jsontext.Get(schema, "enum"); allowed != nil {
		words = append(words, "one of "+inLine(allowed))
	} else if kind := jsontext.Get(schema, "type"); kind != nil {
		words = append(words, inLine(kind))
	} else {
		words = append(words, "any")
	}
	if required {
		words = append(words, "required")
	}
	if preset := jsontext.Get(schema, "default"); preset != nil {
		words = append(words, "default "+plain.JSON(string(preset)))
	}
	text := strings.Join(words, ", ")
	if about := jsontext.Text(jsontext.Get(schema, "description")); about != "" {
		text += ": " + about
	} else if title := jsontext.Text(jsontext.Get(schema, "title")); title != "" {
		text += ": " + title
	}
	return plain.Line(text, mostArgument)
}

// inLine is a string as its text, and a list as its members.
func inLine(raw json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return jsontext.Text(raw)
	}
	var texts []string
	for _, one := range list {
		texts = append(texts, jsontext.Text(one))
	}
	return strings.Join(texts, ", ")
}
