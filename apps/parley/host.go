package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/parley/internal/script"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// errStopped says that the person, or the script, chose to stop the call.
var errStopped = errors.New("stopped")

// maxKey bounds a question's key where it is shown, in characters.
const maxKey = 100

// host answers the questions of one call, or of a list that is looked at, one at
// a time.
type host struct {
	*command
	console *console.Console
	dialogs *dialog.Screen    // nil if nobody can be asked
	roots   []json.RawMessage // nil if none are to be shared
	saved   *saved.Call       // nil if the call is not saved
	conn    *connection
	signer  *signer

	calling  context.Context // the call's, which cancel ends
	cancel   context.CancelCauseFunc
	park     chan struct{} // closed to park the call
	parkOnce sync.Once

	begun        bool
	round, asked int         // how many questions of the round there have been
	told         bool        // what serving means was said
	parking      bool        // the last answer was to park
	unbegun      atomic.Bool // the call does not run yet: there is nothing to park
	filling      atomic.Bool // the person fills in its arguments
	serving      atomic.Bool // the server waits for the answer to the question at hand

	turn sync.Mutex // of the question at hand, for a call whose host asked several at once

	mu      sync.Mutex
	left    bool
	leaving *leaving       // what Ctrl-C has opened, nil if nothing
	busy    sync.WaitGroup // askers that may be drawing on the screen
}

// askingGroups are about what a server may ask, and what answers.
func (c *command) askingGroups() []flags.Group {
	questions := flags.Group{
		Text:  "What the server may log and ask. Every command tells it the same beforehand:\n",
		Flags: []flags.Flag{c.logLevelFlag()},
		Check: func() error { return checkLogLevel(c.logLevel) },
	}
	return []flags.Group{questions, c.browserGroup(), c.modelGroup(), c.rootGroup(), c.scriptGroup()}
}

// newHost makes a host. s is nil if there is no call to save.
func (c *command) newHost(screen *console.Console, s *saved.Call, roots []json.RawMessage) (*host, error) {
	h := &host{command: c, console: screen, dialogs: dialogs(c, screen, s != nil), roots: roots, saved: s, park: make(chan struct{})}
	signs, err := c.newSigner(screen, h.dialogs)
	if err == nil {
		h.signs(signs)
	}
	return h, err
}

// look is a host that is connected, for a command that makes no call.
func (c *command) look(screen *console.Console, discover bool) (*host, error) {
	roots, err := c.listedRoots()
	if err != nil {
		return nil, err
	}
	c.subject = "the list of its tools" // which is what all of them ask for
	h, err := c.newHost(screen, nil, roots)
	if err == nil {
		_, err = h.connect(nil, discover)
	}
	return h, err
}

// runs starts what the server may answer with questions: it ends with ctx, for
// the same cause, or when end is called.
func (h *host) runs(ctx context.Context) (end func()) {
	h.calling, h.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { h.interrupted(context.Cause(ctx)) })
	h.interrupts.takenBy(h.asksToLeave)
	h.conn.watch.begin()
	return func() {
		stop()
		h.cancel(nil)
	}
}

// rests returns when no question is on the screen any more, and what the server
// has logged is.
func (h *host) rests() {
	h.leave()
	h.conn.watch.end()
	h.conn.Flush()
	h.console.Idle()
}

// askers are what the host can be asked. A call that is resumed is asked
// what it has declared.
func (h *host) askers(from *restored) parley.Askers {
	askers := parley.Askers{Elicit: h.answers(h.elicit), Tasks: true}
	if h.signer.asker() != nil {
		askers.Authorize = h.authorize
	}
	var can engine.Info
	if from != nil {
		can = from.info
	}
	if can.URL || from == nil && (h.dialogs != nil || h.script != nil) {
		askers.ElicitURL = h.answers(h.page)
	}
	if can.Sampling || from == nil && (h.model != nil || h.script != nil && len(h.script.Samples) > 0) {
		askers.Sample = h.answers(h.sample)
	}
	if can.Roots || from == nil && h.roots != nil {
		askers.ListRoots = h.answers(h.listRoots)
	}
	return askers
}

type asker = func(context.Context, parley.Question) ([]byte, error)

