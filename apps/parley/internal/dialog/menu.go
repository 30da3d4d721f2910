package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// menu is what can be done, below what there is to read and choose from. The
// actions are on the screen whatever its height and however much there is to
// read: that scrolls.
type menu struct {
	title   string
	entries []string // to read, each may be chosen; of any length, with line breaks
	actions []action // always to be seen
	at      int      // what Enter chooses: an entry, or after them an action
	chosen  bool

	width  int
	rows   int    // of entries on the screen
	brief  bool   // the actions are side by side, in short
	lines  []line // of all entries
	top    int    // the first line on the screen
	height int    // of all
}

// action is something to do, with words for where there is little room.
type action struct{ text, brief string }

// line is a line of an entry.
type line struct {
	entry int
	text  string
	first bool
}

const (
	// minRead is how many lines of the entries are on the screen before the
	// actions have a line each.
	minRead = 3

	bar    = "┃ "
	cursor = "> "
	hang   = "  " // before the further lines of an entry
)

// resize lays the menu out. It takes at most height lines if that is enough, and
// up to maxHeight lines if not.
func (m *menu) resize(width, height, maxHeight int) {
	if m.width != width {
		m.width, m.lines = width, nil
		for i, entry := range m.entries {
			for j, text := range strings.Split(wrap(entry, m.inner()-lipgloss.Width(cursor+hang)), "\n") {
				if j > 0 {
					text = hang + text
				}
				m.lines = append(m.lines, line{i, text, j == 0})
			}
		}
	}
	need := min(len(m.lines), minRead)
	if len(m.lines) > minRead {
		need++ // says how much there is above and below
	}
	m.brief, m.height = false, height
	if need > m.room() {
		m.height = maxHeight
	}
	m.brief = need > m.room()
	if m.rows = max(m.room(), 0); m.rows < len(m.lines) {
		m.rows = max(m.rows-1, 0)
	}
	m.rows = min(m.rows, len(m.lines))
	if from, to := m.span(); to <= m.top || from >= m.top+m.rows { // it is out of sight by now
		m.reveal()
	}
	m.top = max(min(m.top, len(m.lines)-m.rows), 0)
}

// inner is the width behind the bar.
func (m *menu) inner() int { return max(m.width-lipgloss.Width(bar), 1) }

// room is how many lines the title and the actions leave.
func (m *menu) room() int { return m.height - len(m.head()) - len(m.foot()) }

// head is the title, which is left out where its line is needed to read.
func (m *menu) head() []string {
	if !m.brief {
		return strings.Split(wrap(m.title, m.inner()), "\n")
	}
	if m.height <= len(m.foot())+min(len(m.lines), 2) {
		return nil
	}
	return []string{ansi.Truncate(m.title, m.inner(), "…")}
}

// foot is the actions.
func (m *menu) foot() []string {
	var lines []string
	width := 0
	for i, action := range m.actions {
		if chosen := m.at == len(m.entries)+i; !m.brief {
			for j, text := range strings.Split(wrap(action.text, m.inner()-lipgloss.Width(cursor)), "\n") {
				lines = append(lines, mark(text, chosen, j == 0))
			}
		} else {
			text := " " + action.brief
			if chosen {
				text = accent.Render(">") + bold.Render(action.brief)
			}
			if width += 1 + lipgloss.Width(text); i > 0 && width <= m.inner() {
				lines[len(lines)-1] += " " + text
			} else {
				lines, width = append(lines, text), lipgloss.Width(text)
			}
		}
	}
	return lines
}

// mark shows whether a line is what Enter chooses.
func mark(text string, chosen, first bool) string {
	switch {
	case chosen && first:
		return accent.Render(cursor) + bold.Render(text)
	case chosen:
		return "  " + bold.Render(text)
	}
	return "  " + text
}

