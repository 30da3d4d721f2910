package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// blanks are what the command line leaves open of a prompt or of a resource's
// address, for the person to fill in.
type blanks struct {
	form        question.Question
	description string            // the server's, "" for none
	of          parley.Completion // with the prompt or the template
	make        func(content json.RawMessage) (method string, params []byte)
}

// fillIn asks the person for what the command line leaves open, if that is
// anything. What a server suggests is theirs to take.
func (h *host) fillIn() error {
	if h.blank == "" || h.dialogs == nil {
		return nil
	}
	h.unbegun.Store(true)
	defer h.unbegun.Store(false)
	ctx := h.calling
	if h.timeout > 0 {
		clock := newStopwatch(ctx, h.timeout, h.late())
		defer clock.end()
		ctx, h.signer.pause = clock.ctx, clock.pause
		defer func() { h.signer.pause = nil }()
	}
	b, err := h.findBlanks(ctx)
	if b == nil || err != nil {
		return err
	}
	if err := h.ask(b); err != nil {
		return h.ended(err)
	}
	return nil
}

// findBlanks is nil where the server names none.
func (h *host) findBlanks(ctx context.Context) (*blanks, error) {
	if h.method == "resources/read" {
		for t, err := range h.conn.ResourceTemplates(ctx) {
			if err != nil {
				return nil, err
			}
			if t.URITemplate == h.blank {
				return ofTemplate(t.URITemplate, t.Description), nil
			}
		}
		return nil, nil
	}
	for p, err := range h.conn.Prompts(ctx) {
		if err != nil {
			return nil, err
		}
		if p.Name != h.blank || len(p.Arguments) == 0 {
			continue
		}
		b := &blanks{description: p.Description, of: parley.Completion{Prompt: p.Name}}
		for _, a := range p.Arguments {
			b.form.Fields = append(b.form.Fields, form.Field{
				Name: a.Name, Title: cmp.Or(a.Title, a.Name), Description: a.Description, Kind: form.String, Required: a.Required,
			})
		}
		b.make = func(content json.RawMessage) (string, []byte) { return request.Prompt(p.Name, content) }
		return b, nil
	}
	return nil, nil
}

func ofTemplate(uri, description string) *blanks {
	b := &blanks{description: description, of: parley.Completion{Template: uri}}
	for _, v := range request.TemplateVariables(uri) {
		b.form.Fields = append(b.form.Fields, form.Field{Name: v.Name, Title: v.Name, Kind: form.String, Required: v.Required})
	}
	b.make = func(content json.RawMessage) (string, []byte) {
		values := map[string]string{}
		members, _ := jsontext.Members(content)
		for _, m := range members {
			values[m.Name] = jsontext.Text(m.Value)
		}
		return request.Resource(request.ExpandTemplate(uri, values))
	}
	return b
}

// ask has the person fill the blanks in, and makes the request of it.
func (h *host) ask(b *blanks) error {
	h.conn.watch.ask()
	defer h.conn.watch.asked()
	h.console.Hold()
	defer h.console.Release()
	h.begun = true
	h.console.Head("%s of %s", strings.TrimPrefix(h.subject, "the "), h.Label)
	if b.description != "" {
		h.console.Quote(b.description)
	}
	h.filling.Store(true)
	defer h.filling.Store(false)
	var suggest dialog.Suggest
	if said := h.conn.said(); said != nil && jsontext.Get(said.Capabilities, "completions") != nil {
		suggest = func(ctx context.Context, field int, texts []string) (dialog.Suggestions, error) {
			return h.suggest(ctx, b, field, texts)
		}
	}
	content, err := h.dialogs.Arguments(h.calling, h.Label, b.form, suggest)
	if err != nil {
		return err
	}
	h.method, h.params = b.make(content)
	h.subject = request.Subject(h.method, h.params)
	h.console.Done("filled in")
	for _, entry := range b.form.Entries(content) {
		h.console.Entry(entry.Label, entry.Value)
	}
	return nil
}

// suggest asks the server. What could be taken for something else than it is, or
// cannot be seen, is not offered.
func (h *host) suggest(ctx context.Context, b *blanks, field int, texts []string) (dialog.Suggestions, error) {
	c := b.of
	for i, text := range texts {
		switch name := b.form.Fields[i].Name; {
		case i == field:
			c.Argument, c.Value = name, text
		case text != "":
			if c.Context == nil {
				c.Context = map[string]string{}
			}
			c.Context[name] = text
		}
	}
	values, more, err := h.conn.Complete(ctx, c)
	if err != nil {
		return dialog.Suggestions{}, errors.New(plain.Line(h.reason(err), maxMessage))
	}
	values = slices.DeleteFunc(values, func(v string) bool { return plain.Hidden(v) || strings.ContainsAny(v, "\n\t") || v == "" })
	return dialog.Suggestions{Values: values, More: more}, nil
}

// whileFilling answers a question that comes with a suggestion. Folders need no
// dialog, and a second one cannot be on the screen.
func (h *host) whileFilling(q parley.Question) ([]byte, error) {
	if q.Kind != engine.KindListRoots {
		return nil, errFilling
	}
	h.console.Aside("%s asked for the folders it may work on: shared %d", h.Label, len(h.roots))
	return system.Roots(h.roots), nil
}

// errFilling is why nothing else is answered for a suggestion.
var errFilling = errors.New("this has to wait until the arguments are filled in")
