package engine

import (
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/internal/fields"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Expect says which labels a snapshot must have, and may raise its bounds. The
// zero value expects empty labels.
type Expect struct {
	// As in Options; a difference is [fault.Peer]. A snapshot without a principal
	// becomes the one of who goes on with it.
	Peer, Principal string

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
	f, err := read(snap, expect.Size)
	if err != nil {
		return nil, err
	}
	if f.opts.Peer != expect.Peer {
		return nil, newError(fault.Peer, "the snapshot is of another peer")
	}
	if f.opts.Principal == "" { // nobody's yet, and so whoever's goes on with it
		f.opts.Principal = expect.Principal
	}
	if f.opts.Principal != expect.Principal {
		return nil, newError(fault.Peer, "the snapshot is of another principal")
	}
	f.can.AnyForm = f.asksAnyForm()
	if expect.Can != nil && f.can.AnyForm && !expect.Can.AnyForm {
		return nil, newError(fault.Options, "the call waits for a form that this host cannot draw: it stays parked for one that draws any form")
	}
	if expect.Can != nil {
		f.can.AnyForm = expect.Can.AnyForm
	}
	if lacks := f.can.without(expect.Can); lacks != "" {
		return nil, newError(fault.Options, sentence.About("the call declared that it can be asked for {0}, which this host cannot answer", lacks))
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
	if bad := f.opts.settleNumbers(); bad != nil {
		return nil, bad
	}
	f.restored = true
	return f, nil
}

// read makes a flow of a snapshot that is at most so long.
func read(snap []byte, size int) (*Flow, error) {
	if len(snap) > size {
		return nil, newError(fault.Snapshot, "longer than Expect.Size")
	}
	own := append(make([]byte, 0, len(snap)), snap...)
	f, flaw := readSnapshot(snap, own)
	if flaw == "" && !f.wrote(snap, own) {
		flaw = damaged
	}
	if flaw != "" {
		return nil, newError(fault.Snapshot, flaw)
	}
	return f, nil
}

// wrote reports whether text is what the flow's snapshot would be now. Whatever it
// says that this flow would not say is damage: other spelling, other order, a
// wrong checksum, members of another version.
//
// own is the copy that was read, and is written again in its own place: what the
// flow keeps of it stands where it is to be written, unless a byte before it differs
// from text already.
func (f *Flow) wrote(text, own []byte) bool {
	return len(text) <= f.opts.Limits.Snapshot && same(f.write(own[:0]), text)
}

// same reports whether two texts are the same, eight bytes at a time: a TinyGo
// module would copy both to compare them as strings.
func same(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		if word(a) != word(b) {
			return false
		}
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func word(b []byte) uint64 {
	b = b[:8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// damaged is all that is said of a snapshot that no flow wrote: whoever has it
// can do nothing else with it, whatever is wrong.
const damaged sentence.Text = "damaged: it is not what its flow would write"

// readSnapshot reads the members; Restore compares what it made of them with
// the text. own is a copy of it, the flow's own memory. Objects and arrays are
// checked by what takes them: settle, readAskStates and ReadTexts.
func readSnapshot(text, own []byte) (f *Flow, flaw sentence.Text) {
	w := snapshot{Walk: fields.Walk{Notation: fields.Snapshot}}
	w.Read("snapshot", own)
	w.Next()
	w.Defer()
	format := w.Take("parley")
	if format == nil {
		return nil, "it is no snapshot of a flow"
	}
	if version, ok := rawjson.Int(format); !ok || version != snapshotVersion {
		return nil, "another release took it, in a format that this one cannot read: go on with the call there, or start over"
	}
	f = &Flow{firstAsk: 1}
	f.fields(&w) // one pass: no flow writes another order
	w.Take("sum")
	if !w.Over() || f.lastID > maxLastID || f.settle() != nil {
		return nil, damaged
	}
	if f.dialect == drafts.Unknown {
		if !rawjson.Valid(text) {
			return nil, damaged
		}
		return nil, "it is of a dialect that this release does not know"
	}
	if text := f.earlier.text; text != nil {
		f.earlier.text = text[:len(text):len(text)] // it grows, and what is behind it stays
	}
	if f.phase == pacing {
		f.wakeAt = max(f.wakeAt, f.now)
	}
	if !f.readAskStates(w.served, w.asks) {
		return nil, damaged
	}
	return f, ""
}

// readAskStates reads the questions again and puts their answers back, then
// reports whether the whole makes sense.
func (f *Flow) readAskStates(served, states []byte) bool {
	if f.acceptedBefore > len(f.accepted) {
		return false
	}
	f.can.AnyForm = true // what Restore then holds against its host
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
	return i == len(f.asks) && f.makesSense() && f.earlier.makesSense()
}

// makesSense reports whether a flow can stand where a snapshot says it does.
func (f *Flow) makesSense() bool {
	last := f.firstAsk - 1 + len(f.asks)
	switch f.phase {
	case reading:
		if f.status != over {
			return false
		}
	case asking, serving:
		if len(f.asks) == 0 {
			return false
		}
	}
	return f.method != "" && (f.state == nil || rawjson.IsString(f.state)) && (f.task == nil || rawjson.IsString(f.task.id)) &&
		f.issued >= f.firstAsk-1 && f.issued <= last && (f.leg > 0 || !f.inFlight() && f.phase != doubt)
}

// makesSense reports whether a flow can have kept such forms.
func (e *earlier) makesSense() bool {
	if e.text == nil {
		return e.forms == 0 && e.again == 0
	}
	return e.again <= e.forms && rawjson.IsArray(e.text) && len(e.text) <= maxEarlier+2 && rawjson.Valid(e.text)
}

func (f *Flow) readAskState(a *ask, id int, state []byte) bool {
	switch {
	case rawjson.IsObject(state):
		a.answer = state
	case rawjson.IsArray(state):
		var pair rawjson.Elements
		pair.StartChecked(state)
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
