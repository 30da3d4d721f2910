// Package console writes to the person's side of the program, standard error:
// what the host says, what the server says (marked as such and made plain),
// and a line that shows that something is being waited for.
package console

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/internal/plain"
)

const (
	// maxQuoted and maxEntry bound what a server can put on the screen at
	// once, in characters.
	maxQuoted = 4000
	maxEntry  = 900

	widest    = 100 // columns that running text takes at most
	narrowest = 20
)

// The colours are the terminal's own sixteen, which suit its background.
var (
	bold    = lipgloss.NewStyle().Bold(true)
	faint   = lipgloss.NewStyle().Faint(true)
	marked  = lipgloss.NewStyle().Bold(true).Reverse(true)
	accent  = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
	good    = lipgloss.NewStyle().Foreground(lipgloss.Green)
	warning = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	bad     = lipgloss.NewStyle().Foreground(lipgloss.Red)
)

// Console is safe for concurrent use.
type Console struct {
	file    *os.File
	environ []string

	mu    sync.Mutex
	out   *colorprofile.Writer
	wait  *Wait // what is being waited for, nil if nothing
	drawn bool  // the line that shows it is on the screen
	held  int   // Holds without their Release
	kept  []string
	lost  int // asides beyond those kept
}

// New writes to file, with the colours that environ and file allow.
func New(file *os.File, environ []string) *Console {
	environ = noColor(environ)
	return &Console{file: file, environ: environ, out: colorprofile.NewWriter(file, environ)}
}

// noColor makes of any NO_COLOR the one value that every library understands:
// https://no-color.org says that it counts whatever its value is.
func noColor(environ []string) []string {
	environ = slices.Clone(environ)
	for i, v := range environ {
		if strings.HasPrefix(v, "NO_COLOR=") && v != "NO_COLOR=" {
			environ[i] = "NO_COLOR=1"
		}
	}
	return environ
}

// Terminal reports whether somebody may be looking, on a screen whose cursor
// can be moved.
func (c *Console) Terminal() bool {
	return c.out.Profile > colorprofile.NoTTY && term.IsTerminal(c.file.Fd())
}

// File is where the Console writes, for a form to be drawn on.
func (c *Console) File() *os.File { return c.file }

// Environ is the environment that says which colours there are.
func (c *Console) Environ() []string { return c.environ }

// Width is how many columns there are for text, 0 if lines have no end.
func (c *Console) Width() int {
	if !c.Terminal() {
		return 0
	}
	width, _, err := term.GetSize(c.file.Fd())
	if err != nil || width == 0 {
		return 80
	}
	return min(max(width, narrowest), widest)
}

// Say writes a line of the host's own.
func (c *Console) Say(format string, args ...any) { c.write("", lipgloss.NewStyle(), format, args...) }

// Head writes a line that something begins with.
func (c *Console) Head(format string, args ...any) { c.write("", bold, format, args...) }

// Trace writes a line for those who want to know more.
func (c *Console) Trace(format string, args ...any) { c.write("", faint, format, args...) }

// Done writes what became of a question.
func (c *Console) Done(format string, args ...any) {
	c.write(good.Render("→")+" ", lipgloss.NewStyle(), format, args...)
}

// Warn writes a warning.
func (c *Console) Warn(format string, args ...any) {
	c.write("", warning, "warning: "+format, args...)
}

// Fail writes why the program ends.
func (c *Console) Fail(format string, args ...any) { c.write("", bad, "parley: "+format, args...) }

// Quote writes text of the server's, or of a model's, with a bar beside it.
func (c *Console) Quote(text string) {
	for line := range strings.Lines(plain.Text(strings.TrimRight(text, "\r\n"), maxQuoted)) {
		c.write(accent.Render("│")+" ", lipgloss.NewStyle(), "%s", strings.TrimSuffix(line, "\n"))
	}
}

// Entry writes a part of an answer: both texts may be the server's.
func (c *Console) Entry(label, value string) {
	if label != "" {
		label = faint.Render(plain.Line(label, maxEntry)+":") + " "
	}
	c.write("  ", lipgloss.NewStyle(), "%s", label+plain.Line(value, maxEntry))
}

// Address writes a URL that the server wants opened, all of it, and its host so
// that it cannot be overlooked. host is what the URL names, in lower case.
func (c *Console) Address(url, host string) {
	shown := plain.Line(url, len(url))
	_, rest, ok := strings.Cut(shown, "://")
	if before := len(shown) - len(rest); ok && len(rest) >= len(host) && strings.EqualFold(rest[:len(host)], host) {
		shown = shown[:before] + marked.Render(rest[:len(host)]) + rest[len(host):]
	}
	c.write("  ", lipgloss.NewStyle(), "%s", shown)
	c.write("  ", lipgloss.NewStyle(), "host: %s", marked.Render(plain.Line(host, len(host))))
}

// Host writes a host so that it cannot be overlooked, after a few words of ours.
func (c *Console) Host(before, host string) {
	c.write("  ", lipgloss.NewStyle(), "%s %s", before, marked.Render(plain.Line(host, maxEntry)))
}

// Verbatim writes text on a line of its own that is not wrapped, to be copied.
func (c *Console) Verbatim(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(plain.Line(text, len(text)) + "\n")
}

// write writes a paragraph after a mark, wrapped so that each line has it or,
// if it is no bar, leaves its room.
func (c *Console) write(mark string, style lipgloss.Style, format string, args ...any) {
	text := c.render(mark, style, format, args...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(text)
}

// put writes lines. The caller holds the lock.
func (c *Console) put(lines string) {
	c.clear()
	c.out.WriteString(lines)
}

func (c *Console) render(mark string, style lipgloss.Style, format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	indent := ansi.StringWidth(mark)
	if width := c.Width(); width > 0 {
		text = wrap(text, width-indent)
	}
	later := mark
	if !strings.Contains(mark, "│") {
		later = strings.Repeat(" ", indent)
	}
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			mark = later
		}
		b.WriteString(strings.TrimRight(mark+style.Render(line), " ") + "\n")
	}
	return b.String()
}

// command matches a command in advice: it starts after two blanks and ends at two
// blanks or at the end of the line. Its words may be quoted.
var command = regexp.MustCompile(`(?m)  ((?:[A-Z_]+=\S+ )?parley(?: (?:\\'|[^\s']|'[^'\n]*')+)+)(?:  |$)`)

// wrap breaks long lines, but never inside a command. A command that doesn't fit gets
// a line of its own. The terminal wraps that line, and a copy of it is still one line.
func wrap(text string, width int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for at := command.FindStringSubmatchIndex(line); at != nil && ansi.StringWidth(line) > width; at = command.FindStringSubmatchIndex(line) {
			lines = append(lines, ansi.Wrap(line[:at[0]], width, ""), "  "+line[at[2]:at[3]])
			line = line[at[1]:]
		}
		if line != "" || len(lines) == 0 || !strings.HasPrefix(lines[len(lines)-1], "  parley") {
			lines = append(lines, ansi.Wrap(line, width, ""))
		}
	}
	return strings.Join(lines, "\n")
}
