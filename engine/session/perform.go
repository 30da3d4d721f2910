package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// feed advances a call and does what follows from it.
func (s *Session) feed(c *call, ev engine.Event) *engine.Error {
	in, sent := response(ev), c.leg
	actions, err := c.flow.Step(s.now, ev)
	if err != nil {
		return err.(*engine.Error)
	}
	var few [4]engine.Action // the call may step again before all are seen to
	seen := append(few[:0], actions...)
	clear(actions)
	for _, a := range seen {
		if !s.perform(c, a, in, sent) {
			break
		}
	}
	return nil
}

// response is the message that an event of a call brings, nil if none.
func response(ev engine.Event) *message.Message {
	e, _ := ev.(engine.Relay)
	r, ok := e.Message.(*relay.Response)
	if !ok {
		return nil
	}
	return r.Message
}

// perform does what a call says. in is the response that it was told of, and sent its
// leg before that. It reports whether the actions that follow still hold: they do not
// where a leg could not be sent.
func (s *Session) perform(c *call, a engine.Action, in *message.Message, sent *request) (holds bool) {
	switch a := a.(type) {
	case engine.Send:
		s.begin(&request{kind: leg, call: c, leg: a.Leg, method: a.Method, params: a.Params})
		return c.leg != nil
	case engine.Relay:
		return s.relayed(c, a.Message)
	case engine.Abandon:
		if c.leg != nil {
			s.abandon(c.leg)
		}
	case engine.Withdraw:
		if a.Ask < 0 && s.signIn.asker == c { // the next is asked
			s.signIn.asker = nil
		}
		s.do(From{c.number, a})
	case engine.Tell:
		s.tell(c, &a)
	case engine.Leg:
		if c.isRecalled() {
			a.Answer = "cached"
		}
		s.do(From{c.number, a})
	case engine.Done:
		s.done(c, &a, in)
	case engine.Task:
		s.do(From{c.number, a})
		s.becameTask(c)
	case engine.Failed:
		s.explain(sent, &a)
		s.over(c, a)
	case engine.Parked:
		s.over(c, a)
	default:
		s.do(From{c.number, a})
	}
	return true
}

// relayed does what a call says to its session alone.
func (s *Session) relayed(c *call, said relay.Message) (holds bool) {
	switch m := said.(type) { // a call says nothing else
	case relay.Reply:
		s.answerAsk(c, m)
	case relay.Authorized:
		s.authorized(m.Account)
	case relay.Replaced:
		s.replaced(m)
	case relay.Resend:
		s.resend(c)
		return c.leg != nil
	}
	return true
}

// tell sends a request of a call to whose answer nothing follows.
func (s *Session) tell(c *call, a *engine.Tell) {
	if s.speaks != modern && s.speaks != sessions || s.closed {
		return
	}
	s.post(&request{kind: tell, method: a.Method, params: a.Params, capabilities: c.capabilities})
	if s.opts.Transport != Requests {
		c.flow.UseID(s.above + int64(s.last))
	}
}

// done takes it that a call has its result, which in is.
func (s *Session) done(c *call, a *engine.Done, in *message.Message) {
	a.Cached = s.keep(c, a.NoStore || a.Lacks != "", in)
	s.doubtPage(c, in, a.Next != nil)
	if ofEarlier := s.speaks == sessions && !a.Cached; c.method == "tools/list" && (ofEarlier || s.opts.Transport == HTTP) {
		if result := s.learnTools(in, rawjson.Member(c.flow.Params(), "cursor") == nil, ofEarlier); result != nil {
			a.Result, a.From, a.To = result, 0, 0
		}
	}
	c.task = nil
	s.do(From{c.number, *a})
}

// over takes it that a call has ended without a result.
func (s *Session) over(c *call, a engine.Action) {
	s.cursorFailed(c, a)
	c.task = nil
	if c.leg != nil { // it waits for somebody to sign in
		s.drop(c.leg)
	}
	s.do(From{c.number, a})
}
