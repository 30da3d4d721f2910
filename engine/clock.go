package engine

import (
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/sentence"
)

// clock takes the host's time. A clock that goes backwards is held; Begin of a
// flow that was stopped sets it anew, because the flow may be in another
// process by now: time between stopping and Begin counts for nobody but
// Deadline, which is a time of day.
func (f *Flow) clock(now int64, ev Event) {
	now = min(max(now, 0), maxNow)
	if _, ok := ev.(Begin); ok && f.resumes() {
		f.wakeAt = max(f.wakeAt+now-f.now, 0)
		f.notBefore = max(f.notBefore+now-f.now, 0)
		f.now = now
		return
	}
	if !f.isLive() {
		return
	}
	now = max(f.now, now)
	// The leg's clock stands while a person answers the server.
	if f.phase == serving || f.gate.shut {
		f.legSent += now - f.now
		f.legSeen += now - f.now
	}
	// Budget is what is not spent waiting for a person.
	if (f.phase == flying || f.phase == pacing) && !f.gate.shut && !f.isShut {
		f.spent += now - f.now
	}
	f.now = now
}

// expire does what is due by now.
func (f *Flow) expire() {
	if !f.isLive() || f.phase == idle || f.overdue() {
		return
	}
	if at := f.askDue(); at != 0 && f.now >= at {
		f.fail(fault.AskTimeout, sentence.Say("a question was open for longer than {0} ms ({1})", inMillis(f.opts.AskTimeout), sentence.Value("askTimeout")))
		return
	}
	switch f.phase {
	case pacing:
		if f.now >= f.wakeAt {
			f.send()
		}
	case flying:
		if at := f.legDue(); at != 0 && f.now >= at {
			f.legTimeout()
		}
	}
}

// overdue ends the flow if it is past its Deadline or Budget.
func (f *Flow) overdue() bool {
	switch {
	case f.opts.Deadline > 0 && f.now >= f.opts.Deadline:
		f.fail(fault.Deadline, "the deadline has passed")
	case f.opts.Budget > 0 && f.spent >= millis(f.opts.Budget):
		f.fail(fault.Budget, "the time that is not a person's is used up")
	default:
		return false
	}
	return true
}

// legTimeout ends a leg that takes too long.
func (f *Flow) legTimeout() {
	within, option := f.opts.LegTimeout, "legTimeout"
	if f.legSeen > f.legSent && f.now >= f.legSent+millis(f.opts.LegMax) {
		within, option = f.opts.LegMax, "legMax"
	}
	text := sentence.Say("no answer within {0} ms ({1})", inMillis(within), sentence.Value(option))
	if f.status == parking { // who asked to park wants to know what may have happened
		f.abandon()
		f.phase = doubt
		f.undecided(text)
		return
	}
	if f.task != nil && f.task.fetch && f.task.stale < maxStale {
		f.unblock()
		return
	}
	f.fail(fault.LegTimeout, text)
}

// inMillis is a time for a detail.
func inMillis(d time.Duration) sentence.Text { return number(int(millis(d))) }

// wait tells the host when to come back, if that has changed or a Tick used up
// the timer it had.
func (f *Flow) wait(tick bool) {
	due := f.due()
	if due != 0 && (due != f.waitUntil || tick) {
		f.do(Wait{Until: due})
	}
	f.waitUntil = due
}

// due is when the flow must act by itself, 0 if it need not.
func (f *Flow) due() int64 {
	if !f.isLive() || f.phase == idle {
		return 0
	}
	at := sooner(f.opts.Deadline, f.askDue())
	switch f.phase {
	case pacing:
		at = sooner(at, f.wakeAt)
	case flying:
		at = sooner(at, f.legDue())
	}
	if f.opts.Budget > 0 && f.phase != asking && f.phase != serving && !f.gate.shut && !f.isShut {
		at = sooner(at, f.now+millis(f.opts.Budget)-f.spent)
	}
	return at
}

// legDue is when the leg in flight has taken too long: LegTimeout after it was
// sent or last reported progress, LegMax after it was sent.
func (f *Flow) legDue() int64 {
	if f.opts.LegTimeout < 0 || f.gate.shut || f.legWaits() {
		return 0
	}
	at := f.legSeen + millis(f.opts.LegTimeout)
	if f.legSeen > f.legSent {
		at = min(at, f.legSent+millis(f.opts.LegMax))
	}
	return at
}

// askDue is when the question open for longest has been open too long.
func (f *Flow) askDue() int64 {
	if f.opts.AskTimeout <= 0 {
		return 0
	}
	var at int64
	if f.gate.open && !f.askWaits(-f.gate.asked) {
		at = f.gate.shownAt + millis(f.opts.AskTimeout)
	}
	for i := range f.asks {
		if a := &f.asks[i]; a.shown && a.answer == nil && !f.askWaits(f.firstAsk+i) {
			at = sooner(at, a.shownAt+millis(f.opts.AskTimeout))
		}
	}
	return at
}

// sooner is the smaller of two times, of which 0 means never.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// millis rounds up, so that no timeout becomes zero.
func millis(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}
