package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/fields"
)

// Notation is how what crosses the boundary is written.
type Notation fields.Notation

const (
	// Text is JSON: of the corpus, and of the Extism plug-in.
	Text = Notation(fields.Text)

	// Frame is a short JSON head and blobs: of the other modules.
	Frame = Notation(fields.Frame)

	// View is a Frame in a module's memory, to be read there before the next call
	// into it: what a decoder returns does not point into it.
	View = Notation(fields.View)
)

// Request is a request in pieces: a frame whose blobs are where they were
// before. The next one uses its memory again.
type Request struct {
	Head  []byte   // the length and the head
	Blobs [][]byte // what follows, in order
}

// Size is how long the frame is, in bytes.
func (r *Request) Size() int {
	n := len(r.Head)
	for _, blob := range r.Blobs {
		n += len(blob)
	}
	return n
}

// SessionEvent makes r what [Notation.DecodeSessionEvent] reads.
func (r *Request) SessionEvent(ev session.Event) {
	var w walk
	r.begin(&w)
	w.appendSessionEvent(ev)
	r.end(&w)
}

// New makes r what [Notation.DecodeNew] reads.
func (r *Request) New(method string, params []byte, opts *engine.Options) {
	var w walk
	r.begin(&w)
	w.Put("{")
	w.newFlow(&newFlow{method, params, *opts})
	r.end(&w)
}

// Restore makes r what [Notation.DecodeRestore] reads.
func (r *Request) Restore(snapshot []byte, expect *engine.Expect) {
	var w walk
	r.begin(&w)
	w.Put("{")
	w.restore(&snapshot, expect)
	r.end(&w)
}

// SessionNew makes r what [Notation.DecodeSessionNew] reads.
func (r *Request) SessionNew(opts *session.Options) {
	var w walk
	r.begin(&w)
	w.Put("{")
	w.sessionOptions(opts)
	r.end(&w)
}

func (r *Request) begin(w *walk) {
	w.Begin(fields.Frame, r.Head[:0])
	w.Reuse(r.Blobs)
}

func (r *Request) end(w *walk) {
	w.Close()
	r.Blobs = w.Apart()
	r.Head = w.Dst
}

// Forget lets go of the blobs.
func (r *Request) Forget() { clear(r.Blobs) }

func (w *walk) write(n Notation, dst []byte) { w.Begin(fields.Notation(n), dst) }

func (w *walk) read(n Notation, what string, data []byte) {
	w.ReadAs(fields.Notation(n), what, data)
}
