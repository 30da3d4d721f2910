package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

func (c *command) traceFlag() flags.Flag {
	return flags.Flag{Name: "trace", To: &c.trace,
		Text: "show each leg, a request and its answer, on standard error: sizes, time, kind of answer, how long parley waits; and with each question its key"}
}

// watch shows how a call stands, as it tells: on the line that waits
// and, with --trace, line by line.
type watch struct {
	console *console.Console
	label   string
	trace   bool

	mu     sync.Mutex
	text   string        // of the line
	asking int           // questions that somebody is asked
	line   *console.Wait // nil if it is not shown
	over   bool
	sent   time.Time // the leg at hand
	task   bool      // the call has become one
	silent bool      // nothing that could be used came back last
}

// begin shows that the server is waited for, until end does not any more.
func (w *watch) begin() { w.set(func() { w.text = w.usual() }) }
func (w *watch) end()   { w.set(func() { w.over = true }) }

func (w *watch) usual() string { return "waiting for " + w.label }

// ask says that a question is put to somebody, and asked that it is not any
// more.
func (w *watch) ask() { w.set(func() { w.asking++ }) }
func (w *watch) asked() {
	w.set(func() {
		if w.asking--; !w.task {
			w.text = w.usual()
		}
	})
}

func (w *watch) say(text string) { w.set(func() { w.text = text }) }

func (w *watch) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	switch show := !w.over && w.asking == 0; {
	case show && w.line == nil:
		w.line = w.console.Wait(w.text)
	case show:
		w.line.Set(w.text)
	case w.line != nil:
		w.line.Done()
		w.line = nil
	}
}

// isAsking, isTask and taskGoesOn are what is known by now.
func (w *watch) isAsking() bool   { return w.is(func() bool { return w.asking > 0 }) }
func (w *watch) isTask() bool     { return w.is(func() bool { return w.task }) }
func (w *watch) taskGoesOn() bool { return w.is(func() bool { return w.task && !w.silent }) }

func (w *watch) is(known func() bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return known()
}

// watchers have the call's tell.
func (w *watch) watchers() parley.Watchers {
	return parley.Watchers{OnLeg: w.leg, OnPause: w.pause, OnTask: w.tasks, OnProgress: w.progress, OnNote: w.note}
}

func (w *watch) leg(l engine.Leg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	more := ""
	if l.State > 0 {
		more += fmt.Sprintf("  requestState: %d bytes", l.State)
	}
	if l.Asks > 0 {
		more += fmt.Sprintf("  questions: %d", l.Asks)
	}
	if l.Answer == "" {
		w.sent = time.Now()
		w.tell("→ leg %d  %s  %d bytes%s", l.Leg, l.Method, l.Size, more)
		return
	}
	w.silent = l.Answer == "lost" || l.Answer == "error"
	w.tell("← leg %d  %s  %v  %d bytes%s", l.Leg, plain.Line(l.Answer, maxKey), time.Since(w.sent).Round(time.Millisecond), l.Size, more)
}

// pause tells of a server that asks to come back. Where no line shows that, it
// is written down, less and less often.
func (w *watch) pause(p engine.Pause) {
	until := time.UnixMilli(p.Until)
	w.tell("  waits until %s", until.Format("15:04:05.000"))
	if p.Waits == 0 {
		return
	}
	w.say(fmt.Sprintf("%s is busy, trying again (%d)", w.label, p.Waits))
	if seldom := p.Waits >= 4 && p.Waits&(p.Waits-1) == 0; seldom && !w.console.Terminal() {
		w.console.Say("%s is busy: waiting until %s to try again (%d). Ctrl-C or a signal stops that", w.label, until.Format("15:04:05"), p.Waits)
	}
}

// tasks shows the status of the task that the call has become.
func (w *watch) tasks(t engine.Task) {
	w.tell("%s", strings.TrimRight("  task  "+plain.Line(t.Status, maxKey)+"  "+plain.Line(t.Message, maxMessage), " "))
	w.set(func() { w.task, w.text = true, w.label+": "+display.Task(t) })
}

// progress shows how far a leg is.
func (w *watch) progress(leg int, params []byte) {
	text := display.Progress(params)
	w.say(w.label + ": " + text)
	w.tell("← leg %d  progress  %s", leg, text)
}

// note shows an audit record. A call that another host began may have some
// although nobody asks for them here.
func (w *watch) note(n engine.Note) { w.tell("note: %s in leg %d", n.Kind, n.Leg) }

func (w *watch) tell(format string, args ...any) {
	if w.trace {
		w.console.Aside(format, args...)
	}
}
