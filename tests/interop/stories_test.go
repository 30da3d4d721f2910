package interop_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/tests/interop"
)

// stories are what the table cannot tell: calls that meet, connections that
// break and servers that die. Those that need no session of their own are told
// in the one that played the table; nil fits means that every server can.
var stories = []struct {
	name string
	fits func(*peer) bool
	tell func(*testing.T, *peer, *parleyClient)
}{
	{"all at once", nil, allAtOnce},
	{"gone on by hand", func(p *peer) bool { return p.Era == interop.Legacy }, byHand},
	{"not parkable", func(p *peer) bool { return p.Era == interop.Legacy }, notParkable},
	{"parked", func(p *peer) bool { return p.Era == interop.Modern && p.over == interop.HTTP }, parked},
	{"cut while it runs", func(p *peer) bool { return p.Era == interop.Modern && p.over == interop.HTTP }, cutWhileItRuns},
	{"cut while asked", func(p *peer) bool { return p.Era == interop.Legacy && p.over == interop.HTTP }, cutWhileAsked},
	{"killed between rounds", func(p *peer) bool { return p.Era == interop.Modern }, killedBetweenRounds},
	{"killed while asked", func(p *peer) bool { return p.Era == interop.Legacy }, killedWhileAsked},
}

// allAtOnce plays the whole table at the same time, in a session that has yet
// to find out of which era the server is.
func allAtOnce(t *testing.T, p *peer, _ *parleyClient) {
	c := dial(t, parleyGo, p.at.transport(), p.Era)
	cases := p.Cases(p.over)
	if p.Era == interop.Legacy && p.over == interop.Stdio {
		allOfOnePerson(t, c, cases)
		return
	}
	cases = slices.DeleteFunc(cases, func(one interop.Case) bool {
		// A question on the server's own stream could be of any of them, and
		// rmcp, when it is busy, may miss that a connection was closed.
		return one.Tool == "ask_on_stream" || one.Cancel && p.Name == "rust"
	})
	outcomes := make([]interop.Outcome, len(cases))
	var all sync.WaitGroup
	for i, one := range cases {
		one.Logs = nil // the server may not know yet that they are wanted
		cases[i] = one
		all.Go(func() { outcomes[i] = c.play(t.Context(), one) })
	}
	all.Wait()
	check(t, cases, outcomes)
}

// allOfOnePerson plays calls at the same time over a connection that does not
// tell which of them the server asks for: it is one person who answers.
func allOfOnePerson(t *testing.T, c *parleyClient, cases []interop.Case) {
	everyone := interop.Case{Answers: map[string][]interop.Answer{}}
	var together []interop.Case
	for _, one := range cases {
		clash := one.Cancel
		for message := range one.Answers {
			clash = clash || everyone.Answers[message] != nil
		}
		if clash {
			continue
		}
		for message, answers := range one.Answers {
			everyone.Answers[message] = answers
		}
		together = append(together, one)
	}
	person := everyone.Person()
	var all sync.WaitGroup
	for _, one := range together {
		all.Go(func() {
			out, err := c.call(t.Context(), one, c.callbacks(person))
			if err != nil {
				t.Errorf("%s: %s", one.Name, explained(err))
			} else if got := textOf(out.Result); got != one.Text {
				t.Errorf("%s: got %q, want %q", one.Name, got, one.Text)
			}
		})
	}
	all.Wait()
}

// byHand has a person go on who does not wait for the server to say that the
// page was visited.
func byHand(t *testing.T, _ *peer, c *parleyClient) {
	consent := interop.Case{Answers: map[string][]interop.Answer{"Please open the page.": {{Action: "accept"}, {Action: "accept", Visit: true}}}}
	cb := c.callbacks(consent.Person())
	cb.ElicitURL = func(ctx context.Context, q parley.Question) ([]byte, error) {
		q.Repeat = false
		return cb.Elicit(ctx, q)
	}
	out, err := c.call(t.Context(), interop.Case{Tool: "require_page"}, cb)
	if err != nil {
		t.Fatal(explained(err))
	}
	if got := textOf(out.Result); got != "visited" {
		t.Errorf("got %q, want %q", got, "visited")
	}
}

