package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/internal/fields"
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
	text := f.write(make([]byte, 0, f.written()))
	if len(text) > f.opts.Limits.Snapshot {
		return nil, newError(fault.Snapshot, tooLong("it", len(text)-1, f.opts.Limits.Snapshot, "snapshot"))
	}
	return text, nil
}

// write appends the snapshot to dst, which is empty: all fields, and the checksum of
// them.
func (f *Flow) write(dst []byte) []byte {
	w := snapshot{Walk: fields.Walk{Notation: fields.Snapshot}}
	w.Dst = dst
	w.Put(`{"parley":2`)
	f.fields(&w)
	sum := rawjson.Hash(w.Dst)
	w.Name("sum")
	w.Put(`"`)
	w.Dst = rawjson.AppendHex(w.Dst, sum)
	w.Put(`"}`)
	return w.Dst
}

// written is about how long a snapshot is: all that may be long, and enough for the
// rest of most.
func (f *Flow) written() int {
	size := 320 + len(f.method) + len(f.params) + len(f.opts.Capabilities) + len(f.opts.ID) + len(f.opts.Peer) + len(f.opts.Principal) +
		len(f.state) + len(f.inputRequests) + len(f.earlier.text)
	for i := range f.asks {
		size += 16 + len(f.asks[i].answer) + len(f.asks[i].request) + len(f.asks[i].span)
	}
	for _, url := range f.accepted {
		size += 3 + len(url)
	}
	return size
}

// fields visits everything a snapshot keeps. A member that has its zero value,
// or for options its default, is left out.
func (f *Flow) fields(w *snapshot) {
	w.Text("method", may, &f.method)
	w.Raw("params", may, &f.params)
	f.opts.Fields(&w.Walk)
	w.dialect(&f.dialect)
	w.time("now", &f.now)
	w.time("spent", &f.spent)
	f.phase = phase(w.OneOf("phase", phaseNames[:], int(f.phase)))
	f.status = status(w.OneOf("status", statusNames[:], int(f.status)))
	w.time("lastId", &f.lastID)
	w.count("signIns", &f.gate.asked)
	w.count("leg", &f.leg)
	w.count("resends", &f.resends)
	w.Bool("doubtful", may, &f.doubtful)
	// Times count from now, and only those that still matter are kept.
	switch f.phase {
	case flying, serving:
		w.since("sentAgo", f.now, &f.legSent)
		w.since("seenAgo", f.now, &f.legSeen)
		w.Bool("legState", may, &f.legState)
		if f.phase == serving {
			w.Bool("unsent", may, &f.unsent)
		}
	case pacing:
		w.until("wakeIn", f.now, &f.wakeAt)
	case asking:
		w.until("notBeforeIn", f.now, &f.notBefore)
	}
	w.Bool("save", may, &f.saves)
	w.Bool("watch", may, &f.watched)
	w.Bool("looped", may, &f.looped)
	w.count("round", &f.round)
	w.count("waits", &f.waits)
	w.Raw("requestState", may, &f.state)
	w.Raw("inputRequests", may, &f.inputRequests)
	w.task(&f.task)
	w.askStates(f)
	w.count("issued", &f.issued)
	before := f.firstAsk - 1
	w.count("askedBefore", &before)
	f.firstAsk = before + 1
	w.Texts("accepted", &f.accepted)
	w.count("acceptedBefore", &f.acceptedBefore)
	w.Raw("earlier", may, &f.earlier.text)
	w.count("earlierForms", &f.earlier.forms)
	w.count("earlierBefore", &f.earlier.again)
	w.Bool("consented", may, &f.consented)
	w.Texts("completed", &f.completed)
	w.until("waitIn", f.now, &f.waitUntil)
}

const may = fields.May

// The names of phases and statuses; the first of each is left out.
var (
	phaseNames  = [...]string{idle: "", flying: "flying", reading: "reading", entering: "entering", asking: "asking", serving: "serving", pacing: "pacing", ready: "ready", doubt: "doubt"}
	statusNames = [...]string{live: "", parking: "parking", parked: "parked", failed: "failed", over: "over"}
)

