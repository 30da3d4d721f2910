package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/parley-mcp/parley/apps/internal/plain"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

// ask is a question that the editor has, until it is answered or withdrawn.
type ask struct {
	id      string
	accept  func(*answerParams) ([]byte, error) // makes the result of an answer
	elicits bool                                // declining and cancelling are answers
	mayPark bool
	answer  chan decision // of one
}

// decision is what comes of a question: a result, or an error that ends or
// parks the call.
type decision struct {
	raw []byte
	err error
}

// asks are the questions that the editor has.
type asks struct {
	mu   sync.Mutex
	open map[string]*ask
}

// about is what every question says. Its texts are fit to be shown.
type about struct {
	Ask     string `json:"ask"` // for answer; the same again where an answer could not be sent
	Call    string `json:"call"`
	Server  string `json:"server"`
	Subject string `json:"subject"`
	Round   int    `json:"round"`
	Message string `json:"message,omitempty"`
	MayPark bool   `json:"mayPark"`
	Problem string `json:"problem,omitempty"` // with the last answer to this question
}

const mostText = 20_000 // characters of a question's message

// about is what a question says that is not of its kind.
func (c *call) about(q parley.Question) about {
	return about{
		Ask: fmt.Sprintf("%s.%d", c.id, q.ID), Call: c.id, Server: c.server.Label, Subject: c.subject, Round: q.Round,
		Message: plain.Text(words(rawjson.Member(q.Params, "message")), mostText),
		MayPark: c.saved != nil && !c.waitedFor(q),
		Problem: plain.Line(problemOf(q), mostMessage),
	}
}

// waitedFor reports whether the server itself waits for the answer, as servers
// of earlier eras do, whose questions have no key: such a call cannot be parked.
func (c *call) waitedFor(q parley.Question) bool { return q.Key == "" && c.peer.earlier() }

// problemOf is a question's Problem without what the person cannot know.
func problemOf(q parley.Question) string {
	return strings.TrimPrefix(strings.TrimPrefix(q.Problem, fmt.Sprintf("ask %d: ", q.ID)), "content: ")
}

// put asks the editor by a request, which it confirms at once, and waits for
// the answer request that follows when the person has decided: the JSON-RPC
// clients of editors have to reply to a request before they can do anything
// else.
func (c *call) put(ctx context.Context, q parley.Question, method string, params any, a *ask) ([]byte, error) {
	serving := c.waitedFor(q)
	a.answer = make(chan decision, 1)
	c.host.asks.add(a)
	c.opened(serving)
	defer c.closed(serving)

	unable := make(chan error, 1)
	go func() {
		if err := c.host.request(ctx, method, params); err != nil && ctx.Err() == nil {
			said := err.Error()
			if e := new(jsonrpc2.Error); errors.As(err, &e) {
				said = e.Message
			}
			unable <- fmt.Errorf("the editor could not ask: %s", plain.Line(said, mostMessage))
		}
	}()
	var d decision
	select {
	case d = <-a.answer:
	case d.err = <-unable:
		c.host.asks.remove(a)
		c.cancel(d.err)
	case <-ctx.Done():
		if !c.host.asks.remove(a) {
			return nil, ctx.Err() // it was answered at the same moment
		}
		c.host.tell("ask/withdrawn", struct {
			Ask  string `json:"ask"`
			Call string `json:"call"`
		}{a.id, c.id})
		d.err = context.Cause(ctx)
	}
	if errors.Is(d.err, errStopped) {
		c.cancel(errStopped) // whatever the server would make of a refusal
	}
	return d.raw, d.err
}

func (a *asks) add(one *ask) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open[one.id] = one
}

// remove reports whether the question was still open.
func (a *asks) remove(one *ask) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open[one.id] != one {
		return false
	}
	delete(a.open, one.id)
	return true
}

func (a *asks) find(id string) *ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open[id]
}
