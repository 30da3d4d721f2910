package wire

import (
	"github.com/parley-mcp/parley/internal/fields"
	"github.com/parley-mcp/parley/sentence"
)

// marked says whether what the engine says keeps the marks of its parameters. It
// is the one thing here that is remembered: an instance of a module serves one
// host, which says so before anything else, so that an error of making a flow
// has them too.
var marked bool

// Mark has sentences keep their marks from now on, or not. It is for modules.
func Mark(on bool) { marked = on }

// said visits what the engine says.
func said(w *fields.Walk, name string, p fields.Presence, t *sentence.Text) {
	words := string(*t)
	if !marked && !w.Reads() {
		words = t.String()
	}
	w.Text(name, p, &words)
	if w.Reads() {
		*t = sentence.Text(words)
	}
}

// reason visits what a host says to the engine: always with its marks.
func (w *walk) reason(p fields.Presence, t *sentence.Text) {
	words := t.Marked()
	w.Text("reason", p, &words)
	if w.Reads() {
		*t = sentence.From(words)
	}
}
