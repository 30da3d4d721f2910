package engine

import "github.com/parley-mcp/parley/engine/fault"

// mustSave says that a snapshot is due before what is done next.
func (f *Flow) mustSave() {
	if f.saves && f.saveBefore < 0 {
		f.saveBefore = len(f.out)
	}
}

// putSave puts a Save where one is due. A call that ends needs none: who wants
// to go on with it takes the snapshot then.
func (f *Flow) putSave() {
	if f.saveBefore < 0 || f.status != live && f.status != parking {
		return
	}
	f.out = append(f.out, nil)
	copy(f.out[f.saveBefore+1:], f.out[f.saveBefore:])
	f.out[f.saveBefore] = Save{}
	f.saving++
	for _, a := range f.out[f.saveBefore:] {
		if _, ok := a.(Send); ok {
			f.unreleased = true
		}
	}
}

// saved lets the times of what waited begin, once nothing waits any more.
func (f *Flow) saved() {
	if f.saving == 0 {
		return
	}
	if f.saving--; f.saving == 0 && f.unreleased {
		f.unreleased = false
		f.legSent, f.legSeen = f.now, f.now
	}
}

// WaitsForSave reports whether the leg in flight is held back by the host until
// it has saved. It is for sessions.
func (f *Flow) WaitsForSave() bool { return f.unreleased && f.inFlight() }

// saveFailed ends the flow before what waited was performed.
func (f *Flow) saveFailed(ev SaveFailed) {
	if f.saving == 0 || f.status != live && f.status != parking {
		return
	}
	f.fail(fault.Save, reason("nothing more was sent", ev.Reason))
}
