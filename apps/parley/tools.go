package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

const (
	maxDescription = 4000 // characters
	maxArgument    = 400
)

func (c *command) toolsVerb() *verb {
	return &verb{
		name: "tools", args: []string{"URL [FLAGS]", "[FLAGS] -- COMMAND"}, brief: "list its tools",
		text: `Lists the server's tools with their titles, descriptions and arguments. Tools
that cannot be called are left out, with a warning that says why. --timeout is
for all of the list.

Some servers list a tool only if they may ask for what it needs: give the flags
of your calls here, too. You answer questions that come meanwhile as in a call.
`,
		examples: `  parley tools http://127.0.0.1:8080/mcp
  parley tools --json -- ./my-server
  parley tools --root . --sample-cmd ./my-model -- ./my-server
`,
		groups: c.lookGroups(serverText, c.jsonFlag()),
		exits:  lookExits, read: c.readOnlyServer, run: c.tools,
	}
}

// tools lists the server's tools.
func (c *command) tools(ctx context.Context, screen *console.Console) int {
	h, err := c.look(screen, false)
	if err != nil {
		return misused(screen, err)
	}
	list, err := h.listTools(ctx)
	h.conn.close()
	if err != nil {
		return c.unsigned(ctx, screen, err)
	}
	if c.json {
		var raw []json.RawMessage
		for _, one := range list {
			raw = append(raw, one.Raw)
		}
		c.out.json(fmt.Appendf(nil, `{"tools":%s}`, jsontext.Array(raw)))
		return exitDone
	}
	if len(list) == 0 {
		screen.Say("%s has no tools", c.Label)
	}
	for i, one := range list {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		fmt.Fprint(c.out, c.out.describeTool(one))
	}
	return exitDone
}

// listTools lists the server's tools, page after page.
func (h *host) listTools(ctx context.Context) (list []*schema.Tool, err error) {
	if h.timeout > 0 {
		clock := newStopwatch(ctx, h.timeout, h.late())
		defer clock.end()
		ctx, h.signer.pause = clock.ctx, clock.pause
	}
	defer h.runs(ctx)()
	defer h.rests()
	page := parley.Request{Options: engine.Options{LegTimeout: -1, Peer: h.Peer()}} // the time is for all of them
	for one, err := range h.conn.Tools(h.calling, page) {
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// describeTool is a Tool in words.
func (o *output) describeTool(t *schema.Tool) string {
	var b strings.Builder
	b.WriteString(o.line(t.Name, maxKey))
	if title := request.ToolTitle(t); title != "" {
		b.WriteString("  " + o.line(title, 200))
	}
	b.WriteString(runs(t) + "\n")
	if t.Description != "" {
		o.bar(&b, t.Description, maxDescription)
	}
	var required []string
	json.Unmarshal(jsontext.Get(t.InputSchema, "required"), &required)
	properties, _ := jsontext.Members(jsontext.Get(t.InputSchema, "properties"))
	for _, p := range properties {
		b.WriteString("  " + o.line(p.Name, maxKey) + "  " + o.argument(p.Value, slices.Contains(required, p.Name)) + "\n")
	}
	return b.String()
}

// runs says whether a tool runs as a task.
func runs(t *schema.Tool) string {
	if t.Execution != nil {
		switch t.Execution.TaskSupport {
		case "required":
			return "  (runs as a task)"
		case "optional":
			return "  (may run as a task: --task)"
		}
	}
	return ""
}

// argument is a property of an inputSchema in words.
func (o *output) argument(schema []byte, required bool) string {
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
		words = append(words, "default "+o.jsonText(preset))
	}
	text := strings.Join(words, ", ")
	if about := jsontext.Text(schema, "description"); about != "" {
		text += ": " + about
	} else if title := jsontext.Text(schema, "title"); title != "" {
		text += ": " + title
	}
	return o.line(text, maxArgument)
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
