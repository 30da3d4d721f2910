package console

import (
	"fmt"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/parley-mcp/parley/apps/internal/plain"
)

const (
	maxAsides = 200 // that are kept while something is on hold
	maxLog    = 1000
	widestWho = 20 // columns
)

// Hold keeps asides back until Release: a question is on the screen, which lines
// in between would tear. Holds may be nested.
func (c *Console) Hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held++
}

// Release ends a Hold and writes what was kept back.
func (c *Console) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held--; c.held > 0 {
		return
	}
	for _, lines := range c.kept {
		c.put(lines)
	}
	if c.lost > 0 {
		c.put(faint.Render(fmt.Sprintf("(%d more lines were not kept)", c.lost)) + "\n")
	}
	c.kept, c.lost = nil, 0
}

// Aside writes a line for those who want to know more, which has no part in the
// conversation and comes when it likes.
func (c *Console) Aside(format string, args ...any) { c.aside("", faint, format, args...) }

// WarnAside writes a warning that comes when it likes.
func (c *Console) WarnAside(format string, args ...any) {
	c.aside("", warning, "warning: "+format, args...)
}

// Log writes a line of a server's log, beside a bar and who it is of.
func (c *Console) Log(who, line string) {
	c.aside(faint.Render(ansi.Truncate(who, widestWho, "…")+" │")+" ", faint, "%s", plain.Line(line, maxLog))
}

func (c *Console) aside(mark string, style lipgloss.Style, format string, args ...any) {
	lines := c.render(mark, style, format, args...)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.held == 0:
		c.put(lines)
	case len(c.kept) < maxAsides:
		c.kept = append(c.kept, lines)
	default:
		c.lost++
	}
}