var (
	kind  = interop.Answer{Action: "accept", Content: json.RawMessage(`{"kind":"fruit"}`)}
	which = interop.Answer{Action: "accept", Content: json.RawMessage(`{"which":"pear"}`)}
	park  = interop.Answer{Action: "park"}
)

const (
	askKind  = "Fruit or vegetable?"
	askWhich = "Which fruit?"
	pear     = "a fruit: pear"
)

// twice is the tool that asks two questions, answered so.
func twice(first, second []interop.Answer) interop.Case {
	return interop.Case{Tool: "ask_twice", Answers: map[string][]interop.Answer{askKind: first, askWhich: second}}
}

// notParkable has a person park what the server waits for: the question comes
// again.
func notParkable(t *testing.T, _ *peer, c *parleyClient) {
	one := twice([]interop.Answer{kind}, []interop.Answer{park, which})
	one.Text, one.Asked = pear, []string{askKind, askWhich, askWhich}
	one.Check(t, c.play(t.Context(), one))
}

// parked parks a call in its second round with each of Parley's clients, and
// finishes it in another process of each.
func parked(t *testing.T, p *peer, _ *parleyClient) {
	clients := []string{parleyGo, parleyJS}
	interop.SetUp(t, parleyJS)
	for _, first := range clients {
		begin := twice([]interop.Answer{kind}, []interop.Answer{park})
		got := playElsewhere(t, first, p.at, begin, begin)
		for i, second := range clients {
			t.Run(first+" to "+second, func(t *testing.T) {
				if got[i].Error != "" || got[i].Snapshot == "" || !slices.Equal(got[i].Asked, []string{askKind, askWhich}) {
					t.Fatalf("got %+v, want a call that is parked at its second question", got[i])
				}
				finish := twice(nil, []interop.Answer{which})
				finish.Snapshot, finish.Text, finish.Asked = got[i].Snapshot, pear, []string{askWhich}
				finish.Check(t, playElsewhere(t, second, p.at, finish)[0])
			})
		}
	}
}

// cutWhileItRuns breaks the connection while a tool runs: nobody can tell
// whether it has, so it is not called again.
func cutWhileItRuns(t *testing.T, p *peer, c *parleyClient) {
	w := lay(t, p.at.url)
	over := dial(t, parleyGo, &parley.StreamableHTTP{URL: w.url}, p.Era)
	cb := over.callbacks(interop.Case{}.Person())
	legs := 0
	cb.OnProgress = func(leg int, _ []byte) {
		legs = leg
		w.cut()
	}
	slow := interop.Case{Tool: "slow", Arguments: json.RawMessage(`{"id":"cut","seconds":300}`)}
	_, err := over.call(t.Context(), slow, cb)
	wantInDoubt(t, err)
	if legs != 1 {
		t.Errorf("got %d legs, want 1", legs)
	}
	if got := over.say(t.Context(), interop.Case{Tool: "echo", Arguments: json.RawMessage(`{"text":"on"}`)}); got != "on" {
		t.Errorf("afterwards: got %q, want %q", got, "on")
	}
}

func wantInDoubt(t *testing.T, err error) (snapshot []byte) {
	t.Helper()
	var failed *parley.Error
	if !errors.As(err, &failed) || failed.Code != fault.InDoubt || !failed.Resumable {
		t.Fatalf("got %v, want that the call is in doubt and can go on", err)
	}
	return failed.Snapshot
}

