package gosdk

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/parley-mcp/parley/codec"
)

// Once runs f in one round of a call and gives its result in all later ones:
// for an effect between two questions, or for a value that a question depends
// on and that would differ the next time. The key names the step, as a
// question's text does; T must survive JSON, and what is returned has been
// through it.
//
// The result is in the state that the next question goes out with. If f fails,
// or the client never comes back, or sends the state before it twice, f runs
// again: a result that must exist once needs a key of the handler's own, such as
// the recorded one of an earlier Once, or [codec.GuardOptions.SingleUse].
func Once[T any](ctx context.Context, a *Ask, key string, f func(context.Context) (T, error)) (T, error) {
	var result T
	if a.direct != nil {
		return f(ctx)
	}
	if err := a.ready(); err != nil {
		return result, err
	}
	digest, err := codec.Question{Key: key, Method: "once"}.Digest() // no question has this method
	if err != nil {
		return result, err
	}
	known := a.known()
	if e, ok := known.find(digest); ok && json.Unmarshal(e.Is, &result) == nil {
		a.take(known, true)
		return result, nil
	}
	done, err := f(ctx)
	if err != nil {
		return done, err
	}
	e, err := newEntry(digest, done)
	if err != nil {
		return done, fmt.Errorf("gosdk: the result of Once(%q): %w", key, err)
	}
	var kept T
	if err := json.Unmarshal(e.Is, &kept); err != nil {
		return done, fmt.Errorf("gosdk: the result of Once(%q): %w", key, err)
	}
	a.take(step{e}, true)
	return kept, nil
}