// snapshot visits the fields of a flow.
type snapshot struct {
	fields.Walk
	served, asks []byte // as they were read
}

// time visits a time or duration in milliseconds. The longest that is written is
// the longest that is read.
func (w *snapshot) time(name string, n *int64) {
	*n = min(*n, maxNow)
	if w.Passes(name, *n == 0) {
		return
	}
	if w.Int64(name, may, n); w.Reads() && (*n < 0 || *n > maxNow) {
		w.Fail(damaged.String())
	}
}

// since visits a time as how long ago it is.
func (w *snapshot) since(name string, now int64, at *int64) {
	if w.Reads() {
		*at = now // unless the text says more
	}
	ago := now - *at
	w.time(name, &ago)
	*at = now - ago
}

// until visits a time as how far ahead it is; nothing is left of one that has
// come.
func (w *snapshot) until(name string, now int64, at *int64) {
	ahead := max(*at-now, 0)
	w.time(name, &ahead)
	if w.Reads() && ahead > 0 {
		*at = now + ahead
	}
}

func (w *snapshot) count(name string, n *int) {
	if w.Passes(name, *n == 0) {
		return
	}
	if w.Int(name, may, n); w.Reads() && (*n < 0 || *n > 1<<30) {
		w.Fail(damaged.String())
		*n = 0
	}
}

func (w *snapshot) dialect(d *drafts.Dialect) {
	name := d.Name()
	w.Text("dialect", may, &name)
	*d = drafts.Named(name)
}

// task visits the task that the call has become.
func (w *snapshot) task(of **task) {
	var id []byte
	if *of != nil {
		id = (*of).id
	}
	w.Raw("task", may, &id)
	if id == nil {
		return
	}
	if w.Reads() {
		*of = &task{id: id}
	}
	t := *of
	w.time("taskPoll", &t.poll)
	w.time("taskBegan", &t.began)
	w.time("taskEnds", &t.ends)
	w.Text("taskStatus", may, &t.status)
	w.Text("taskMessage", may, &t.message)
	w.Texts("taskAnswered", &t.answered)
	w.count("taskStale", &t.stale)
	w.Bool("taskUpdating", may, &t.updating)
	w.Bool("taskNews", may, &t.news)
	w.Bool("taskNested", may, &t.nested)
	w.Bool("taskFetch", may, &t.fetch)
}

// askStates visits what else is kept of the questions, which is read when all
// the rest is there.
func (w *snapshot) askStates(f *Flow) {
	if w.Reads() {
		w.served, w.asks = w.Take("served"), w.Take("asks")
		return
	}
	if f.phase == serving {
		w.writeServed(f.asks)
	}
	if len(f.asks) > 0 {
		w.writeAsks(f)
	}
}

// writeServed writes the server's own requests, each as its id and what it asks.
func (w *snapshot) writeServed(asks []ask) {
	w.Name("served")
	w.Put("[")
	for i := range asks {
		w.Comma()
		w.Put("[")
		w.Writer.Raw(asks[i].request)
		w.Put(",")
		w.Writer.Raw(asks[i].span)
		w.Put("]")
	}
	w.Put("]")
}

// writeAsks writes for each question its answer or, while it is open, for how
// long it has been, and how often it was answered in vain; null if it was not
// asked yet.
func (w *snapshot) writeAsks(f *Flow) {
	w.Name("asks")
	w.Put("[")
	for i := range f.asks {
		a := &f.asks[i]
		w.Comma()
		switch {
		case a.answer != nil:
			w.Writer.Raw(a.answer)
		case a.shown && a.tries > 0:
			w.Put("[")
			w.Writer.Int(f.now - a.shownAt)
			w.Put(",")
			w.Writer.Int(int64(a.tries))
			w.Put("]")
		case a.shown:
			w.Writer.Int(f.now - a.shownAt)
		default:
			w.Put("null")
		}
	}
	w.Put("]")
}
