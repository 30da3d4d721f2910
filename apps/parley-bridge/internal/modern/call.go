package modern

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/progress"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// call is a request to the server that goes on while the client is asked. The
// client's requests come and go; each joins the call and leaves with its next
// questions or its end.
type call struct {
	name   string
	method string
	user   string // whose it is
	conn   *connection
	ctx    context.Context
	cancel context.CancelFunc
	memory *memory.Bound
	held   *memory.Lease // of the request that began it

	mu      sync.Mutex
	request *request // the client's that waits, nil while the call is held
	row     *progress.Row
	open    []*question
	asked   int
	end     *end          // nil while it runs
	changed chan struct{} // closed when open or end changes
	kept    *memory.Lease // of end
	left    bool          // no client waits for end any more
}

// question is one of the server's that is not answered.
type question struct {
	key    string
	entry  []byte    // of inputRequests
	due    time.Time // not put before
	answer chan []byte
}

// end is what the call came to.
type end struct{ result, fault []byte }

const (
	// gather is how long others are waited for once a question is there, so that
	// those a server asks together are asked together.
	gather = 20 * time.Millisecond

	// settle is how long a url that was consented to has, before the client is
	// asked whether to go on: many servers tell when it is done, which takes the
	// question back.
	settle = 2 * time.Second

	// signingIn is how long a person has to sign in before the client is asked
	// again to open the page: many clients give a request a minute.
	signingIn = 40 * time.Second
)

// newCall makes a call. It is not the request's: cancel ends it.
func (s *Service) newCall(ctx context.Context, conn *connection, r *request) *call {
	c := &call{
		name: s.nextName(), method: r.Method, user: r.user, conn: conn, changed: make(chan struct{}), memory: s.opts.Memory, held: r.Held.Keep(),
	}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.pool.remember(c)
	return c
}

// run makes the request to the server and sees it through.
func (s *Service) run(c *call, params []byte) {
	defer s.pool.forget(c)
	defer c.cancel()
	out, err := c.conn.Call(c.ctx, c.name, parley.Request{
		Method: c.method, Params: params, Options: engine.Options{AskConcurrency: -1},
		Askers: c.conn.Askers(c.ask, signin.Person{Ask: c.ask, Again: signingIn}), Watchers: parley.Watchers{OnProgress: c.progress},
	})
	e := &end{}
	if err != nil {
		e.fault = s.failure(c.conn, c.method, err)
	} else {
		e.result = complete(c.method, out.Result)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end = e
	if !c.left {
		c.kept = c.memory.Lease(c.user, len(e.result)+len(e.fault))
	}
	c.signal()
}

// leave says that no client waits for the call's end any more.
func (c *call) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = true
	c.kept.Drop()
	c.kept = nil
}

func (c *call) signal() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// ask opens a question and waits for its answer, in whichever request it comes.
func (c *call) ask(ctx context.Context, q parley.Question) ([]byte, error) {
	params, err := upstream.Params(q)
	if err != nil {
		return nil, err
	}
	if q.Mode == engine.ModeURL {
		params = message.Without(params, "elicitationId") // gone in 2026-07-28
	}
	entry := append([]byte(`{"method":`), message.Quote(string(q.Kind))...)
	if params != nil {
		entry = append(append(entry, `,"params":`...), params...)
	}
	if err := c.memory.Full(c.user); err != nil {
		return nil, upstream.Refusal(memory.Text(err))
	}
	held := c.memory.Lease(c.user, len(entry))
	defer held.Drop()
	wait := gather
	if q.Repeat {
		wait = settle
	}
	asked := &question{entry: append(entry, '}'), due: time.Now().Add(wait), answer: make(chan []byte, 1)}
	c.mu.Lock()
	c.asked++
	asked.key = "q" + strconv.Itoa(c.asked)
	c.open = append(c.open, asked)
	c.signal()
	c.mu.Unlock()
	select {
	case answer := <-asked.answer:
		return answer, nil
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open = slices.DeleteFunc(c.open, func(other *question) bool { return other == asked })
		c.signal()
		return nil, ctx.Err()
	}
}

// answer hands over a client's answers. Those to questions that were taken back
// are dropped; what was not answered stays open.
func (c *call) answer(responses []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = slices.DeleteFunc(c.open, func(q *question) bool {
		answer := message.Get(responses, q.key)
		if answer != nil {
			q.answer <- answer
		}
		return answer != nil
	})
}

// join makes a client's request the one that waits.
func (c *call) join(r *request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.request, c.row = r, progress.Of(r.Params)
}

// wait returns the questions to be put to the client, or the call's end, and
// neither when ctx ends. The request leaves the call.
func (c *call) wait(ctx context.Context) (questions []*question, over *end) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.request, c.row = nil, nil
	}()
	for {
		c.mu.Lock()
		open, over, changed := slices.Clone(c.open), c.end, c.changed
		c.mu.Unlock()
		if over != nil {
			return nil, over
		}
		var due <-chan time.Time
		if len(open) > 0 {
			first := slices.MinFunc(open, func(a, b *question) int { return a.due.Compare(b.due) })
			wait := time.Until(first.due)
			if wait <= 0 {
				return open, nil
			}
			due = time.After(wait)
		}
		select {
		case <-changed:
		case <-due:
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// progress passes progress on to the request that waits.
func (c *call) progress(_ int, params []byte) {
	c.mu.Lock()
	r, row := c.request, c.row
	c.mu.Unlock()
	if text := row.Pass(params); r != nil && text != nil {
		r.sink.Send(text)
	}
}
