package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// Session is a client of one server. It is a deterministic machine: same
// options and same events, same actions. A Session is not safe for concurrent
// use.
type Session struct {
	opts   Options
	beside besideNames // of opts.Dialect
	now    int64

	calls    []*call // by number
	lastCall int

	last     int        // exchange of a request, a reply or a stream
	above    int64      // how far ids are above exchanges; it never falls, so neither do ids
	requests []*request // outstanding on the wire, by id
	waiting  []*request // legs that wait for the version to be known

	speaks    speaks
	version   string   // that is spoken or, before that is known, would be
	confirmed bool     // the server has shown that it speaks it
	tried     []string // versions it has refused
	probeDue  int64    // when server/discover has taken too long, 0 if it need not be waited for
	waitUntil int64    // the Wait the host holds

	earlier earlier
	tools   []tool

	closed bool
	out    []Action
}

// speaks is what is known of the server's protocol version.
type speaks uint8

const (
	unknown      speaks = iota
	probing             // server/discover is in flight, and requests wait for it
	initializing        // initialize is in flight, and requests wait for it
	modern              // every request carries its version
	sessions            // initialize was answered: an earlier era
)

// call is a flow of the session.
type call struct {
	number       int
	flow         *engine.Flow
	method       string
	capabilities []byte
	dialect      engine.Dialect // that the flow was told
	told         bool
	leg          *request // in flight or waiting
}

// New makes a session. It fails with [fault.Options].
func New(opts Options) (*Session, error) {
	if bad := opts.settle(); bad != nil {
		return nil, bad
	}
	s := &Session{opts: opts, beside: besideOf(opts.Dialect), above: opts.FirstID - 1}
	s.forget()
	return s, nil
}

// Call makes a call of one request and returns its number; see [engine.New].
// It begins with [engine.Begin]. If opts does not say what the host can answer,
// the session's answer to that is declared.
func (s *Session) Call(method string, params []byte, opts engine.Options) (int, error) {
	switch {
	case opts.Capabilities != nil:
	case opts.Can == nil:
		opts.Capabilities = s.opts.Capabilities
	case len(s.opts.added) > 0:
		opts.Capabilities = s.opts.added
	}
	if params != nil {
		if bad := checkMeta(params); bad != nil {
			return 0, bad
		}
	}
	flow, err := engine.New(method, params, opts)
	if err != nil {
		return 0, err
	}
	return s.hold(flow), nil
}

// Restore makes a call from a snapshot and returns its number; see
// [engine.Restore]. Its requests get ids that the call has not used before.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, Client Requirements 3.
func (s *Session) Restore(snapshot []byte, expect engine.Expect) (int, error) {
	flow, err := engine.Restore(snapshot, expect)
	if err != nil {
		return 0, err
	}
	if s.opts.Transport == Requests && flow.IsOfEarlierEra() {
		return 0, &engine.Error{Code: fault.Options, Detail: "the call is at a server of an earlier era, which a connection for requests cannot speak to"}
	}
	s.above = max(s.above, flow.Info().LastID-int64(s.last))
	return s.hold(flow), nil
}

func (s *Session) hold(flow *engine.Flow) int {
	s.lastCall++
	info := flow.Info()
	s.calls = append(s.calls, &call{number: s.lastCall, flow: flow, method: info.Method, capabilities: info.Capabilities})
	return s.lastCall
}

// checkMeta refuses params that could not be sent.
func checkMeta(params []byte) *engine.Error {
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		if m.Is("_meta") {
			return envelope.CheckObject("params._meta", m.Value)
		}
	}
	return nil // what else is wrong is the flow's to say
}

// Snapshot returns everything needed to continue a call elsewhere; see
// [engine.Flow.Snapshot].
func (s *Session) Snapshot(call int) ([]byte, error) {
	c, _ := s.call(call)
	if c == nil {
		return nil, unknownCall(call)
	}
	return c.flow.Snapshot()
}

// Info describes a call; see [engine.Flow.Info].
func (s *Session) Info(call int) (engine.Info, error) {
	c, _ := s.call(call)
	if c == nil {
		return engine.Info{}, unknownCall(call)
	}
	return c.flow.Info(), nil
}

// Free lets go of a call and forgets what it still has on the wire. A number
// that is no call's is ignored.
func (s *Session) Free(call int) {
	c, i := s.call(call)
	if c == nil {
		return
	}
	if c.leg != nil {
		s.drop(c.leg)
	}
	s.disown(c)
	s.forgetEarly(c, nil)
	copy(s.calls[i:], s.calls[i+1:])
	s.calls[len(s.calls)-1] = nil
	s.calls = s.calls[:len(s.calls)-1]
}

// Calls counts the calls that are held.
func (s *Session) Calls() int { return len(s.calls) }

