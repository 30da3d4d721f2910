package engine

import (
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// Expect says which labels a snapshot must have, and may raise its bounds. The
// zero value expects empty labels.
type Expect struct {
	Peer, Principal string // as in Options; a difference is [fault.Peer]

	// If not zero, these replace what the snapshot says.
	Deadline  int64 // Unix milliseconds
	Budget    time.Duration
	MaxRounds int
	MaxWaits  int

	// Can is what the host can answer. A call that declared more fails with
	// [fault.Options], because it could be asked something that nobody answers.
	// Nil means that the host has checked [Flow.Info] itself.
	Can *Can

	// Size is the longest snapshot taken, in bytes. Zero means 8 MiB.
	Size int
}

// Restore makes a flow from a snapshot, which is copied. Restoring changes
// nothing by itself: the flow takes events from where it stopped. [Begin]
// continues a flow whose process is gone. Restore fails with [fault.Snapshot]
// on anything that no Snapshot of this version wrote, and with [fault.Peer] if
// the labels differ.
func Restore(snap []byte, expect Expect) (*Flow, error) {
	if expect.Size == 0 {
		expect.Size = defaultSnapshot
	}
	if len(snap) > expect.Size {
		return nil, &Error{fault.Snapshot, "longer than Expect.Size"}
	}
	f, flaw := readSnapshot(append([]byte(nil), snap...))
	if flaw != "" {
		return nil, &Error{fault.Snapshot, flaw}
	}
	// Whatever a snapshot says that this flow would not say is damage: other
	// spelling, other order, a wrong checksum, members of another version.
	if again, err := f.Snapshot(); err != nil || string(again) != string(snap) {
		return nil, &Error{fault.Snapshot, damaged}
	}
	if f.opts.Peer != expect.Peer {
		return nil, &Error{fault.Peer, "the snapshot is of another peer"}
	}
	if f.opts.Principal != expect.Principal {
		return nil, &Error{fault.Peer, "the snapshot is of another principal"}
	}
	if lacks := f.can.without(expect.Can); lacks != "" {
		return nil, &Error{fault.Options, "the call declared that it can be asked for " + lacks + ", which this host cannot answer"}
	}
	if expect.Deadline != 0 {
		f.opts.Deadline = expect.Deadline
	}
	if expect.Budget != 0 {
		f.opts.Budget = expect.Budget
	}
	if expect.MaxRounds != 0 {
		f.opts.MaxRounds = expect.MaxRounds
	}
	if expect.MaxWaits != 0 {
		f.opts.MaxWaits = expect.MaxWaits
	}
	if bad := f.opts.settle(); bad != nil {
		return nil, bad
	}
	f.restored = true
	return f, nil
}

// damaged is all that is said of a snapshot that no flow wrote: whoever has it
// can do nothing else with it, whatever is wrong.
const damaged = "damaged: it is not what its flow would write"

// readSnapshot reads the members; Restore compares what it made of them with
// the text. snap is the flow's own memory.
func readSnapshot(snap []byte) (f *Flow, flaw string) {
	var r snapshotReader
	var params, served, asks []byte
	f = &Flow{firstAsk: 1}
	opts := &f.opts
	var m rawjson.Members
	if m.Start(snap); !m.Next() || !m.Is("parley") {
		return nil, "it is no snapshot of a flow"
	}
	if version, ok := rawjson.Int(m.Value); !ok || version != snapshotVersion {
		return nil, "another release took it, in a format that this one cannot read: go on with the call there, or start over"
	}
	for m.Next() {
		name, v := m.Name, m.Value
		switch {
		case m.Is("method"):
			f.method = r.text(v)
		case m.Is("params"):
			params = v
		case m.Is("capabilities"):
			opts.Capabilities = v
		case m.Is("id"):
			opts.ID = r.text(v)
		case m.Is("peer"):
			opts.Peer = r.text(v)
		case m.Is("principal"):
			opts.Principal = r.text(v)
		case m.Is("audit"):
			opts.Audit = true
		case m.Is("resendTools"):
			opts.ResendTools = true
		case m.Is("deadline"):
			opts.Deadline = r.number(v)
		case m.Is("dialect"):
			f.dialect = Dialect(r.text(v)).place()
		case m.Is("now"):
			f.now = r.number(v)
		case m.Is("spent"):
			f.spent = r.number(v)
		case m.Is("phase"):
			f.phase = phase(r.oneOf(v, phaseNames[:]))
		case m.Is("status"):
			f.status = status(r.oneOf(v, statusNames[:]))
		case m.Is("lastId"):
			f.lastID = r.number(v)
			r.bad = r.bad || f.lastID > maxLastID
		case m.Is("leg"):
			f.leg = r.count(v)
		case m.Is("sentAgo"):
			f.legSent = -r.number(v)
		case m.Is("seenAgo"):
			f.legSeen = -r.number(v)
		case m.Is("legState"):
			f.legState = true
		case m.Is("resends"):
			f.resends = r.count(v)
		case m.Is("doubtful"):
			f.doubtful = true
		case m.Is("save"):
			f.saves = true
		case m.Is("saving"):
			f.saving = r.count(v)
		case m.Is("unreleased"):
			f.unreleased = true
		case m.Is("watch"):
			f.watched = true
		case m.Is("looped"):
			f.looped = true
		case m.Is("round"):
			f.round = r.count(v)
		case m.Is("waits"):
			f.waits = r.count(v)
		case m.Is("wakeIn"):
			f.wakeAt = r.number(v)
		case m.Is("notBeforeIn"):
			f.notBefore = r.number(v)
		case m.Is("requestState"):
			f.state = v
		case m.Is("inputRequests"):
			f.inputRequests = v
		case m.Is("served"):
			served = v
		case m.Is("task"):
			f.task = &task{id: v}
			r.bad = r.bad || !rawjson.IsString(v)
		case f.task != nil && r.task(f.task, m.Name, v):
		case m.Is("asks"):
			asks = v
		case m.Is("issued"):
			f.issued = r.count(v)
		case m.Is("askedBefore"):
			f.firstAsk = 1 + r.count(v)
		case m.Is("accepted"):
			f.accepted = r.texts(v)
		case m.Is("acceptedBefore"):
			f.acceptedBefore = r.count(v)
		case m.Is("earlier"):
			f.earlier.text = v[:len(v):len(v)] // it grows, and what is behind it stays
			r.bad = r.bad || !rawjson.IsArray(v) || len(v) > maxEarlier+2
		case m.Is("earlierForms"):
			f.earlier.forms = r.count(v)
		case m.Is("earlierBefore"):
			f.earlier.again = r.count(v)
		case m.Is("consented"):
			f.consented = true
		case m.Is("completed"):
			f.completed = r.texts(v)
		case m.Is("waitIn"):
			f.waitUntil = r.number(v)
		case m.Is("sum"):
		default:
			if !r.option(opts, name, v) {
				r.bad = true
			}
		}
	}
	if m.Err != nil || r.bad || f.keep(params) != nil {
		return nil, damaged
	}
	f.fromNow()
	if f.dialect == unknownDialect {
		return nil, "it is of a dialect that this release does not know"
	}
	if !f.readAskStates(served, asks) {
		return nil, damaged
	}
	return f, ""
}

// fromNow turns times that count from now into times.
func (f *Flow) fromNow() {
	f.legSent += f.now
	f.legSeen += f.now
	if f.phase == pacing {
		f.wakeAt += f.now
	}
	if f.notBefore > 0 {
		f.notBefore += f.now
	}
	if f.waitUntil > 0 {
		f.waitUntil += f.now
	}
}

// readAskStates reads the questions again and puts their answers back, then
// reports whether the whole makes sense.
func (f *Flow) readAskStates(served, states []byte) bool {
	if f.acceptedBefore > len(f.accepted) {
		return false
	}
	if f.inputRequests != nil {
		var bad *Error
		if f.asks, bad = f.readAsks(f.inputRequests); bad != nil || !rawjson.IsObject(f.inputRequests) {
			return false
		}
	}
	if served != nil && !f.readServed(served) {
		return false
	}
	i := 0
	if states != nil {
		var e rawjson.Elements
		for e.Start(states); e.Next(); i++ {
			if i == len(f.asks) || !f.readAskState(&f.asks[i], f.firstAsk+i, e.Value) {
				return false
			}
		}
	}
	return i == len(f.asks) && f.method != "" && (f.phase != reading || f.status == over) &&
		f.earlier.again <= f.earlier.forms && (f.earlier.forms == 0 || f.earlier.text != nil) &&
		(f.state == nil || rawjson.IsString(f.state)) &&
		f.issued >= f.firstAsk-1 && f.issued <= f.firstAsk-1+i &&
		(i > 0 || f.phase != asking && f.phase != serving) && (f.leg > 0 || !f.inFlight() && f.phase != doubt)
}

func (f *Flow) readAskState(a *ask, id int, state []byte) bool {
	switch {
	case rawjson.IsObject(state):
		a.answer = state
	case rawjson.IsArray(state):
		var pair rawjson.Elements
		pair.Start(state)
		if !pair.Next() || !f.readAskState(a, id, pair.Value) || !a.shown || !pair.Next() {
			return false
		}
		tries, ok := rawjson.Int(pair.Value)
		if !ok || tries < 1 || tries >= int64(f.opts.MaxTries) || pair.Next() {
			return false
		}
		a.tries = int(tries)
	case rawjson.IsNumber(state):
		ago, ok := rawjson.Int(state)
		if !ok || ago < 0 || ago > f.now || id > f.issued {
			return false
		}
		a.shown, a.shownAt = true, f.now-ago
	}
	return true
}

// snapshotReader reads values and remembers whether one was wrong.
type snapshotReader struct{ bad bool }

func (r *snapshotReader) text(v []byte) string {
	text, ok := rawjson.Unquote(v)
	r.bad = r.bad || !ok
	return text
}

// number reads a time or duration in milliseconds.
func (r *snapshotReader) number(v []byte) int64 {
	n, ok := rawjson.Int(v)
	r.bad = r.bad || !ok || n < 0 || n > maxNow
	return n
}

func (r *snapshotReader) count(v []byte) int {
	n, ok := rawjson.Int(v)
	if !ok || n < 0 || n > 1<<30 {
		r.bad = true
		return 0
	}
	return int(n)
}

// oneOf reads a name as its index.
func (r *snapshotReader) oneOf(v []byte, names []string) int {
	for i, name := range names {
		if rawjson.Is(v, name) {
			return i
		}
	}
	r.bad = true
	return 0
}

func (r *snapshotReader) texts(v []byte) (texts []string) {
	if !rawjson.IsArray(v) {
		r.bad = true
		return nil
	}
	var e rawjson.Elements
	for e.Start(v); e.Next(); {
		texts = append(texts, r.text(e.Value))
	}
	return texts
}

// task reads one of the members of a task.
func (r *snapshotReader) task(t *task, name, v []byte) bool {
	switch {
	case rawjson.Is(name, "taskPoll"):
		t.poll = r.number(v)
	case rawjson.Is(name, "taskBegan"):
		t.began = r.number(v)
	case rawjson.Is(name, "taskEnds"):
		t.ends = r.number(v)
	case rawjson.Is(name, "taskStatus"):
		t.status = r.text(v)
	case rawjson.Is(name, "taskMessage"):
		t.message = r.text(v)
	case rawjson.Is(name, "taskAnswered"):
		t.answered = r.texts(v)
	case rawjson.Is(name, "taskStale"):
		t.stale = r.count(v)
	case rawjson.Is(name, "taskUpdating"):
		t.updating = true
	case rawjson.Is(name, "taskNested"):
		t.nested = true
	case rawjson.Is(name, "taskFetch"):
		t.fetch = true
	default:
		return false
	}
	return true
}

// option reads one of the numbers of Options.
func (r *snapshotReader) option(o *Options, name, v []byte) bool {
	n, ok := rawjson.Int(v)
	if !ok || n < -1 || n > int64(maxTimeout/time.Millisecond) {
		return false
	}
	for i := range numbers {
		if rawjson.Is(name, numbers[i].name) {
			o.set(i, n)
			return i >= firstDuration || int64(int32(n)) == n
		}
	}
	return false
}
