package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/parley/internal/script"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// elicit has the person, or the script, fill in a form.
func (h *host) elicit(ctx context.Context, q parley.Question) ([]byte, error) {
	f, err := question.Parse(q.Params)
	if err != nil {
		return nil, fmt.Errorf("the question %q of %s: %w", q.Key, h.Label, err)
	}
	h.begin(q, "")
	if q.Problem == "" {
		h.introduce(f)
	}
	if q.Earlier != nil && q.Problem == "" && h.dialogs != nil {
		h.console.Say("This was asked before. What you answered then is filled in: look at it before you send it again.")
	}
	decision, content, err := h.decide(ctx, q, f)
	if err != nil {
		return nil, h.ended(err)
	}
	switch decision {
	case dialog.Decline:
		h.console.Done("declined")
		return parley.Decline(), nil
	case dialog.Dismiss:
		h.console.Done("dismissed")
		return parley.Dismiss(), nil
	}
	h.console.Done("answered")
	for _, entry := range f.Entries(content) {
		h.console.Entry(entry.Label, entry.Value)
	}
	return parley.Accept(content)
}

// introduce says what the server asks, shows the fields that are only shown, and
// says what only the server checks of the whole answer.
func (h *host) introduce(f question.Question) {
	h.console.Quote(f.Message)
	for _, entry := range f.Shown() {
		h.console.Quote(entry.Label + ": " + entry.Value)
	}
	if hint := question.Unchecked(f.Unchecked); hint != "" {
		h.console.Say("Of the whole answer, %s", hint)
	}
}

// decide gets an answer from the script or the person.
func (h *host) decide(ctx context.Context, q parley.Question, f question.Question) (dialog.Decision, json.RawMessage, error) {
	switch {
	case h.script != nil:
		a, err := h.scripted(q, `"accept", "content": `+f.Skeleton())
		if err != nil {
			return 0, nil, err
		}
		if a.Action == script.Accept && a.Content == nil && f.Skeleton() == "{}" { // it asks for a yes
			a.Content = json.RawMessage("{}")
		}
		if a.Action == script.Accept && a.Content == nil {
			return 0, nil, fmt.Errorf(`%s accepts the question %q without a content, and it asks for one: %s`, h.scriptFile, q.Key, f.Skeleton())
		}
		return decisions[a.Action], a.Content, nil
	case h.dialogs != nil:
		return h.dialogs.Fill(ctx, h.Label, f, q.Earlier)
	default:
		return 0, nil, errNobody
	}
}

var decisions = map[string]dialog.Decision{script.Accept: dialog.Send, script.Decline: dialog.Decline, script.Cancel: dialog.Dismiss}
