package console

import (
	"fmt"
	"time"

	"github.com/charmbracelet/x/ansi"
)

const (
	frame = 100 * time.Millisecond
	quiet = 3 // frames before a wait shows, so that a quick answer does not flicker
)

var frames = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// Wait is something being waited for.
type Wait struct {
	console *Console
	text    string
	started time.Time
	over    chan struct{}
	unmute  func()
}

// Wait shows a line that moves until Done is called: what is waited for, and
// for how long. A second wait takes the place of the first. Where nobody looks
// there is no line.
func (c *Console) Wait(text string) *Wait {
	w := &Wait{console: c, text: text, started: time.Now(), over: make(chan struct{}), unmute: func() {}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wait.end()
	c.wait = w
	if c.Terminal() {
		w.unmute = muteKeys(c.file.Fd())
		go w.run()
	}
	return w
}

// Set changes what is shown; the time goes on.
func (w *Wait) Set(text string) {
	w.console.mu.Lock()
	defer w.console.mu.Unlock()
	w.text = text
}

// Done ends the wait, if it is not over yet, and takes its line away.
func (w *Wait) Done() {
	w.console.mu.Lock()
	defer w.console.mu.Unlock()
	if w.console.wait == w {
		w.end()
	}
}

// Idle ends whatever is waited for.
func (c *Console) Idle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wait.end()
}

// end ends the wait, which is the Console's or nil. The caller holds the lock.
func (w *Wait) end() {
	if w == nil {
		return
	}
	w.console.clear()
	w.console.wait = nil
	close(w.over)
	w.unmute()
}

func (w *Wait) run() {
	ticker := time.NewTicker(frame)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-w.over:
			return
		case <-ticker.C:
			if n >= quiet {
				w.draw(n)
			}
		}
	}
}

func (w *Wait) draw(n int) {
	width := w.console.Width()
	c := w.console
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wait != w {
		return
	}
	elapsed := fmt.Sprintf(" … %ds", int(time.Since(w.started).Seconds()))
	text := ansi.Truncate(w.text, width-ansi.StringWidth(elapsed)-3, "")
	line := accent.Render(string(frames[n%len(frames)])) + " " + faint.Render(text+elapsed)
	c.out.WriteString("\r" + line + ansi.EraseLineRight)
	c.drawn = true
}

// clear takes the line of the wait away. The caller holds the lock.
func (c *Console) clear() {
	if c.drawn {
		c.out.WriteString("\r" + ansi.EraseLineRight)
		c.drawn = false
	}
}
