package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// snapshotVersion changes whenever a snapshot changes its meaning.
const snapshotVersion = 2

// maxLastID is far above what a session gives out, and far below 2^53.
const maxLastID = 1 << 52

// Snapshot returns everything needed to continue in another process, host or
// language, as JSON text that the caller owns. It may be taken at any time,
// even after a failure. It holds requestState, which is a secret: seal it at
// rest. It fails with [fault.Snapshot] if it would be longer than
// Limits.Snapshot.
//
// The text is canonical: restoring it and taking another gives the same bytes.
// It ends with a checksum, which finds damage, not tampering.
func (f *Flow) Snapshot() ([]byte, error) {
	size := len(f.method) + len(f.params) + len(f.opts.Capabilities) + len(f.state) + len(f.inputRequests) + 512
	for i := range f.asks {
		size += len(f.asks[i].answer) + 16
	}
	w := snapshotWriter{append(make([]byte, 0, size), `{"parley":2`...)}
	w.text("method", f.method)
	w.raw("params", f.params)
	w.options(&f.opts)
	w.text("dialect", string(dialects[f.dialect]))
	w.number("now", f.now)
	w.number("spent", f.spent)
	w.text("phase", phaseNames[f.phase])
	w.text("status", statusNames[f.status])
	w.number("lastId", f.lastID)
	w.number("leg", int64(f.leg))
	w.number("resends", int64(f.resends))
	w.flag("doubtful", f.doubtful)
	// Times count from now, and only those that still matter are kept.
	switch f.phase {
	case flying, serving:
		w.number("sentAgo", f.now-f.legSent)
		w.number("seenAgo", f.now-f.legSeen)
		w.flag("legState", f.legState)
	case pacing:
		w.number("wakeIn", max(f.wakeAt-f.now, 0))
	case asking:
		w.number("notBeforeIn", max(f.notBefore-f.now, 0))
	}
	w.flag("save", f.saves)
	w.number("saving", int64(f.saving))
	w.flag("unreleased", f.unreleased)
	w.flag("watch", f.watched)
	w.flag("looped", f.looped)
	w.number("round", int64(f.round))
	w.number("waits", int64(f.waits))
	w.raw("requestState", f.state)
	w.raw("inputRequests", f.inputRequests)
	w.task(f)
	w.served(f)
	w.asks(f)
	w.number("issued", int64(f.issued))
	w.number("askedBefore", int64(f.firstAsk-1))
	w.texts("accepted", f.accepted)
	w.number("acceptedBefore", int64(f.acceptedBefore))
	w.raw("earlier", f.earlier.text)
	w.number("earlierForms", int64(f.earlier.forms))
	w.number("earlierBefore", int64(f.earlier.again))
	w.flag("consented", f.consented)
	w.texts("completed", f.completed)
	w.number("waitIn", max(f.waitUntil-f.now, 0))
	w.text("sum", rawjson.Hex(rawjson.Hash(w.dst)))
	snap := append(w.dst, '}')
	if len(snap) > f.opts.Limits.Snapshot {
		return nil, &Error{fault.Snapshot, tooLong("it", len(w.dst), f.opts.Limits.Snapshot, "snapshot")}
	}
	return snap, nil
}

// The names of phases and statuses; the first of each is left out.
var (
	phaseNames  = [...]string{idle: "", flying: "flying", reading: "reading", held: "held", asking: "asking", serving: "serving", pacing: "pacing", ready: "ready", doubt: "doubt"}
	statusNames = [...]string{live: "", parking: "parking", parked: "parked", failed: "failed", over: "over"}
)

// snapshotWriter appends members. A member that has its zero value, or for
// options its default, is left out.
type snapshotWriter struct{ dst []byte }

func (w *snapshotWriter) put(text string) { w.dst = append(w.dst, text...) }

func (w *snapshotWriter) name(name string) {
	w.put(`,"`)
	w.put(name)
	w.put(`":`)
}

func (w *snapshotWriter) raw(name string, text []byte) {
	if len(text) > 0 {
		w.name(name)
		w.dst = append(w.dst, text...)
	}
}

func (w *snapshotWriter) text(name, text string) {
	if text != "" {
		w.name(name)
		w.dst = rawjson.AppendQuoted(w.dst, text)
	}
}

func (w *snapshotWriter) number(name string, n int64) {
	if n != 0 {
		w.name(name)
		w.dst = rawjson.AppendInt(w.dst, n)
	}
}

func (w *snapshotWriter) flag(name string, set bool) {
	if set {
		w.name(name)
		w.dst = append(w.dst, "true"...)
	}
}

func (w *snapshotWriter) texts(name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	w.name(name)
	for i, text := range texts {
		w.dst = append(w.dst, "[,"[min(i, 1)])
		w.dst = rawjson.AppendQuoted(w.dst, text)
	}
	w.dst = append(w.dst, ']')
}

// task writes the task that the call has become.
func (w *snapshotWriter) task(f *Flow) {
	t := f.task
	if t == nil {
		return
	}
	w.raw("task", t.id)
	w.number("taskPoll", t.poll)
	w.number("taskBegan", t.began)
	w.number("taskEnds", t.ends)
	w.text("taskStatus", t.status)
	w.text("taskMessage", t.message)
	w.texts("taskAnswered", t.answered)
	w.number("taskStale", int64(t.stale))
	w.flag("taskUpdating", t.updating)
	w.flag("taskNested", t.nested)
	w.flag("taskFetch", t.fetch)
}

// served writes the server's own requests, each as its id and what it asks.
func (w *snapshotWriter) served(f *Flow) {
	if f.phase != serving {
		return
	}
	w.name("served")
	for i := range f.asks {
		w.dst = append(w.dst, "[,"[min(i, 1)])
		w.dst = append(append(append(append(append(w.dst, '['), f.asks[i].request...), ','), f.asks[i].span...), ']')
	}
	w.dst = append(w.dst, ']')
}

// asks writes for each question its answer or, while it is open, for how long
// it has been, and how often it was answered in vain; null if it was not asked
// yet.
func (w *snapshotWriter) asks(f *Flow) {
	if len(f.asks) == 0 {
		return
	}
	w.name("asks")
	for i := range f.asks {
		a := &f.asks[i]
		w.dst = append(w.dst, "[,"[min(i, 1)])
		switch {
		case a.answer != nil:
			w.dst = append(w.dst, a.answer...)
		case a.shown && a.tries > 0:
			w.dst = rawjson.AppendInt(append(w.dst, '['), f.now-a.shownAt)
			w.dst = append(rawjson.AppendInt(append(w.dst, ','), int64(a.tries)), ']')
		case a.shown:
			w.dst = rawjson.AppendInt(w.dst, f.now-a.shownAt)
		default:
			w.dst = append(w.dst, "null"...)
		}
	}
	w.dst = append(w.dst, ']')
}

func (w *snapshotWriter) options(o *Options) {
	if string(o.Capabilities) != "{}" {
		w.raw("capabilities", o.Capabilities)
	}
	w.text("id", o.ID)
	w.text("peer", o.Peer)
	w.text("principal", o.Principal)
	w.flag("audit", o.Audit)
	w.flag("resendTools", o.ResendTools)
	for i := range numbers {
		if n := o.get(i); n != numbers[i].zero {
			w.name(numbers[i].name)
			w.dst = rawjson.AppendInt(w.dst, n)
		}
	}
	w.number("deadline", o.Deadline)
}
