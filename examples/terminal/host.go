package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/examples/terminal/internal/console"
	"github.com/parley-mcp/parley/examples/terminal/internal/dialog"
	"github.com/parley-mcp/parley/examples/terminal/internal/jsontext"
	"github.com/parley-mcp/parley/examples/terminal/internal/plain"
	"github.com/parley-mcp/parley/examples/terminal/internal/question"
	"github.com/parley-mcp/parley/examples/terminal/internal/script"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// errStopped says that the person, or the script, chose to stop the call.
var errStopped = errors.New("stopped")

// mostKey bounds a question's key where it is shown, in characters.
const mostKey = 100

// host answers the questions of one call, which come one at a time.
type host struct {
	*command
	console *console.Console
	dialogs *dialog.Screen    // nil if nobody can be asked
	roots   []json.RawMessage // nil if none are to be shared
	saved   *saved            // nil if the call is not saved

	begun        bool
	round, asked int // how many questions of the round there have been

	mu   sync.Mutex
	left bool
	busy sync.WaitGroup // callbacks that may be drawing on the screen
}

// enter says that a callback is about to use the screen. The call may be over
// by then: a callback's goroutine outlives it.
func (h *host) enter() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left {
		return context.Canceled
	}
	h.busy.Add(1)
	return nil
}

// leave waits until the screen is free again, so that the program does not end
// before the terminal is as it was.
func (h *host) leave() {
	h.mu.Lock()
	h.left = true
	h.mu.Unlock()
	free := make(chan struct{})
	go func() { h.busy.Wait(); close(free) }()
	select {
	case <-free:
	case <-time.After(3 * time.Second):
	}
}

// begin writes who asks, and for what; where the last answer could not be sent,
// why.
func (h *host) begin(q parley.Question, wants string) {
	if q.Problem != "" {
		h.console.Warn("this cannot be sent: %s", plain.Line(problem(q), mostMessage))
		return
	}
	if h.round != q.Round {
		h.round, h.asked = q.Round, 0
	}
	h.asked++
	if h.begun {
		h.console.Say("")
	}
	h.begun = true
	key := ""
	if h.script != nil || h.trace {
		key = ", key " + plain.Line(q.Key, mostKey)
	}
	h.console.Head("%s asks%s", h.label, wants)
	h.console.Trace("for %s · question %d of round %d%s", h.subject, h.asked, q.Round, key)
}

// problem is a question's Problem without what the person cannot know.
func problem(q parley.Question) string {
	return strings.TrimPrefix(strings.TrimPrefix(q.Problem, fmt.Sprintf("ask %d: ", q.ID)), "content: ")
}

// ended makes of how the person ended a dialog what becomes of the call: where
// it is saved, Ctrl-C parks it.
func (h *host) ended(err error) error {
	switch {
	case errors.Is(err, dialog.ErrStop):
		h.console.Done("stopped")
		return errStopped
	case h.saved != nil && (errors.Is(err, dialog.ErrPark) || errors.Is(err, dialog.ErrInterrupted)):
		h.console.Done("parked")
		return parley.ErrPark
	}
	return err
}

func (h *host) elicit(ctx context.Context, q parley.Question) ([]byte, error) {
	if err := h.enter(); err != nil {
		return nil, err
	}
	defer h.busy.Done()
	f, err := question.Parse(q.Params)
	if err != nil {
		return nil, fmt.Errorf("the question %q of %s: %w", q.Key, h.label, err)
	}
	h.begin(q, "")
	if q.Problem == "" {
		h.console.Quote(f.Message)
	}
	decision, content, err := h.decide(ctx, q.Ask, f)
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

// decide gets an answer from the script or the person.
func (h *host) decide(ctx context.Context, ask engine.Ask, f question.Question) (dialog.Decision, json.RawMessage, error) {
	switch {
	case h.script != nil:
		a, err := h.scripted(ask, `"accept", "content": `+f.Skeleton())
		if err != nil {
			return 0, nil, err
		}
		if a.Action == script.Accept && a.Content == nil {
			return 0, nil, fmt.Errorf(`%s accepts the question %q without a content, and it asks for one: %s`, h.scriptFile, ask.Key, f.Skeleton())
		}
		return decisions[a.Action], a.Content, nil
	case h.dialogs != nil:
		return h.dialogs.Fill(ctx, h.label, f)
	default:
		return 0, nil, errNobody
	}
}

var decisions = map[string]dialog.Decision{script.Accept: dialog.Send, script.Decline: dialog.Decline, script.Cancel: dialog.Dismiss}

// scripted is the script's answer to a question, which ends the call if it says
// so or is missing. wanted goes on after "action": in what is said then.
func (h *host) scripted(ask engine.Ask, wanted string) (*script.Answer, error) {
	a := h.script.Answer(ask.Key)
	switch {
	case a == nil:
		return nil, fmt.Errorf(`%s has no answer left for the question %q; add one to its "answers": {"key": %s, "action": %s}`,
			h.scriptFile, ask.Key, jsontext.Quote(ask.Key), wanted)
	case a.Action == script.Stop:
		return nil, dialog.ErrStop
	}
	return a, nil
}

var errNobody = errors.New("the server asks something, but nobody is here to answer: run parley in a terminal, or give it a file of answers with --script")
