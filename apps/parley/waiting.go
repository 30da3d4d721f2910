package main

import (
	"sync"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
)

// waiting shows that the server is being waited for, while it is and nobody is
// asked anything. Servers of earlier protocol versions ask in the middle.
type waiting struct {
	console *console.Console

	usual string // what is shown if there is nothing more to say

	mu     sync.Mutex
	text   string
	flying bool
	asking int
	line   *console.Wait // nil if it is not shown
}

// while says whether the server is being waited for.
func (w *waiting) while(flying bool) {
	w.set(func() {
		if flying && !w.flying {
			w.text = w.usual
		}
		w.flying = flying
	})
}

// say changes what is shown.
func (w *waiting) say(text string) { w.set(func() { w.text = text }) }

// ask says that a question is put to somebody, and asked that it is not any
// more.
func (w *waiting) ask()   { w.set(func() { w.asking++ }) }
func (w *waiting) asked() { w.set(func() { w.asking-- }) }

func (w *waiting) isAsking() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asking > 0
}

func (w *waiting) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	switch show := w.flying && w.asking == 0; {
	case show && w.line == nil:
		w.line = w.console.Wait(w.text)
	case show:
		w.line.Set(w.text)
	case w.line != nil:
		w.line.Done()
		w.line = nil
	}
}
