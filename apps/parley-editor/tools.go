package main

import (
	"context"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

type toolsParams struct {
	Server server.Server `json:"server"`
}

// toolShown is a tool of a server, its texts fit to be shown.
type toolShown struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Task        bool   `json:"task,omitempty"` // it runs as a task if the call asks for one

	// The arguments as a form, where they can be asked for in one.
	Form   string  `json:"form,omitempty"`
	Fields []field `json:"fields,omitempty"`
	Hint   string  `json:"hint,omitempty"` // what only the server checks of all of them
}

const maxTools = 1000

// tools lists the tools of a server.
func (h *host) tools(ctx context.Context, p *toolsParams) (any, error) {
	if err := complete(&p.Server); err != nil {
		return nil, err
	}
	peer, err := h.connect(p.Server)
	if err != nil {
		return nil, err
	}
	name := peer.server.Peer()
	list := []toolShown{}
	forms := map[string]question.Question{}
	for one, err := range peer.Tools(ctx) {
		if err != nil {
			return nil, &jsonrpc2.Error{Code: codeServer, Message: reason(p.Server.Label, "the list of tools", err)}
		}
		if one.Name == "" || one.Name != plain.Line(one.Name, maxName) {
			h.log(p.Server.Label, "warning", "a tool is left out: its name is empty, too long or has characters that cannot be seen")
			continue
		}
		t, asked := readTool(one)
		if asked != nil {
			t.Form = ofTools(name) + strconv.Itoa(len(list))
			forms[t.Form] = *asked
		}
		if list = append(list, t); len(list) == maxTools {
			break
		}
	}
	h.forms.replace(name, forms)
	return map[string]any{"tools": list}, nil
}

// readTool reads a Tool, and its arguments if a form can ask for them.
func readTool(one *schema.Tool) (toolShown, *question.Question) {
	t := toolShown{Name: one.Name, Title: plain.Line(request.ToolTitle(one), maxName), Description: plain.Text(one.Description, maxText)}
	t.Task = one.Execution != nil && one.Execution.TaskSupport == "optional"
	arguments, problem := form.Parse(one.InputSchema)
	// A tool whose properties are not said takes any: no form has them.
	if problem != nil || len(arguments.Fields) == 0 && jsontext.Get(one.InputSchema, "properties") == nil {
		return t, nil
	}
	asked := question.Question{Schema: arguments}
	t.Fields, t.Hint = fieldsOf(asked, nil), question.Unchecked(arguments.Unchecked)
	return t, &asked
}