// answers is an asker that has the screen to itself: an imported call may ask
// several questions at once. An error of it other than [parley.ErrPark] ends the
// call, whatever the server would make of a refusal; the task that the call may
// have become goes on.
func (h *host) answers(ask asker) asker {
	return func(ctx context.Context, q parley.Question) ([]byte, error) {
		if err := h.enter(); err != nil {
			return nil, err
		}
		defer h.exit()
		if h.filling.Load() {
			return h.whileFilling(q)
		}
		h.turn.Lock()
		defer h.turn.Unlock()
		if ctx.Err() != nil { // it was withdrawn while another had its turn
			return nil, ctx.Err()
		}
		if h.signer.pause != nil {
			defer h.signer.pause()()
		}
		h.conn.watch.ask()
		h.stay()
		defer h.conn.watch.asked()
		h.console.Hold()
		defer h.console.Release()

		said := h.conn.said()
		h.serving.Store(q.Key == "" && said != nil && isEarlier(said.Version))
		raw, err := ask(ctx, q)
		h.parking = errors.Is(err, parley.ErrPark)
		switch {
		case err == nil:
			h.serving.Store(false)
		case h.parking:
		case ctx.Err() != nil && !h.ends():
			h.serving.Store(false)
			h.console.Done("closed: %s does not wait for an answer any more", h.Label)
		case h.keepsTask() && !errors.Is(err, errStopped): // to refuse it ends the call, too
		default:
			h.cancel(err)
		}
		return raw, err
	}
}

// enter says that an asker is about to use the screen. The call may be over
// by then: an asker's goroutine outlives it.
func (h *host) enter() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left {
		return context.Canceled
	}
	h.busy.Add(1)
	return nil
}

func (h *host) exit() { h.busy.Done() }

// leave waits until the screen is free again, so that the program does not end
// before the terminal is as it was.
func (h *host) leave() {
	h.mu.Lock()
	h.left = true
	h.mu.Unlock()
	h.stay()
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
	if h.dialogs != nil {
		h.dialogs.Park = h.saved.Keeps() && !h.serving.Load()
	}
	switch {
	case q.Problem != "" && h.parking:
		h.console.Warn("the call cannot be parked now: %s", plain.Line(q.Problem.String(), maxMessage))
		return
	case q.Problem != "":
		h.console.Warn("this cannot be sent: %s", plain.Line(strings.TrimPrefix(display.InWords(q.Problem.String()), "content: "), maxMessage))
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
		key = ", key " + cmp.Or(plain.Line(q.Key, maxKey), `""`)
	}
	h.console.Head("%s asks%s", h.Label, wants)
	h.console.Trace("for %s · question %d of round %d%s", h.subject, h.asked, q.Round, key)
	if h.serving.Load() && h.saved.Keeps() && h.dialogs != nil && !h.told {
		h.told = true
		h.console.Say("%s waits for this answer, as servers before protocol %s do, so the call cannot be parked now. You can "+
			"answer, decline or dismiss it; Ctrl-C leaves the call in doubt.", h.Label, session.ProtocolVersion)
	}
}

// ended makes of how the person ended a dialog what becomes of the call: where
// it is saved, Ctrl-C parks it.
func (h *host) ended(err error) error {
	switch {
	case errors.Is(err, dialog.ErrStop):
		h.console.Done("stopped")
		return errStopped
	case h.saved.Keeps() && !h.serving.Load() && !h.unbegun.Load() && (errors.Is(err, dialog.ErrPark) || errors.Is(err, dialog.ErrInterrupted)):
		h.console.Done("parked")
		return parley.ErrPark
	}
	return err
}

// scripted is the script's answer to a question, which ends the call if it says
// so or is missing. wanted goes on after "action": in what is said then.
func (h *host) scripted(q parley.Question, wanted string) (*script.Answer, error) {
	a := h.script.Answer(q.Key)
	switch {
	case a == nil:
		return nil, fmt.Errorf(`%s has no answer left for the question %q; add one to its "answers": {"key": %s, "action": %s}`,
			h.scriptFile, q.Key, jsontext.Quote(q.Key), wanted)
	case a.Action == script.Stop:
		return nil, dialog.ErrStop
	}
	return a, nil
}

var errNobody = errors.New("the server asks something, but nobody is here to answer: run parley in a terminal, or give it a file of answers with --script")