// cutWhileAsked breaks every connection while a person thinks. The streams of
// the call and the server's own are taken up, and nobody is asked again.
func cutWhileAsked(t *testing.T, p *peer, _ *parleyClient) {
	w := lay(t, p.at.url)
	streams := &streams{Transport: &parley.StreamableHTTP{URL: w.url}, opened: make(chan struct{}, 100)}
	c := dial(t, parleyGo, streams, p.Era)
	one := twice([]interop.Answer{kind}, []interop.Answer{which})
	person := one.Person()
	out, err := c.call(t.Context(), one, c.interrupted(person, func(nth int) {
		if nth == 1 {
			<-streams.opened
			w.cut() // the answer may be on its way when that is noticed
		}
	}))
	if err != nil {
		t.Fatal(explained(err))
	}
	one.Text, one.Asked = pear, []string{askKind, askWhich}
	one.Check(t, interop.Outcome{Text: textOf(out.Result), Asked: person.Asked()})

	for range 2 { // the call's and the server's own
		select {
		case <-streams.opened:
		case <-time.After(interop.Patience):
			t.Fatal("a stream was not taken up")
		}
	}
	time.Sleep(100 * time.Millisecond) // no response tells that the server has it
	for _, one := range p.Cases(p.over) {
		if one.Tool == "ask_on_stream" {
			one.Check(t, c.play(t.Context(), one))
		}
	}
}

// streams tells whenever a stream is opened by GET.
type streams struct {
	parley.Transport
	opened chan struct{}
}

func (s *streams) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	s.Transport.Perform(ctx, a, report)
	if _, ok := a.(session.Listen); ok {
		s.opened <- struct{}{}
	}
}

// killedBetweenRounds restarts the server at every question. What it knows is
// in its requestState, so the call goes on, unless its key was lost with it.
func killedBetweenRounds(t *testing.T, p *peer, c *parleyClient) {
	one := twice([]interop.Answer{kind}, []interop.Answer{which})
	person := one.Person()
	out, err := c.call(t.Context(), one, c.interrupted(person, func(int) { p.restart(t) }))
	if got, want := person.Asked(), []string{askKind, askWhich}; !slices.Equal(got, want) {
		t.Errorf("asked: got %q, want %q", got, want)
	}
	if p.Name == "ts" {
		var failed *parley.Error
		if !errors.As(err, &failed) || failed.Code != fault.State || failed.InDoubt {
			t.Fatalf("got %v, want that its requestState was refused", err)
		}
		person = one.Person()
		out, err = c.Resume(t.Context(), c.callbacks(person).Resumption(parley.Resumption{Snapshot: failed.Snapshot, Expect: mine, Again: true}))
		if got, want := person.Asked(), []string{askKind, askWhich}; !slices.Equal(got, want) {
			t.Errorf("begun again, asked: got %q, want %q", got, want)
		}
	}
	if err != nil {
		t.Fatal(explained(err))
	}
	if got := textOf(out.Result); got != pear {
		t.Errorf("got %q, want %q", got, pear)
	}
}

// killedWhileAsked restarts the server while it waits for the second answer.
// The call it was asking for is lost with it, and is only made again on
// request.
func killedWhileAsked(t *testing.T, p *peer, c *parleyClient) {
	one := twice([]interop.Answer{kind}, []interop.Answer{which})
	person := one.Person()
	back := make(chan struct{})
	_, err := c.call(t.Context(), one, c.interrupted(person, func(nth int) {
		if nth == 2 {
			defer close(back)
			p.restart(t)
		}
	}))
	<-back // the client may have given up before
	snapshot := wantInDoubt(t, err)
	if got := person.Asked(); len(got) > 2 {
		t.Errorf("asked: got %q, want nothing twice", got)
	}
	out, err := c.Resume(t.Context(), c.callbacks(one.Person()).Resumption(parley.Resumption{Snapshot: snapshot, Expect: mine, Resend: true}))
	if err != nil {
		t.Fatal(explained(err))
	}
	if got := textOf(out.Result); got != pear {
		t.Errorf("on request: got %q, want %q", got, pear)
	}
}

// interrupted has something happen whenever the person is asked, before the
// answer.
func (c *parleyClient) interrupted(person *interop.Person, happens func(nth int)) hosttest.Callbacks {
	cb := c.callbacks(person)
	answer := cb.Elicit
	nth := 0
	cb.Elicit = func(ctx context.Context, q parley.Question) ([]byte, error) {
		nth++
		happens(nth)
		return answer(ctx, q)
	}
	return cb
}
