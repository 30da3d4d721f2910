package main

import (
	"context"

	"github.com/parley-mcp/parley/apps/shared-go/question"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// What the person can make of a question.
const (
	actionAccept  = "accept"
	actionDecline = "decline" // say no
	actionCancel  = "cancel"  // close it without choosing
	actionPark    = "park"    // keep the call, and go on with it later
	actionStop    = "stop"    // give the call up
)

type answerParams struct {
	Ask    string `json:"ask"`
	Action string `json:"action"`

	// Of an answer that accepts.
	Values  []question.Value `json:"values"`  // of ask/elicit: one for each field, null for none
	Model   string           `json:"model"`   // of ask/sample: the model's name, and
	Text    string           `json:"text"`    // what it said; or
	Result  string           `json:"result"`  // a CreateMessageResult as JSON text
	Folders []folder         `json:"folders"` // of ask/roots
	Opened  bool             `json:"opened"`  // of ask/browser: the person opens the page
}

// answer takes what the person decided. An answer that cannot be sent is an
// error, and the question stays open.
func (h *host) answer(_ context.Context, p *answerParams) (any, error) {
	open, _ := h.asks.Load(p.Ask)
	a, ok := open.(*ask)
	if !ok {
		return nil, errClosed
	}
	d, err := a.decide(p)
	if err != nil {
		return nil, err
	}
	if !h.asks.CompareAndDelete(a.id, a) {
		return nil, errClosed
	}
	a.answer <- d
	return nil, nil
}

var errClosed = wrong("this question is not open any more")

func (a *ask) decide(p *answerParams) (decision, error) {
	switch {
	case p.Action == actionAccept:
		raw, err := a.accept(p)
		return decision{raw: raw}, err
	case p.Action == actionDecline && a.elicits:
		return decision{raw: parley.Decline()}, nil
	case p.Action == actionDecline && a.signs:
		return decision{err: errNotNow}, nil
	case p.Action == actionCancel && a.elicits:
		return decision{raw: parley.Dismiss()}, nil
	case p.Action == actionPark && a.mayPark:
		return decision{err: parley.ErrPark}, nil
	case p.Action == actionPark:
		return decision{}, errNoStore
	case p.Action == actionStop:
		return decision{err: errStopped}, nil
	}
	return decision{}, wrong("the action of an answer is accept, park or stop, for a form or page also decline or cancel, and for a sign-in also decline")
}
