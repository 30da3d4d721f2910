package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

// ledger is what both sides wrote down of every call: the caller what it sent,
// was asked and answered, the server what it took and did. Each entry goes by
// its number, or by the token that stands for it on the wire.
type ledger struct {
	seed    uint64
	earlier bool // the server speaks 2025-11-25
	begun   time.Time

	mu        sync.Mutex
	calls     map[int]*call
	posts     map[postID]*post
	states    map[string]*state
	questions map[int]*question
	last      int // question, state or execution
	counts    map[string]int
	wrong     []string
	settling  sync.WaitGroup
	settled   []bool // by the number of the call
}

// call is a call, however many segments it takes.
type call struct {
	n      int
	method string
	plan   []int // how many questions each round asks; 0 means that it has a state only
	atOnce int   // questions

	segments  []*segment
	posts     []*post
	states    []*state
	questions []*question
	asked     map[int]*question // by the engine's number
	execs     []string          // the results, by what led to them
	ended     string            // how it ended in the end
	result    []byte
	log       []string
	settled   bool // it is forgotten: what comes of it now is dropped
}

// segment is what a call does between two snapshots: one Session.Call or
// Session.Resume.
type segment struct {
	number  int
	resend  bool   // it was begun with leave to send again
	saved   []byte // the last snapshot
	over    bool
	gaveUp  bool // canceled, crashed or closed by the caller's side
	tooSlow bool // a question was open for too long: its answer may be on the way
	crashed bool // all that is left of it is the last snapshot
	failure string
	leg     int  // the last one, so says the snapshot that the call goes on with
	inDoubt bool // as well
}

type postID struct {
	client string
	id     string
}

// post is a request that left the session.
type post struct {
	postID
	call    *call
	segment *segment
	leg     int
	body    []byte
	params  params
	content string // what makes two legs the same

	arrived  int  // how often the server had it
	handled  bool // the server did what it asks
	rejected bool // the server answered it with an error
}

// params are a request's, as far as they are looked at.
type params struct {
	Name           string
	URI            string
	Arguments      json.RawMessage
	InputResponses json.RawMessage
	RequestState   json.RawMessage
}

// state is a requestState that the server gave.
type state struct {
	token string // as it stands in the text
	call  *call
	stage int
	asks  []*question // in the order in which they stand
	chain string      // what all answers so far come to
}

// question is an entry of inputRequests.
type question struct {
	n      int
	call   *call
	key    string
	method string
	params string

	in       *segment // that it was asked in last
	asked    int
	open     bool
	returned bool   // the callback came back with an answer, in the segment
	answer   string // what it was
	accepted bool   // the engine has taken it
	arrived  bool   // the server has had it
	reply    string // to an earlier era's request, whatever it was
}

func newLedger(seed uint64, earlier bool) *ledger {
	return &ledger{
		seed: seed, earlier: earlier, begun: time.Now(), calls: map[int]*call{}, posts: map[postID]*post{},
		states: map[string]*state{}, questions: map[int]*question{}, counts: map[string]int{},
	}
}

// random is a source of its own for each thing that is decided.
func (l *ledger) random(of ...int) *rand.Rand {
	mix := l.seed
	for _, n := range of {
		mix = (mix ^ uint64(n)) * 0x9e3779b97f4a7c15
		mix ^= mix >> 29
	}
	return rand.New(rand.NewPCG(mix, l.seed))
}

func (l *ledger) count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[what]++
}

// violated notes what must not be, with all that the call went through.
func (l *ledger) violated(c *call, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if c != nil {
		c.note(l, "VIOLATION: %s", text)
		text = fmt.Sprintf("call %d: %s", c.n, text)
	}
	l.counts["violations"]++
	if len(l.wrong) < 20 {
		if c != nil {
			text += "\n    " + strings.Join(c.log, "\n    ")
		}
		l.wrong = append(l.wrong, text)
	}
}