// Step advances the session by one event and returns every action that follows
// from it, in order. now is the host's clock in Unix milliseconds; a clock
// that goes backwards is held. An error is a usage error and leaves the
// session as it was; a call that fails says so with an [engine.Failed] action.
func (s *Session) Step(now int64, ev Event) ([]Action, error) {
	s.now = max(s.now, now)
	s.out = make([]Action, 0, 3)
	var err *engine.Error
	switch ev := ev.(type) {
	case To:
		err = s.to(ev)
	case Message:
		s.message(ev)
	case Ended:
		s.ended(ev)
	case Down:
		s.down(ev)
	case Tick:
		s.tick()
	case Close:
		s.close()
	default:
		err = &engine.Error{Code: fault.Order, Detail: "unknown event"}
	}
	if err != nil {
		return nil, err
	}
	if s.probeDue != s.waitUntil {
		s.waitUntil = s.probeDue
		s.do(Wait{Until: s.probeDue})
	}
	return s.out, nil
}

// to hands a call an event of the host.
func (s *Session) to(ev To) *engine.Error {
	c, _ := s.call(ev.Call)
	if c == nil {
		return unknownCall(ev.Call)
	}
	switch e := ev.Event.(type) {
	case engine.Begin, engine.Answer, engine.Refuse, engine.Saved, engine.SaveFailed, engine.Park, engine.Cancel, engine.Tick:
	case engine.Lost:
		if !e.Unsent || c.leg == nil || c.leg.leg != e.Leg {
			return &engine.Error{Code: fault.Order, Detail: "lost is for a leg that was to be sent and was not"}
		}
		s.drop(c.leg)
	default:
		return &engine.Error{Code: fault.Order, Detail: "this event is the session's to say"}
	}
	return s.feed(c, ev.Event)
}

// feed advances a call and does what follows from it.
func (s *Session) feed(c *call, ev engine.Event) *engine.Error {
	actions, err := c.flow.Step(s.now, ev)
	if err != nil {
		return err.(*engine.Error)
	}
	for _, a := range actions {
		switch a := a.(type) {
		case engine.Send:
			s.begin(&request{kind: leg, call: c, leg: a.Leg, method: a.Method, params: a.Params})
			if c.leg == nil { // it could not be sent, and the rest is out of date
				return nil
			}
		case engine.Abandon:
			switch {
			case c.leg == nil:
			case a.Unsent:
				if c.leg.exchange != 0 {
					s.do(Abort{c.leg.exchange})
				}
				s.drop(c.leg)
			default:
				s.abandon(c.leg)
			}
		case engine.Relay:
			reply, _ := a.Message.(relay.Reply) // a call says nothing else
			s.answerAsk(c, reply)
		case engine.Tell:
			if (s.speaks == modern || s.speaks == sessions) && !s.closed {
				s.post(&request{kind: tell, method: a.Method, params: a.Params, capabilities: c.capabilities})
				if s.opts.Transport != Requests {
					c.flow.UseID(s.above + int64(s.last))
				}
			}
		case engine.Done:
			if c.method == "tools/list" && s.speaks == modern && s.opts.Transport == HTTP {
				a.Result = s.learnTools(c, a.Result)
			}
			s.do(From{c.number, a})
		default:
			s.do(From{c.number, a})
		}
	}
	return nil
}

// lose tells a call that no answer to its leg will come.
func (s *Session) lose(r *request, reason string, unsent bool) {
	s.drop(r)
	s.feed(r.call, engine.Lost{Leg: r.leg, Reason: reason, Unsent: unsent}) // cannot fail: the leg is in flight
}

// close ends the session.
func (s *Session) close() {
	if s.closed {
		return
	}
	s.closed = true
	s.probeDue = 0
	for _, r := range append(append([]*request(nil), s.waiting...), s.requests...) {
		if r.kind == tell && r.exchange != 0 { // nobody waits for its answer, and it is on its way
			continue
		}
		if r.kind != leg {
			s.abandon(r)
			continue
		}
		sent := r.exchange != 0 && !r.call.flow.WaitsForSave()
		if sent {
			s.abandon(r)
		} else if r.exchange != 0 {
			s.do(Abort{r.exchange})
		}
		s.lose(r, "the session was closed", !sent)
	}
	s.endSession()
}

func (s *Session) stdio() bool { return s.opts.Transport == Stdio }

func (s *Session) do(a Action) { s.out = append(s.out, a) }

// call finds a call and its place.
func (s *Session) call(number int) (*call, int) {
	low, high := 0, len(s.calls)
	for low < high {
		if middle := (low + high) / 2; s.calls[middle].number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(s.calls) || s.calls[low].number != number {
		return nil, 0
	}
	return s.calls[low], low
}

func unknownCall(number int) *engine.Error {
	return &engine.Error{Code: fault.Order, Detail: "there is no call " + rawjson.Itoa(number)}
}
