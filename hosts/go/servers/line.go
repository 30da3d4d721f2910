package servers

import (
	"context"
	"slices"
	"sync"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// asker is one of [parley.Askers].
type asker = func(context.Context, parley.Question) ([]byte, error)

// line puts so many questions at once, and lets the others wait. Servers take
// turns, so that one that asks a lot does not keep the others from asking.
type line struct {
	atOnce, perServer int
	onChanged         func(open, waiting []Question)

	mu      sync.Mutex
	open    []*standing
	waiting []*standing    // the first first
	last    map[string]int // when each server had its last turn
	turns   int
}

// standing is a question in line.
type standing struct {
	Question
	turn chan struct{} // closed when it has come
}

func newLine(opts Options) *line {
	l := &line{atOnce: max(opts.AtOnce, 1), perServer: opts.AtOncePerServer, onChanged: opts.OnQuestions, last: map[string]int{}}
	if l.perServer <= 0 {
		l.perServer = l.atOnce
	}
	return l
}

// askers are the askers of a server's session.
func (s *Set) askers(server string) parley.Askers {
	if s.opts.Askers == nil {
		return parley.Askers{}
	}
	a := s.opts.Askers(server)
	for _, ask := range []*asker{&a.Elicit, &a.ElicitURL, &a.Sample, &a.Authorize} {
		*ask = s.line.inLine(server, *ask)
	}
	if s.opts.RootsInLine {
		a.ListRoots = s.line.inLine(server, a.ListRoots)
	}
	return a
}

// inLine is an asker that waits for its turn. A question that is moot leaves the
// line, and ends its turn even where nobody takes it back.
func (l *line) inLine(server string, ask asker) asker {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, q parley.Question) ([]byte, error) {
		one := &standing{Question{server, q}, make(chan struct{})}
		l.change(func() { l.waiting = append(l.waiting, one) })
		leave := func() {
			l.change(func() {
				l.waiting = slices.DeleteFunc(l.waiting, one.is)
				l.open = slices.DeleteFunc(l.open, one.is)
			})
		}
		defer leave()
		select {
		case <-one.turn:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if ctx.Err() != nil { // both at once
			return nil, context.Cause(ctx)
		}
		defer context.AfterFunc(ctx, leave)()
		return ask(ctx, q)
	}
}

// change changes the line, gives turns to those that may have one, and tells.
func (l *line) change(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
	for next := l.first(); next != nil; next = l.first() {
		l.waiting = slices.DeleteFunc(l.waiting, next.is)
		l.open = append(l.open, next)
		l.turns++
		l.last[next.Server] = l.turns
		close(next.turn)
	}
	if l.onChanged != nil {
		l.onChanged(questions(l.open), questions(l.waiting))
	}
}

// first is, of the servers that may ask, the question of the one that did not
// for longest.
func (l *line) first() (first *standing) {
	if len(l.open) >= l.atOnce {
		return nil
	}
	for _, one := range l.waiting {
		has := 0
		for _, other := range l.open {
			if other.Server == one.Server {
				has++
			}
		}
		if has < l.perServer && (first == nil || l.last[one.Server] < l.last[first.Server]) {
			first = one
		}
	}
	return first
}

func (one *standing) is(other *standing) bool { return one == other }

func questions(all []*standing) []Question {
	list := make([]Question, len(all))
	for i, one := range all {
		list[i] = one.Question
	}
	return list
}
