package soak_test

import (
	"slices"
	"strings"
)

// settle compares the accounts of a call that has ended, and forgets it.
func (l *ledger) settle(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.ended == "done" {
		l.checkDone(c)
	}
	// What a process sent that is gone may be noted after what came next.
	slices.SortStableFunc(c.posts, func(a, b *post) int { return a.segment.number - b.segment.number })
	for i, p := range c.posts {
		if i > 0 {
			l.checkResent(c, c.posts[i-1], p)
		}
		if p.handled && p.segment.isUnsent() && p.segment.leg == p.leg {
			l.violated(c, "leg %d was handled and reported as not carried out", p.leg)
		}
	}
	for _, p := range c.posts {
		delete(l.posts, p.postID)
	}
	for _, st := range c.states {
		delete(l.states, st.token)
	}
	for _, q := range c.questions {
		delete(l.questions, q.n)
	}
	delete(l.calls, c.n)
	c.settled = true
	l.settled = append(l.settled, make([]bool, max(0, c.n+1-len(l.settled)))...)
	l.settled[c.n] = true
	l.counts["calls "+c.ended]++
}

// checkDone sees whether what was reported as the result was done, with every
// answer that was taken.
func (l *ledger) checkDone(c *call) {
	executed := false
	for _, result := range c.execs {
		executed = executed || result == string(c.result)
	}
	if !executed {
		l.violated(c, "its result is of no execution of its own: %s", c.result)
	}
	for _, q := range c.questions {
		if q.accepted && !q.arrived && !l.earlier { // then, what it is for has failed with it
			l.violated(c, "the answer to question %d was taken and never arrived", q.n)
		}
	}
	if len(c.execs) > 1 {
		l.counts["executed again"] += len(c.execs) - 1
	}
}

// checkResent looks at two posts that follow each other: what a tool may have
// done already is not to be done again unless the caller says so.
func (l *ledger) checkResent(c *call, before, p *post) {
	switch {
	case c.method != "tools/call" || before.content != p.content || before.rejected:
	case before.segment == p.segment && before.leg == p.leg && before.handled:
		l.violated(c, "leg %d went out again although it was handled", p.leg)
	case before.segment == p.segment && before.leg == p.leg: // refused before anything was done
	case mayResend(c, before.segment, p.segment):
	case before.handled:
		l.violated(c, "leg %d, which was handled, went out again as leg %d unasked", before.leg, p.leg)
	case before.segment.inDoubt:
		l.violated(c, "leg %d went out again as leg %d unasked", before.leg, p.leg)
	}
}

// mayResend reports whether the caller asked for a resend between two
// segments.
func mayResend(c *call, from, to *segment) bool {
	for _, s := range c.segments[from.number+1 : to.number+1] {
		if s.resend {
			return true
		}
	}
	return false
}

// isUnsent reports whether a segment ended with the word that its last leg was
// not carried out.
func (s *segment) isUnsent() bool {
	return !s.crashed && strings.Contains(s.failure, "it was not carried out")
}
