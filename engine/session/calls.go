package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/rawjson"
)

// call is a flow of the session.
type call struct {
	number       int
	flow         *engine.Flow
	method       string
	capabilities []byte
	authorizes   bool            // the host can sign in
	began        *drafts.Dialect // the dialect of the call; nil for that of the session
	dialect      drafts.Dialect  // that the flow was told
	told         bool
	leg          *request // in flight or waiting
	given        given    // the leg that was given up last
	isNew        bool     // none of its legs was begun, here or elsewhere
	hasBegun     bool     // here
	givenUp      bool     // before that
	fresh        bool     // the server is to be asked
	most         int      // bytes of its result, 0 if the host has set no bound
	look         *lookup  // nil if its result is not kept
	task         []byte   // the taskId's token of the task that it has become, if a stream is to tell of it
}

// given is a leg that was given up: its transport may say yet that it had not begun it.
type given struct{ exchange, leg int }

// Call makes a call of one request and returns its number; see [engine.New].
// It begins with [engine.Begin]. If opts does not say what the host can answer,
// the session's answer to that is declared.
func (s *Session) Call(method string, params []byte, opts engine.Options) (int, error) {
	can := opts.Can
	learns := can != nil && opts.Capabilities == nil
	switch {
	case opts.Capabilities != nil:
	case can == nil:
		opts.Capabilities = s.opts.Capabilities
	case s.declared != nil && *can == s.declares: // it is known what that comes to
		opts.Can, opts.Capabilities, learns = nil, s.declared, false
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
	c := s.add(flow, can)
	c.isNew, c.fresh, c.most = true, opts.Fresh, opts.Limits.Result
	if learns {
		s.declares, s.declared = *can, clone(c.capabilities)
	}
	return c.number, nil
}

// Restore makes a call from a snapshot and returns its number; see
// [engine.Restore]. Its requests get ids that the call has not used before.
// One that is in the middle of the dialect of a proposal goes on in it, whatever
// the session's is; other calls do not. A snapshot that came from elsewhere chooses
// no more by that than by its request: it is for the peer that the host expects.
//
// A version of their own on which client and server agreed is in no snapshot. A
// server that speaks another could take a retry for a call and run the tool from its
// beginning, so the host has to name it, or Restore fails with [fault.Options].
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, Client Requirements 3.
func (s *Session) Restore(snapshot []byte, expect engine.Expect) (int, error) {
	flow, err := engine.Restore(snapshot, expect)
	if err != nil {
		return 0, err
	}
	if s.opts.Transport == Requests && flow.IsOfEarlierEra() {
		return 0, newError(fault.Options, "the call is at a server of an earlier era, which a connection for requests cannot speak to")
	}
	name, bound := flow.Dialect()
	began := drafts.Named(string(name))
	if bound && began == drafts.Agreed && s.opts.dialect != drafts.Approved {
		return 0, newError(fault.Options, "the call goes on in a protocol version that client and server agreed on, and a snapshot does not say which: name it and the dialect SEP-2322 to the session")
	}
	s.above = max(s.above, flow.Info().LastID-int64(s.last))
	c := s.add(flow, expect.Can)
	if bound || s.opts.dialect == drafts.MRTR {
		c.began = &began
		s.states = s.states || began == drafts.SEP1685
	}
	return c.number, nil
}

func (s *Session) add(flow *engine.Flow, can *engine.Can) *call {
	s.lastCall++
	info := flow.Info()
	authorizes, drawsAny := s.opts.authorizes, s.opts.anyForm
	if can != nil {
		authorizes, drawsAny = can.Authorize, can.AnyForm
	}
	flow.DrawAnyForm(drawsAny)
	s.most = max(s.most, flow.ResponseLimit())
	c := &call{number: s.lastCall, flow: flow, method: info.Method, capabilities: info.Capabilities, authorizes: authorizes}
	s.calls.put(int64(c.number), c)
	if authorizes && s.signIn.account == "" {
		s.signIn.account = info.Principal
	}
	return c
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
	c := s.calls.get(int64(call))
	if c == nil {
		return nil, unknownCall(call)
	}
	return c.flow.Snapshot()
}

// Info describes a call; see [engine.Flow.Info].
func (s *Session) Info(call int) (engine.Info, error) {
	c := s.calls.get(int64(call))
	if c == nil {
		return engine.Info{}, unknownCall(call)
	}
	return c.flow.Info(), nil
}

// Free lets go of a call and forgets what it still has on the wire. A number
// that is no call's is ignored.
func (s *Session) Free(call int) {
	c := s.calls.get(int64(call))
	if c == nil {
		return
	}
	if c.leg != nil {
		s.drop(c.leg)
	}
	s.disown(c)
	s.forgetEarly(c, nil)
	s.calls.take(int64(call))
}

// Calls counts the calls that are held.
func (s *Session) Calls() int { return s.calls.live }

func unknownCall(number int) *engine.Error {
	return newError(fault.Order, count("there is no call {0}", number))
}
