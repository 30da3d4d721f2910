package dialog

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/engine/form"
)

// Decision is what the person makes of a question.
type Decision int

// The decisions.
const (
	Send    Decision = iota // answer it
	Decline                 // say no
	Dismiss                 // close it without choosing
)

// What the person reads where they can decline or dismiss.
const (
	ToDecline = "Decline: tell the server no"
	ToDismiss = "Dismiss: close it without choosing"
)

// filling is a form being filled in.
type filling struct {
	program
	server   string
	question question.Question
	values   []question.Value
	at       int  // the field shown; len(values) is the review
	typing   bool // the page is that of the field's type
	reviewed bool
	store    func() // takes the field's value from its page
	resume   *page  // where the menu came from
	menuOpen bool
	decision Decision

	own     bool    // the person's own request: nobody has asked
	suggest Suggest // may be nil
}

// maxValue bounds a value in the review, in characters: it scrolls.
const maxValue = 20_000

// Fill asks for the fields one by one and lets the person review them before
// anything is sent, go back, decline, dismiss, park or stop at any time. server
// is the host's name for who asks, earlier what they answered before, nil if
// nothing: where that fits, they begin with the review. The content is nil unless the decision is
// Send. Besides those of ctx, the errors are [ErrPark], [ErrStop] and
// [ErrInterrupted].
func (s Screen) Fill(ctx context.Context, server string, q question.Question, earlier json.RawMessage) (Decision, json.RawMessage, error) {
	q = q.Asked()
	d := &filling{server: server, question: q, values: make([]question.Value, len(q.Fields))}
	d.mayPark = s.Park
	for i := range q.Fields {
		d.values[i] = question.Earlier(&q.Fields[i], earlier)
		d.values[i].Text = plain.Strip(d.values[i].Text)
	}
	d.width, _ = s.size()
	d.next, d.back, d.menu = d.after, d.before, d.toggleMenu
	first := 0
	if _, problems := q.Content(d.values); earlier != nil && problems == nil {
		first = len(d.values)
	}
	d.page = d.open(first)
	if err := s.run(ctx, &d.program); err != nil {
		return 0, nil, err
	}
	if d.decision != Send {
		return d.decision, nil, nil
	}
	content, problems := q.Content(d.values)
	if problems != nil { // its page would not have let it go
		return 0, nil, errors.New(problems[0].Text)
	}
	return Send, content, nil
}

// open makes the page of a field or the review.
func (d *filling) open(at int) *page {
	d.at, d.menuOpen, d.store = at, false, nil
	if at == len(d.values) {
		d.reviewed = true
		return d.review()
	}
	return d.openField(d.question.Fields[at].Kind == form.Union)
}

// openField makes the page of the field, or the one of its type, which comes
// before: which type a text is meant to be is never guessed from it.
func (d *filling) openField(typing bool) (page *page) {
	if d.typing = typing; typing {
		page, d.store = d.typePage(d.at)
	} else {
		page, d.store = d.fieldPage(d.at)
	}
	return page
}

func (d *filling) after() *page {
	if d.store != nil && !d.menuOpen {
		d.store()
		if d.typing && d.values[d.at].Type > 0 && !d.isValue(d.at) {
			return d.openField(false)
		}
		if d.reviewed {
			return d.open(len(d.values))
		}
		return d.open(d.at + 1)
	}
	return d.act()
}

func (d *filling) before() *page {
	switch {
	case d.menuOpen:
		return nil
	case d.at < len(d.values) && d.question.Fields[d.at].Kind == form.Union && !d.typing:
		d.store()
		return d.openField(true)
	case d.at == 0:
		return nil
	case d.store != nil:
		d.store()
	}
	d.reviewed = false
	return d.open(d.at - 1)
}

// review lists the values, each to be changed by choosing it, and what can be
// done with them.
func (d *filling) review() *page {
	var values []string
	for i := range d.question.Fields {
		values = append(values, "• "+question.Label(&d.question.Fields[i])+": "+d.shown(i))
	}
	title, send, enter := "Send this to "+d.server+"?", "Send", "enter choose, or change a value"
	if len(values) == 0 {
		title, send, enter = "Say yes to "+d.server+"?", "Yes", "enter choose"
	}
	return d.menuPage(&menu{title: title, entries: values, actions: append([]action{{send, send}}, d.refusals()...), at: len(values)}, enter)
}

// shown is a field's value in words.
func (d *filling) shown(i int) string {
	one := question.Question{}
	one.Fields = d.question.Fields[i : i+1]
	content, problems := one.Content(d.values[i : i+1])
	if problems != nil || len(content) == len("{}") {
		return question.Nothing(&one.Fields[0])
	}
	return plain.Text(one.Entries(content)[0].Value, maxValue)
}

// refusals are what can be done instead of answering.
func (d *filling) refusals() []action {
	if d.own {
		return ways(d.mayPark)
	}
	return append([]action{{ToDecline, "Decline"}, {ToDismiss, "Dismiss"}}, ways(d.mayPark)...)
}

// toggleMenu opens the menu over a field, or closes it again.
func (d *filling) toggleMenu() *page {
	switch {
	case d.menuOpen:
		d.menuOpen = false
		return d.resume
	case d.store == nil:
		return nil // the review offers all of it already
	}
	d.resume, d.menuOpen = d.page, true
	title, on := "This question of "+d.server, "Continue answering"
	if d.own {
		title, on = "What to send to "+d.server, "Continue"
	}
	return d.menuPage(&menu{title: title, actions: append([]action{{on, "Continue"}}, d.refusals()...)}, "enter choose")
}

// act does what was chosen in the review or the menu.
func (d *filling) act() *page {
	chosen := d.page.menu.at
	if !d.menuOpen {
		if chosen < len(d.values) {
			return d.open(chosen)
		}
		chosen -= len(d.values)
	} else if chosen == 0 {
		return d.toggleMenu()
	}
	decisions := int(Dismiss) + 1
	if d.own {
		decisions = 1
	}
	if d.ended = d.way(chosen - decisions); d.ended == nil {
		d.decision = Decision(chosen)
	}
	return nil
}
