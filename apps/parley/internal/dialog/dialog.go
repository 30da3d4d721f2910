// Package dialog asks the person at the terminal: it fills in a form field by
// field, or lets them choose what is to be done.
package dialog

import (
	"context"
	"errors"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
)

// How a person ends the whole call.
var (
	ErrInterrupted = errors.New("interrupted") // by Ctrl-C
	ErrPark        = errors.New("park")
	ErrStop        = errors.New("stop")
)

// Screen is where dialogs appear and who they listen to.
type Screen struct {
	In, Out *os.File
	Environ []string // says which colours there are
	Park    bool     // the call can be parked
}

const (
	widest = 80 // columns that a dialog takes at most

	// minHeight is the least height of a menu with notes below it.
	minHeight = 5
)

// page is one thing to do: a field to fill in, or a menu.
type page struct {
	form  *huh.Form // of the field
	menu  *menu
	notes []string     // below it: where one is, what the keys do
	wrong func() error // what is wrong with its value as it stands; may be nil
	park  bool         // the key p parks: no text is typed here

	list       *string     // the values that are typed, one a line; nil if none are
	completion *completion // of the text that is typed; may be nil
}

// program shows one page after the other until next returns none. It draws
// below what is on the screen and leaves nothing behind.
type program struct {
	ctx           context.Context // of the dialog
	page          *page
	width, height int

	next func() *page // what follows a page that is done
	back func() *page // what Shift-Tab leads to, nil to stay
	menu func() *page // what Escape leads to, nil to stay

	mayPark bool
	ended   error // how the person ended the call, nil if they did not
}

// over ends a program.
type over struct{}

// run shows the pages. When ctx ends, the dialog goes away and its error is
// that of ctx.
func (s Screen) run(ctx context.Context, p *program) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.ctx = ctx
	// Before the first frame, which would else push the question off the screen.
	p.width, p.height = s.size()
	p.resize()
	in, err := newKeyboard(s.In)
	if err != nil {
		return err
	}
	defer in.stop()
	t := tea.NewProgram(p, tea.WithInput(in), tea.WithOutput(s.Out), tea.WithEnvironment(s.Environ), tea.WithoutSignalHandler())
	defer context.AfterFunc(ctx, func() { t.Send(over{}) })()
	if _, err := t.Run(); err != nil {
		return err
	}
	if p.ended != nil {
		return p.ended
	}
	return ctx.Err()
}

func (p *program) Init() tea.Cmd { return p.page.init() }

func (p *page) init() tea.Cmd {
	if p.menu != nil {
		return nil
	}
	return p.form.Init()
}

func (p *page) done() bool {
	return p.menu != nil && p.menu.chosen || p.form != nil && p.form.State == huh.StateCompleted
}

func (p *program) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if p.page == nil {
		return p, nil // on its way out
	}
	switch msg := msg.(type) {
	case over:
		return p.show(nil)
	case tea.WindowSizeMsg:
		p.width, p.height = min(msg.Width, widest), msg.Height
		return p, p.resize()
	case suggested:
		msg.of.take(msg)
		return p, nil
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case p.page.completion.takes(key):
			return p, p.page.completion.press(p.ctx, key)
		case key == "ctrl+c":
			p.ended = ErrInterrupted
			return p.show(nil)
		case key == "p" && p.page.park && !p.filtering():
			p.ended = ErrPark
			return p.show(nil)
		case key == "esc" && !p.filtering():
			return p.turn(p.menu)
		case key == "shift+tab":
			return p.turn(p.back)
		}
		return p.updated(p.update(p.page.begins(msg)))
	}
	return p.updated(p.update(msg))
}

func (p *program) updated(cmd tea.Cmd) (tea.Model, tea.Cmd) {
	p.page.completion.typed()
	if p.page.done() {
		return p.show(p.next())
	}
	return p, cmd
}

func (p *program) update(msg tea.Msg) tea.Cmd {
	if p.page.menu != nil {
		p.page.menu.update(msg)
		return nil
	}
	form, cmd := p.page.form.Update(msg)
	p.page.form = form.(*huh.Form)
	return cmd
}

// turn shows the page that a key leads to, if it leads to any.
func (p *program) turn(to func() *page) (tea.Model, tea.Cmd) {
	if to != nil {
		if page := to(); page != nil {
			return p.show(page)
		}
	}
	return p, nil
}

// show turns to a page; nil ends the program.
func (p *program) show(to *page) (tea.Model, tea.Cmd) {
	p.page = to
	if to == nil {
		return p, tea.Quit
	}
	return p, tea.Sequence(to.init(), p.resize())
}

// size is the screen's, as far as a dialog uses it.
func (s Screen) size() (width, height int) {
	width, height, err := term.GetSize(s.Out.Fd())
	if err != nil || width <= 0 || height <= 0 {
		return widest, 24
	}
	return min(width, widest), height
}

// resize gives the page two thirds of the screen, less the footer, so that the
// question above stays in sight, and a menu more if it needs that.
func (p *program) resize() tea.Cmd {
	footer := lipgloss.Height(p.footer())
	height := p.height*2/3 - footer
	if m := p.page.menu; m != nil {
		if p.height < footer+minHeight {
			footer = 0
		}
		m.resize(p.width, height, p.height-footer)
		return nil
	}
	return p.update(tea.WindowSizeMsg{Width: p.width, Height: max(height, 3)})
}

func (p *program) View() tea.View {
	if p.page == nil {
		return tea.NewView("")
	}
	body := ""
	if m := p.page.menu; m != nil {
		body = m.view()
	} else {
		body = p.page.form.View() + "\n" + p.page.completion.view(p.width, min(maxSuggested, p.height/4)) + p.problem()
		body = strings.TrimSuffix(body, "\n")
	}
	// The footer below and a blank line above, if there is room.
	if with := body + "\n" + p.footer(); lipgloss.Height(with) <= p.height {
		body = with
	}
	if lipgloss.Height(body) < p.height {
		body = "\n" + body
	}
	return tea.NewView(body)
}

// problem is what is wrong with the page's value as it stands.
func (p *program) problem() string {
	if p.page.wrong == nil {
		return ""
	}
	err := p.page.wrong()
	if err == nil {
		return ""
	}
	return bad.Width(p.width).Render("* "+err.Error()) + "\n"
}

// footer is the page's notes, each on one line as long as there is room for it.
func (p *program) footer() string {
	var lines []string
	line := ""
	for _, note := range p.page.notes {
		switch joined := line + " · " + note; {
		case line == "":
			line = note
		case lipgloss.Width(joined) <= p.width:
			line = joined
		default:
			lines, line = append(lines, line), note
		}
	}
	return faint.Width(p.width).Render(strings.Join(append(lines, line), "\n"))
}

// filtering reports whether the person is looking for an option, where Escape
// has a meaning of its own.
func (p *program) filtering() bool {
	if p.page.form == nil {
		return false
	}
	f, ok := p.page.form.GetFocusedField().(interface{ GetFiltering() bool })
	return ok && f.GetFiltering()
}
