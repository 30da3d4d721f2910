package dialog

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/apps/shared-go/question"
)

// Arguments asks for the fields of a request that the person is about to make
// of server, one by one, and lets them review it. With suggest, which may be nil,
// Tab asks what a text could become. Besides those of ctx, the errors are
// [ErrStop] and [ErrInterrupted].
func (s Screen) Arguments(ctx context.Context, server string, q question.Question, suggest Suggest) (json.RawMessage, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &filling{server: server, question: q, values: make([]question.Value, len(q.Fields)), own: true}
	d.width, _ = s.size()
	d.next, d.back, d.menu = d.after, d.before, d.toggleMenu
	d.suggest = suggest
	d.page = d.open(0)
	if err := s.run(ctx, &d.program); err != nil {
		return nil, err
	}
	content, problems := q.Content(d.values)
	if problems != nil { // its page would not have let it go
		return nil, errors.New(problems[0].Text)
	}
	return content, nil
}

// suggestions have Tab find what the text of a field could become, nil where
// nobody knows.
func (d *filling) suggestions(field int, text *string) *completion {
	if d.suggest == nil {
		return nil
	}
	return &completion{text: text, asked: *text, at: -1, ask: func() func(context.Context) (Suggestions, error) {
		texts := make([]string, len(d.values)) // as they are now
		for i, value := range d.values {
			texts[i] = value.Text
		}
		texts[field] = *text
		return func(ctx context.Context) (Suggestions, error) { return d.suggest(ctx, field, texts) }
	}}
}
