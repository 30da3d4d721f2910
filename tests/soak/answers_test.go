package soak_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/audit"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

var (
	errBored   = errors.New("the caller gave up")
	errCrashed = errors.New("the caller's process is gone")
	errUnkind  = errors.New("the person will not say")
	errFull    = errors.New("the disk is full")
)

// callbacks are a call's in one segment. Now and then they do what callbacks
// may do.
func (l *ledger) callbacks(c *call, s *segment, give func(error)) hosttest.Callbacks {
	ask := func(ctx context.Context, q parley.Question) ([]byte, error) { return l.answer(ctx, c, s, q, give) }
	saves := 0
	return hosttest.Callbacks{
		Askers: parley.Askers{
			Elicit:    ask,
			ElicitURL: ask,
			Sample:    ask,
			ListRoots: ask,
		},
		Watchers: parley.Watchers{
			OnNote: func(n engine.Note) { l.observe(c, n) },
			OnProgress: func(leg int, params []byte) {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.counts["progress"]++
				if !strings.Contains(string(params), fmt.Sprintf(`"call %d"`, c.n)) {
					l.violated(c, "progress of another: %s", params)
				}
			},
		},
		Save: func(_ context.Context, snapshot []byte) error {
			saves++
			if l.random(3, c.n, s.number, saves).IntN(400) == 0 {
				l.mu.Lock()
				defer l.mu.Unlock()
				c.note(l, "a snapshot could not be saved")
				return errFull
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			s.saved = append([]byte(nil), snapshot...)
			return nil
		},
	}
}

// observe takes an audit record. Answers that the engine has taken are not
// asked for any more.
func (l *ledger) observe(c *call, n engine.Note) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n.Kind == audit.Answered {
		if q := c.asked[n.Ask]; q == nil {
			l.violated(c, "an answer is taken to what was not asked: %d", n.Ask)
		} else {
			q.accepted = true
		}
	}
	c.note(l, "%s leg %d round %d ask %d", n.Kind, n.Leg, n.Round, n.Ask)
}

// answer is what a callback does.
func (l *ledger) answer(ctx context.Context, c *call, s *segment, asked parley.Question, give func(error)) ([]byte, error) {
	q, times := l.ask(ctx, c, s, asked)
	if q == nil {
		return nil, errUnkind
	}
	r := l.random(4, c.n, q.n, times)
	if r.IntN(3) == 0 {
		time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
	}
	does := r.IntN(150)
	switch does {
	case 0, 1, 2:
		l.returns(q, s, "parks", "")
		return nil, parley.ErrPark
	case 3, 4:
		l.returns(q, s, "refuses", "")
		return nil, errUnkind
	case 5:
		l.returns(q, s, "panics", "")
		panic("a bug in the callback")
	case 6:
		l.returns(q, s, "ends its goroutine", "")
		runtime.Goexit()
	case 7, 8:
		l.returns(q, s, "answers what cannot be sent", "")
		return []byte(`{"action":"perhaps"}`), nil
	case 9:
		<-ctx.Done() // a dialog that is left open
		l.returns(q, s, "is closed", "")
		return nil, context.Cause(ctx)
	}
	text := answerTo(q, r.IntN(1000))
	if does == 10 {
		give(errBored)
	}
	l.returns(q, s, "answers "+text, text)
	return []byte(" " + text + "\n"), nil
}

// answerTo is an answer whose spelling must be kept.
func answerTo(q *question, n int) string {
	switch {
	case q.method == "sampling/createMessage":
		return fmt.Sprintf(`{"role":"assistant", "content":{"type":"text","text":"to %d\/%d"},"model":"m"}`, q.n, n)
	case q.method == "roots/list":
		return fmt.Sprintf(`{"roots":[ {"uri":"file:///%d/%d"} ]}`, q.n, n)
	case strings.HasPrefix(q.params, `{"mode":"url"`):
		return fmt.Sprintf(`{"action":"accept", "_meta":{"to":[%d,%d]}}`, q.n, n)
	case n%5 == 0:
		return fmt.Sprintf(`{"action":"decline","_meta":{"to":[%d,%d]}}`, q.n, n)
	}
	return fmt.Sprintf(`{"_meta":{"to":%d}, "action":"accept","content":{"much":%d.0e+1,"said":"to %d \u00e9\/\ud83d\ude00"}}`, q.n, n, q.n)
}

// ask notes that a callback was called, and whether it may have been.
func (l *ledger) ask(ctx context.Context, c *call, s *segment, asked parley.Question) (q *question, times int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil { // it was withdrawn just before: nobody sees it
		l.counts["asked in vain"]++
		return nil, 0
	}
	n := numberOf(asked.Params)
	q = l.questions[n]
	switch {
	case q == nil:
		l.violated(c, "asked what no server asked: %s", asked.Params)
		return nil, 0
	case q.call != c:
		l.violated(c, "asked question %d of call %d, which went so far:\n    %s\n  and itself:", n, q.call.n, strings.Join(q.call.log, "\n    "))
		return nil, 0
	case string(asked.Params) != q.params || string(asked.Kind) != q.method || !l.earlier && asked.Key != q.key:
		l.violated(c, "asked %s %s, and the server asked %s %s", asked.Kind, asked.Params, q.method, q.params)
	}
	switch {
	case s.over:
		l.violated(c, "question %d is asked when its segment is over", n)
	case q.accepted:
		l.violated(c, "question %d is asked again after its answer was taken", n)
	case q.open && q.in == s:
		l.violated(c, "question %d is asked while it is open", n)
	case q.returned && q.in == s:
		l.violated(c, "question %d is asked again although it was answered", n)
	case q.returned && q.in.gaveUp:
		l.counts["answers lost as the caller gave up"]++
	case q.returned && q.in.tooSlow:
		l.counts["answers lost as the time for them was up"]++
	case q.returned && c.atOnce != 0:
		l.counts["answers lost as another was refused"]++
	case q.returned:
		l.violated(c, "question %d is asked again: its answer was lost", n)
	}
	c.note(l, "question %d asked as %d %s", n, asked.ID, asked.Problem)
	q.in, q.open, q.returned = s, true, false
	q.asked++
	c.asked[asked.ID] = q
	l.counts["questions asked"]++
	return q, q.asked
}

// returns notes what a callback comes back with. What it says when its segment
// is over is no news.
func (l *ledger) returns(q *question, s *segment, how, answer string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q.call.note(l, "question %d: the callback %s", q.n, how)
	if q.in != s {
		return
	}
	q.open = false
	if answer != "" {
		q.returned, q.answer = true, answer
	}
}

var numbered = regexp.MustCompile(`question"?:? ?([0-9]+)`)

// numberOf finds the question that params are of.
func numberOf(params []byte) (n int) {
	if found := numbered.FindSubmatch(params); found != nil {
		n, _ = strconv.Atoi(string(found[1]))
	}
	return n
}
