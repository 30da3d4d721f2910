package engine

import (
	"slices"

	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/relay"
)

// The door keeps back what follows a [Save] until the host reports [Saved]: the next Step
// lets it out, up to and including the next Save. A host performs what it is given, in
// order, and keeps nothing back itself.

// mustSave asks for a snapshot before the actions that follow.
func (f *Flow) mustSave() {
	if f.saves {
		f.do(Save{})
	}
}

// saved opens the door.
func (f *Flow) saved() { f.isShut = false }

// saveFailed ends the flow before what waits is let out.
func (f *Flow) saveFailed(ev SaveFailed) {
	if f.isShut && f.isLive() {
		f.fail(fault.Save, reason("nothing more was sent", ev.Reason))
	}
}

// letOut takes out of the Step's actions those that must wait, and adds those that
// have waited. The end of a call waits for nothing, and drops what waits: who wants to
// continue the call takes a snapshot then.
func (f *Flow) letOut() {
	switch {
	case !f.isLive():
		f.dropWaiting()
		return
	case !f.isShut && len(f.waiting) > 0:
		f.out = append(f.waiting, f.out...)
		f.waiting = nil
	}
	out := f.out[:0]
	saved := false // in this Step: the snapshot has all that follows
	for _, a := range f.out {
		switch {
		case isSave(a) && (saved || slices.ContainsFunc(f.waiting, isSave)):
		case !f.isShut:
			out = append(out, a)
			f.isShut = isSave(a)
			saved = f.isShut
			f.startClock(a)
		case waits(a):
			f.waiting = append(f.waiting, a)
		default:
			out = append(out, a)
		}
	}
	clear(f.out[len(out):])
	f.out = out
}

// waits reports whether an action waits for a Save before it. Replies to the server's
// own requests do not: they are no part of what a snapshot continues with. Nor does
// Abandon, which is for a leg that was let out.
func waits(a Action) bool {
	switch a.(type) {
	case Abandon:
		return false
	case Relay:
		return isLeg(a)
	}
	return true
}

func isSave(a Action) bool {
	_, ok := a.(Save)
	return ok
}

// isLeg reports whether an action sends the leg at hand.
func isLeg(a Action) bool {
	if r, ok := a.(Relay); ok {
		_, ok = r.Message.(relay.Resend)
		return ok
	}
	_, ok := a.(Send)
	return ok
}

// startClock starts the clock of a leg or question that is let out.
func (f *Flow) startClock(a Action) {
	if isLeg(a) {
		f.legSent, f.legSeen = f.now, f.now
	} else if a, ok := a.(Ask); !ok {
	} else if i := a.ID - f.firstAsk; a.ID < 0 {
		f.gate.shownAt = f.now
	} else if a.Problem == "" && i >= 0 && i < len(f.asks) {
		f.asks[i].shownAt = f.now
	}
}

// dropWaiting drops what waits when the call ends. Notes of answers stay: the last
// snapshot has these answers. The number of a leg that was never let out is the next one's.
func (f *Flow) dropWaiting() {
	f.out = slices.DeleteFunc(f.out, isSave)
	if len(f.waiting) > 0 {
		answered := slices.DeleteFunc(f.waiting, func(a Action) bool {
			switch a := a.(type) {
			case Send:
				f.leg--
			case Note:
				return a.Kind != audit.Answered
			}
			return true
		})
		f.out = append(answered, f.out...)
	}
	f.isShut, f.waiting = false, nil
}

// legWaits reports whether the leg at hand was not let out.
func (f *Flow) legWaits() bool { return slices.ContainsFunc(f.waiting, isLeg) }

// unsend takes back that the session sends the leg at hand: the server asks something
// before it, again.
func (f *Flow) unsend() { f.waiting = slices.DeleteFunc(f.waiting, isLeg) }

// askWaits reports whether a question was not let out.
func (f *Flow) askWaits(id int) bool {
	return slices.ContainsFunc(f.waiting, func(a Action) bool {
		ask, ok := a.(Ask)
		return ok && ask.ID == id
	})
}

// unask takes a question back that was not let out, with its notes. It reports whether
// it was one.
func (f *Flow) unask(id int) bool {
	if !f.askWaits(id) {
		return false
	}
	f.waiting = slices.DeleteFunc(f.waiting, func(a Action) bool {
		switch a := a.(type) {
		case Ask:
			return a.ID == id
		case Note:
			return a.Kind == audit.Asked && a.Ask == id
		}
		return false
	})
	return true
}
