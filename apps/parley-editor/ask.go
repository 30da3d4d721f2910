package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// ask is a question that the editor has, until it is answered or withdrawn.
type ask struct {
	id      string
	accept  func(*answerParams) ([]byte, error)
	elicits bool // declining and cancelling are answers
	signs   bool // declining refuses it
	mayPark bool
	answer  chan decision // of one
}

// decision is what comes of a question: a result, or an error that ends or
// parks the call.
type decision struct {
	raw []byte
	err error
}

// about is what every question says. Its texts are fit to be shown.
type about struct {
	Ask     string `json:"ask"`            // for answer; the same again where an answer could not be sent
	Call    string `json:"call,omitempty"` // "" for what is asked outside of a call: a sign-in for a list
	Server  string `json:"server"`
	Subject string `json:"subject"`
	Round   int    `json:"round"`
	Message string `json:"message,omitempty"`
	MayPark bool   `json:"mayPark"`
	Problem string `json:"problem,omitempty"` // with the last answer to this question
}

const maxText = 20_000 // characters of a question's message

// about is what a question says that is not of its kind.
func (c *call) about(q parley.Question) about {
	return about{
		Ask: c.askID(q), Call: c.id, Server: c.server.Label, Subject: c.subject, Round: q.Round,
		Message: plain.Text(jsontext.Text(q.Params, "message"), maxText),
		MayPark: c.saved != nil,
		Problem: plain.Line(q.Problem.String(), maxMessage),
	}
}

// errNoCall refuses what a server asks while its tools are listed.
var errNoCall = errors.New("nobody is asked outside of a call")

func (c *call) askID(q parley.Question) string {
	return fmt.Sprintf("%s.%d", cmp.Or(c.id, c.key), q.ID)
}

// put asks the editor by a request, which it confirms at once, and waits for
// the answer request that follows when the person has decided: the JSON-RPC
// clients of editors have to reply to a request before they can do anything
// else. id is what the params call it. accept makes the result of an answer.
func (c *call) put(ctx context.Context, q parley.Question, id, method string, params any, accept func(*answerParams) ([]byte, error)) ([]byte, error) {
	signs := q.Kind == engine.KindAuthorize
	if c.id == "" && !signs {
		return nil, errNoCall
	}
	a := &ask{id: id, accept: accept, elicits: q.Kind == engine.KindElicit, signs: signs, mayPark: c.saved != nil, answer: make(chan decision, 1)}
	c.host.asks.Store(a.id, a)
	c.ask(1)
	defer c.ask(-1)

	unable := make(chan error, 1)
	go func() {
		if err := c.host.request(ctx, method, params); err != nil && ctx.Err() == nil {
			said := err.Error()
			if e := new(jsonrpc2.Error); errors.As(err, &e) {
				said = e.Message
			}
			unable <- fmt.Errorf("the editor could not ask: %s", plain.Line(said, maxMessage))
		}
	}()
	var d decision
	select {
	case d = <-a.answer:
	case d.err = <-unable:
		c.host.asks.Delete(a.id)
		c.giveUp(d.err)
	case <-ctx.Done():
		if !c.host.asks.CompareAndDelete(a.id, a) {
			return nil, ctx.Err() // it was answered at the same moment
		}
		c.host.tell("ask/withdrawn", struct {
			Ask  string `json:"ask"`
			Call string `json:"call"`
		}{a.id, c.id})
		d.err = context.Cause(ctx)
	}
	if errors.Is(d.err, errStopped) {
		c.giveUp(errStopped) // whatever the server would make of a refusal
	}
	return d.raw, d.err
}

// giveUp ends the call that a question is of.
func (c *call) giveUp(why error) {
	if c.cancel != nil {
		c.cancel(why)
	}
}
