package soak_test

import (
	"context"
	"errors"
	"time"

	"github.com/parley-mcp/parley/engine"
	code "github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// maxSegments is how often a call is resumed before it is left alone. On a
// slow machine many legs are lost because they take longer than legTime.
const maxSegments = 400

// legTime is how long a leg may take. The server knows it.
const legTime = time.Second

// complete makes a call and goes on with it until it is done.
func (l *ledger) complete(c *call, clients *clients) {
	r := l.random(7, c.n)
	var snapshot []byte
	resend := false
	for len(c.segments) < maxSegments {
		s := l.begin(c, resend)
		out, err := l.segment(c, s, clients.pick(r), snapshot)
		l.mu.Lock()
		s.over = true
		next, end := l.ended(c, s, out, err)
		l.mu.Unlock()
		if end {
			return
		}
		if next != nil {
			snapshot = next
		}
		if s.isUnsent() { // the server may be about to listen again
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		}
		info := l.info(c, snapshot)
		s.leg, s.inDoubt, resend = info.Leg, info.InDoubt, false
		if info.InDoubt && r.IntN(2) == 0 { // otherwise it fails once more, without having sent anything
			if r.IntN(20) == 0 {
				c.ended = "left in doubt"
				return
			}
			resend = true
			l.count("sent again on request")
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.ended = "given up"
	l.violated(c, "it does not end")
}

func (l *ledger) begin(c *call, resend bool) *segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &segment{number: len(c.segments), resend: resend}
	c.segments = append(c.segments, s)
	c.note(l, "segment %d, resend %v", s.number, resend)
	return s
}

// segment makes the call, or goes on with it, once.
func (l *ledger) segment(c *call, s *segment, with *client, snapshot []byte) (parley.Outcome, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	give := func(why error) {
		l.mu.Lock()
		s.gaveUp = true
		s.crashed = s.crashed || why == errCrashed
		c.note(l, "%v", why)
		l.mu.Unlock()
		cancel(why)
	}
	r := l.random(8, c.n, s.number)
	switch soon := time.Duration(r.IntN(300)) * time.Millisecond; r.IntN(40) {
	case 0:
		defer time.AfterFunc(soon, func() { give(errBored) }).Stop()
	case 1:
		defer time.AfterFunc(soon, func() { give(errCrashed) }).Stop()
	}
	cb := l.callbacks(c, s, give)
	if snapshot != nil {
		return with.session.Resume(ctx, cb.Resumption(parley.Resumption{Snapshot: snapshot, Expect: engine.Expect{Peer: "soak", Principal: "ada"}, Resend: s.resend}))
	}
	return with.session.Call(ctx, cb.Request(c.method, c.arguments(), engine.Options{
		AskConcurrency: c.atOnce, MaxRounds: 1000, LegTimeout: legTime, AskTimeout: 2 * legTime, Audit: true, Peer: "soak", Principal: "ada",
	}))
}

// ended decides how to go on after a segment: with which snapshot, if any.
func (l *ledger) ended(c *call, s *segment, out parley.Outcome, err error) (snapshot []byte, end bool) {
	var failed *parley.Error
	switch {
	case s.crashed:
		c.note(l, "nothing is left but the last snapshot: %v", s.saved != nil)
		l.counts["crashes"]++
		return s.saved, false
	case err == nil && out.Parked:
		c.note(l, "parked")
		l.counts["parked"]++
		return out.Snapshot, false
	case err == nil:
		c.note(l, "done: %s", out.Result)
		c.ended, c.result = "done", out.Result
		if out.NoStore != (len(c.plan) > 0 && !l.earlier) {
			l.violated(c, "NoStore is %v after %d rounds", out.NoStore, len(c.plan))
		}
		return nil, true
	case err == parley.ErrSessionClosed: // it was never begun
		s.gaveUp = true
		return nil, false
	case !errors.As(err, &failed):
		l.violated(c, "an error that says nothing: %v", err)
		c.ended = "broken"
		return nil, true
	}
	s.failure = failed.Error()
	c.note(l, "failed: %s (%v)", s.failure, failed.Cause)
	l.counts["failed: "+failed.Code.String()]++
	s.gaveUp = s.gaveUp || errors.Is(err, parley.ErrSessionClosed)
	s.tooSlow = failed.Code == code.AskTimeout
	if !failed.Resumable {
		l.violated(c, "it cannot be resumed: %v", err)
		c.ended = "broken"
		return nil, true
	}
	return failed.Snapshot, false
}

// info describes a call by its snapshot.
func (l *ledger) info(c *call, snapshot []byte) engine.Info {
	if snapshot == nil {
		return engine.Info{}
	}
	flow, err := engine.Restore(snapshot, engine.Expect{Peer: "soak", Principal: "ada"})
	if err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.violated(c, "its snapshot cannot be read: %v", err)
		return engine.Info{}
	}
	return flow.Info()
}