func (m *menu) view() string {
	lines := m.head()
	for i := range lines {
		lines[i] = bold.Render(lines[i])
	}
	for i, l := range m.lines[m.top : m.top+m.rows] {
		lines = append(lines, mark(l.text, l.entry == m.at, l.first || i == 0))
	}
	if m.rows < len(m.lines) && len(lines)+len(m.foot()) < m.height {
		lines = append(lines, faint.Render(ansi.Truncate("  "+m.position(), m.inner(), "…")))
	}
	lines = append(lines, m.foot()...)
	return accent.Render(strings.TrimRight(bar, " ")) + " " + strings.Join(lines, "\n"+accent.Render(strings.TrimRight(bar, " "))+" ")
}

// position says how much is above and below, as there is room.
func (m *menu) position() string {
	var words, signs []string
	if m.top > 0 {
		words, signs = append(words, counted(m.top)+" above"), append(signs, fmt.Sprintf("%d ↑", m.top))
	}
	if below := len(m.lines) - m.top - m.rows; below > 0 {
		words, signs = append(words, counted(below)+" below"), append(signs, fmt.Sprintf("%d ↓", below))
	}
	for _, parts := range [][]string{append(words, "pgup/pgdn"), words} {
		if text := strings.Join(parts, " · "); lipgloss.Width(cursor+text) <= m.inner() {
			return text
		}
	}
	return strings.Join(signs, " · ")
}

func counted(lines int) string {
	if lines == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", lines)
}

func (m *menu) update(msg tea.Msg) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return
	}
	switch key.String() {
	case "up", "left", "k", "ctrl+p":
		m.up()
	case "down", "right", "j", "ctrl+n":
		m.down()
	case "pgup", "ctrl+b":
		m.scroll(-max(m.rows-1, 1))
	case "pgdown", "ctrl+f":
		m.scroll(max(m.rows-1, 1))
	case "home", "g":
		m.scroll(-len(m.lines))
	case "end", "G":
		m.scroll(len(m.lines))
	case "enter", "tab":
		m.chosen = true
	}
}

// span is which lines are those of the entry that is chosen.
func (m *menu) span() (from, to int) {
	for from < len(m.lines) && m.lines[from].entry < m.at {
		from++
	}
	for to = from; to < len(m.lines) && m.lines[to].entry == m.at; {
		to++
	}
	return from, to
}

// up goes to what is before, or shows more of an entry that is longer than the
// screen.
func (m *menu) up() {
	if from, to := m.span(); from < m.top && m.top < to {
		m.top--
		return
	}
	m.at = (m.at + len(m.entries) + len(m.actions) - 1) % (len(m.entries) + len(m.actions))
	if from, to := m.span(); m.at < len(m.entries) {
		m.show(max(from, to-m.rows), to)
	}
}

func (m *menu) down() {
	if from, to := m.span(); m.at < len(m.entries) && from < m.top+m.rows && m.top+m.rows < to {
		m.top++
		return
	}
	m.at = (m.at + 1) % (len(m.entries) + len(m.actions))
	m.reveal()
}

// reveal shows the entry that is chosen, from its beginning.
func (m *menu) reveal() {
	if from, to := m.span(); m.at < len(m.entries) {
		m.show(from, min(to, from+m.rows))
	}
}

// show scrolls as far as it takes to show lines.
func (m *menu) show(from, to int) { m.top = max(min(m.top, from), to-m.rows, 0) }

// scroll shows other lines. If an entry was chosen, it becomes one of those, and
// at either end the first or the last.
func (m *menu) scroll(lines int) {
	last := len(m.lines) - m.rows
	m.top = max(min(m.top+lines, last), 0)
	if m.at >= len(m.entries) || m.rows == 0 {
		return
	}
	first, final := m.lines[m.top].entry, m.lines[m.top+m.rows-1].entry
	switch {
	case m.top == 0 && lines < 0:
		m.at = first
	case m.top == last && lines > 0:
		m.at = final
	default:
		m.at = min(max(m.at, first), final)
	}
}