func (c *call) note(l *ledger, format string, args ...any) {
	c.log = append(c.log, fmt.Sprintf("%8.3f ", time.Since(l.begun).Seconds())+fmt.Sprintf(format, args...))
}

// newCall plans a call.
func (l *ledger) newCall(n int) *call {
	r := l.random(1, n)
	c := &call{n: n, asked: map[int]*question{}, method: [...]string{"tools/call", "tools/call", "tools/call", "prompts/get", "resources/read"}[r.IntN(5)]}
	for range r.IntN(4) {
		c.plan = append(c.plan, r.IntN(4))
	}
	c.atOnce = [...]int{0, 0, 2, -1}[r.IntN(4)]
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[n] = c
	return c
}

// arguments are the caller's params, in a spelling that must be kept.
func (c *call) arguments() []byte {
	switch c.method {
	case "tools/call":
		return fmt.Appendf(nil, `{"name":"work", "arguments":{"call":%d, "exact":[1.0,-0.0,1e+2,"\/\u00e9"]}}`, c.n)
	case "prompts/get":
		return fmt.Appendf(nil, `{"name":"draft","arguments":{"call":"%d"}}`, c.n)
	}
	return fmt.Appendf(nil, `{"uri":"soak://%d"}`, c.n)
}

// callOf is the number of the call that a request is about, by what the caller
// put there.
func callOf(p *params) int {
	var n int
	if p.URI != "" {
		fmt.Sscanf(p.URI, "soak://%d", &n)
	} else {
		var arguments struct{ Call json.Number }
		json.Unmarshal(p.Arguments, &arguments)
		fmt.Sscan(arguments.Call.String(), &n)
	}
	return n
}

// sent notes a leg that leaves the session, unless it was given up just before:
// then the transport sends nothing.
func (l *ledger) sent(ctx context.Context, client string, leg int, body []byte) *post {
	var request struct {
		ID     json.RawMessage
		Method string
		Params params
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := json.Unmarshal(body, &request); err != nil {
		l.violated(nil, "a request is no JSON: %v", err)
		return nil
	}
	if ctx.Err() != nil { // a new segment begins later than this, and takes the lock
		l.counts["legs given up before they left"]++
		return nil
	}
	c := l.calls[callOf(&request.Params)]
	if c == nil {
		l.violated(nil, "a request is of no call: %s", body)
		return nil
	}
	p := &post{
		postID: postID{client, string(request.ID)}, call: c, segment: c.segments[len(c.segments)-1], leg: leg, body: body, params: request.Params,
		content: string(request.Params.RequestState) + " " + string(request.Params.InputResponses),
	}
	if p.segment.over {
		l.violated(c, "leg %d leaves after its segment was over", leg)
	}
	if request.Method != c.method {
		l.violated(c, "it is sent as %s", request.Method)
	}
	if l.posts[p.postID] != nil {
		l.violated(c, "id %s of %s is given twice", p.id, client)
	}
	l.posts[p.postID] = p
	c.posts = append(c.posts, p)
	c.note(l, "leg %d posted as %s of %s: %s", leg, p.id, client, p.content)
	return p
}

// arrive finds the post that a request at the server is.
func (l *ledger) arrive(client string, body []byte) *post {
	var request struct {
		ID     json.RawMessage
		Params params
	}
	json.Unmarshal(body, &request)
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.posts[postID{client, string(request.ID)}]
	if n := callOf(&request.Params); p == nil && n < len(l.settled) && l.settled[n] {
		l.counts["requests that came too late"]++
		return nil
	}
	if p == nil {
		l.violated(nil, "the server has a request that is not in the ledger: %s", body)
		return nil
	}
	if p.arrived++; !bytes.Equal(p.body, body) {
		l.violated(p.call, "it is not what was sent that arrives: %s", body)
	}
	return p
}

// isTooLate reports whether a request's call was settled while it was under way.
func (l *ledger) isTooLate(p *post) bool {
	if p.call.settled {
		l.counts["requests that came too late"]++
	}
	return p.call.settled
}

func (l *ledger) reject(p *post) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.rejected = true
}
