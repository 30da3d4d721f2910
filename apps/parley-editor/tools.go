package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

type toolsParams struct {
	Server server `json:"server"`
}

// tool is a tool of a server, its texts fit to be shown.
type tool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`

	// The arguments as a form, where they can be asked for in one.
	Form   string  `json:"form,omitempty"`
	Fields []field `json:"fields,omitempty"`
}

const (
	mostPages = 100
	mostTools = 1000
)

// tools lists the tools of a server.
func (h *host) tools(ctx context.Context, p *toolsParams) (any, error) {
	if err := p.Server.complete(); err != nil {
		return nil, err
	}
	peer, err := h.connect(p.Server)
	if err != nil {
		return nil, err
	}
	list := []tool{}
	forms := map[string]form.Schema{}
	params := []byte("{}")
	for range mostPages {
		out, err := peer.Call(ctx, "tools/list", params, engine.Options{Peer: p.Server.peer(), Can: &engine.Can{}}, parley.Callbacks{})
		if err != nil {
			return nil, &jsonrpc2.Error{Code: codeServer, Message: p.Server.reason("the list of tools", err)}
		}
		var page []json.RawMessage
		if json.Unmarshal(rawjson.Member(out.Result, "tools"), &page) != nil {
			return nil, &jsonrpc2.Error{Code: codeServer, Message: p.Server.Label + " answered tools/list with what is no list of tools"}
		}
		for _, raw := range page {
			if len(list) == mostTools {
				break
			}
			t, schema := readTool(raw)
			if t.Name == "" || t.Name != plain.Line(t.Name, mostName) {
				h.log(p.Server.Label, "warning", "a tool is left out: its name is missing, too long or has characters that cannot be seen")
				continue
			}
			if schema != nil {
				t.Form = ofTools(peer.server.peer()) + strconv.Itoa(len(list))
				forms[t.Form] = *schema
			}
			list = append(list, t)
		}
		cursor := rawjson.Member(out.Result, "nextCursor")
		if len(cursor) == 0 || cursor[0] != '"' {
			break
		}
		params = fmt.Appendf(nil, `{"cursor":%s}`, cursor)
	}
	h.forms.replace(peer.server.peer(), forms)
	return map[string]any{"tools": list}, nil
}

// readTool reads a Tool, and its arguments if a form can ask for them.
func readTool(raw []byte) (tool, *form.Schema) {
	t := tool{Description: plain.Text(words(rawjson.Member(raw, "description")), mostText)}
	if name := rawjson.Member(raw, "name"); len(name) > 0 && name[0] == '"' {
		t.Name = words(name)
	}
	title := rawjson.Member(raw, "title")
	if title == nil {
		title = rawjson.Member(rawjson.Member(raw, "annotations"), "title")
	}
	t.Title = plain.Line(words(title), mostName)
	schema, problem := form.Parse(rawjson.Member(raw, "inputSchema"))
	if problem != nil {
		return t, nil
	}
	t.Fields = fieldsOf(schema, nil)
	return t, &schema
}
