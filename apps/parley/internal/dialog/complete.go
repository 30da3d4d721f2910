package dialog

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
)

// Suggestions are what a text that is being typed could become.
type Suggestions struct {
	Values []string // the best first, fit to be shown
	More   bool     // there are more
}

// Suggest finds suggestions for a field, by its index, where the fields' texts
// are what they are. When the text is typed on, ctx ends. The error is in words
// fit to be shown.
type Suggest func(ctx context.Context, field int, texts []string) (Suggestions, error)

// maxSuggested is how many suggestions are shown at a time.
const maxSuggested = 6

// completion has Tab ask what a text could become, and then go from one
// suggestion to the next. What comes for a text that was typed on since is
// thrown away.
type completion struct {
	input *huh.Input
	text  *string                                               // of the input
	ask   func() func(ctx context.Context) (Suggestions, error) // of what is typed now

	asked  string             // the text that was asked about, or the suggestion in its place
	cancel context.CancelFunc // what is being asked, nil for nothing
	list   Suggestions
	at     int // the suggestion in the input, -1 for none
	note   string
}

// suggested is what came of asking about a text.
type suggested struct {
	of   *completion
	ctx  context.Context // ended where nobody waits any more
	list Suggestions
	err  error
}

// takes reports whether a key has a meaning here.
func (c *completion) takes(key string) bool {
	return c != nil && (key == "tab" || len(c.list.Values) > 0 && (key == "down" || key == "up"))
}

func (c *completion) press(ctx context.Context, key string) tea.Cmd {
	if n := len(c.list.Values); n > 0 {
		step := 1
		if key == "up" {
			step = n - 1
			c.at = max(c.at, 0)
		}
		c.put((c.at + step) % n)
		return nil
	}
	if c.cancel != nil {
		return nil
	}
	ctx, c.cancel = context.WithCancel(ctx)
	c.asked, c.note = *c.text, "asking for suggestions …"
	ask := c.ask()
	return func() tea.Msg {
		list, err := ask(ctx)
		return suggested{c, ctx, list, err}
	}
}

// take shows what came, unless the text is another by now. The only suggestion
// there is needs no choice.
func (c *completion) take(came suggested) {
	if came.ctx.Err() != nil {
		return
	}
	c.cancel()
	c.cancel, c.note, c.at = nil, "", -1
	switch n := len(came.list.Values); {
	case came.err != nil:
		c.note = "no suggestions: " + came.err.Error()
	case n == 0:
		c.note = "no suggestions"
	case n == 1 && !came.list.More:
		c.list = came.list
		c.put(0)
		c.list = Suggestions{}
	default:
		c.list = came.list
	}
}

// put writes a suggestion into the input, with the cursor behind it.
func (c *completion) put(at int) {
	c.at, c.asked = at, c.list.Values[at]
	empty := ""
	c.input.Value(&empty) // which takes the cursor along
	*c.text = c.asked
	c.input.Value(c.text)
}

// typed forgets what is about another text.
func (c *completion) typed() {
	if c == nil || *c.text == c.asked {
		return
	}
	if c.cancel != nil {
		c.cancel()
	}
	c.cancel, c.list, c.note, c.asked = nil, Suggestions{}, "", *c.text
}

// view is the suggestions around the one in the input, each on a line.
func (c *completion) view(width, most int) string {
	if c == nil {
		return ""
	}
	if c.note != "" {
		return faint.Width(width).Render(c.note) + "\n"
	}
	text := ""
	line := plainStyle.Inline(true).MaxWidth(width)
	first := max(0, min(c.at-most/2, len(c.list.Values)-most))
	shown := c.list.Values[first:min(first+most, len(c.list.Values))]
	for i, value := range shown {
		mark := "  "
		if first+i == c.at {
			mark = accent.Render("> ")
		}
		text += line.Render(mark+value) + "\n"
	}
	if len(shown) < len(c.list.Values) || len(shown) > 0 && c.list.More {
		text += faint.Render("  …") + "\n"
	}
	return text
}
