package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/relay"
)

// The door keeps back what follows a [Save] until the host reports [Saved]: the next Step
// lets it out, up to and including the next Save. A host performs what it is given, in
// order, and keeps nothing back itself.

// mustSave says that a snapshot is due before the next action.
func (f *Flow) mustSave() {
	if f.saves && f.saveBefore < 0 {
		f.saveBefore = len(f.out)
	}
}

// putSave puts a Save where one is due. A call that ends needs none: its host
// takes the snapshot then.
func (f *Flow) putSave() {
	if f.saveBefore >= 0 && f.isLive() {
		f.insert(f.saveBefore, Save{})
	}
}

func (f *Flow) insert(at int, a Action) {
	f.out = append(f.out, nil)
	copy(f.out[at+1:], f.out[at:])
	f.out[at] = a
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
// have waited. The end of a call waits for nothing, and drops what waits.
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
	for _, a := range f.out {
		_, isSave := a.(Save)
		switch {
		case !f.isShut:
			out = append(out, a)
			f.isShut = isSave
			f.startClock(a)
		case isSave && f.saveWaits(): // one snapshot has it all
		case waits(a):
			f.waiting = append(f.waiting, a)
		default:
			out = append(out, a)
		}
	}
	clear(f.out[len(out):])
	f.out = out
}

// saveWaits reports whether a Save waits.
func (f *Flow) saveWaits() bool {
	for _, a := range f.waiting {
		if _, ok := a.(Save); ok {
			return true
		}
	}
	return false
}

// waits reports whether an action waits for a Save before it. Replies to the server's
// own requests do not: they are no part of what a snapshot continues with. Nor does
// Abandon, which is for a leg that was let out.
func waits(a Action) bool {
	switch a := a.(type) {
	case Abandon:
		return false
	case Relay:
		_, isLeg := a.Message.(relay.Resend)
		return isLeg
	}
	return true
}

// startClock starts the clock of a leg or question that is let out.
func (f *Flow) startClock(a Action) {
	switch a := a.(type) {
	case Send:
		f.legSent, f.legSeen = f.now, f.now
	case Relay:
		if _, ok := a.Message.(relay.Resend); ok {
			f.legSent, f.legSeen = f.now, f.now
		}
	case Ask:
		if a.ID < 0 {
			f.gate.shownAt = f.now
		} else if i := a.ID - f.firstAsk; a.Problem == "" && i >= 0 && i < len(f.asks) {
			f.asks[i].shownAt = f.now
		}
	}
}

// dropWaiting drops what waits when the call ends. Notes of answers stay: the last
// snapshot has these answers.
func (f *Flow) dropWaiting() {
	if len(f.waiting) > 0 {
		var kept []Action
		for _, a := range f.waiting {
			if n, ok := a.(Note); ok && n.Kind == audit.Answered {
				kept = append(kept, a)
			}
		}
		f.out = append(kept, f.out...)
	}
	f.isShut, f.waiting = false, nil
}

// legWaits reports whether the leg at hand was not let out.
func (f *Flow) legWaits() bool {
	for _, a := range f.waiting {
		switch a := a.(type) {
		case Send:
			return true
		case Relay:
			if _, ok := a.Message.(relay.Resend); ok {
				return true
			}
		}
	}
	return false
}

// unsend takes back that the session sends the leg at hand: the server asks something
// before it, again.
func (f *Flow) unsend() {
	f.dropPointless(func(a Action) bool {
		relayed, ok := a.(Relay)
		if ok {
			_, ok = relayed.Message.(relay.Resend)
		}
		return ok
	})
}

// askWaits reports whether a question was not let out.
func (f *Flow) askWaits(id int) bool {
	for _, a := range f.waiting {
		if ask, ok := a.(Ask); ok && ask.ID == id {
			return true
		}
	}
	return false
}

// unask takes a question back that was not let out, with its notes. It reports whether
// it was one.
func (f *Flow) unask(id int) bool {
	if !f.askWaits(id) {
		return false
	}
	f.dropPointless(func(a Action) bool {
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

// dropPointless takes out of what waits all that is pointless by now.
func (f *Flow) dropPointless(isPointless func(Action) bool) {
	kept := f.waiting[:0]
	for _, a := range f.waiting {
		if !isPointless(a) {
			kept = append(kept, a)
		}
	}
	clear(f.waiting[len(kept):])
	f.waiting = kept
}
