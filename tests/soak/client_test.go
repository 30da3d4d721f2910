package soak_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// client is a session whose posts are noted as they leave it.
type client struct {
	parley.Transport
	name    string
	ledger  *ledger
	session *parley.Session
}

// newClient connects to the hostile server. What n decides is how.
func newClient(t *testing.T, l *ledger, e parley.Engine, n int, url string) *client {
	r := l.random(5, n)
	c := &client{name: fmt.Sprintf("c%d", n), ledger: l}
	http := &parley.StreamableHTTP{URL: url + "/" + c.name}
	if r.IntN(2) == 0 {
		http.Client = withToken()
	}
	c.Transport = http
	opts := parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "soak", Version: "1"},
		StringIDs:  r.IntN(2) == 0,
		Discover:   r.IntN(4) == 0,
		Askers:     l.callbacks(nil, nil, nil).Askers, // what can be asked
	}
	switch {
	case l.earlier && r.IntN(2) == 0:
		opts.Versions = []string{"2025-11-25"}
	case r.IntN(2) == 0:
		opts.Known = "2026-07-28"
	}
	opts.Watchers.OnNotification = func(string, []byte) { l.count("notifications") }
	opts.Watchers.OnWarning = func(string) { l.count("warnings") }
	var err error
	if c.session, err = parley.NewSession(e, c, opts); err != nil {
		t.Fatal(err)
	}
	return c
}

// Perform implements [parley.Transport].
func (c *client) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	post, ok := a.(session.Post)
	if !ok || post.Call == 0 {
		c.Transport.Perform(ctx, a, report)
		return
	}
	p := c.ledger.sent(ctx, c.name, post.Leg, post.Body)
	c.Transport.Perform(ctx, a, func(ev session.Event, cause error) {
		if p != nil {
			c.ledger.reported(p, ev)
		}
		report(ev, cause)
	})
}

// reported notes what a transport makes of the answer to a post.
func (l *ledger) reported(p *post, ev session.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch ev := ev.(type) {
	case session.Message:
		p.call.note(l, "%s: message, status %d, last %v: %.300s", p.id, ev.Status, ev.Last, ev.Body)
	case session.Ended:
		p.call.note(l, "%s: ended, status %d, unsent %v: %s", p.id, ev.Status, ev.Unsent, ev.Reason)
	}
}

// token answers a 401 by sending the same bytes again.
type token struct{ http.RoundTripper }

func withToken() *http.Client {
	return &http.Client{
		Transport:     token{&http.Transport{MaxIdleConnsPerHost: 64}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (t token) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.RoundTripper.RoundTrip(r)
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		return response, err
	}
	response.Body.Close()
	again := r.Clone(r.Context())
	again.Header.Set("Authorization", "Bearer new")
	if again.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	return t.RoundTripper.RoundTrip(again)
}

// clients are those there are at a time. Two stay from beginning to end, one
// with each make of the engine; two are closed now and then while calls run,
// and replaced.
type clients struct {
	t       *testing.T
	ledger  *ledger
	engines [2]parley.Engine
	url     string

	mu   sync.Mutex
	all  [4]*client
	last int
	wg   sync.WaitGroup
}

func newClients(t *testing.T, l *ledger, engines [2]parley.Engine, url string) *clients {
	c := &clients{t: t, ledger: l, engines: engines, url: url}
	for i := range c.all {
		c.all[i] = c.next()
	}
	return c
}

func (c *clients) next() *client {
	c.last++
	return newClient(c.t, c.ledger, c.engines[c.last%2], c.last, c.url)
}

func (c *clients) pick(r *rand.Rand) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all[r.IntN(len(c.all))]
}

// replace closes clients until it is told to stop.
func (c *clients) replace(stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-time.After(time.Duration(c.ledger.random(6, i).IntN(1000)) * time.Millisecond):
		case <-stop:
			return
		}
		c.mu.Lock()
		old := &c.all[2+i%2]
		closing := *old
		*old = c.next()
		c.mu.Unlock()
		c.ledger.count("sessions closed")
		c.wg.Go(func() { c.close(closing) })
	}
}

func (c *clients) close(closing *client) {
	begun := time.Now()
	if err := closing.session.Close(); err != nil {
		c.t.Error(err)
	}
	if took := time.Since(begun); took > hosttest.Patience {
		c.t.Errorf("closing a session took %v", took)
	}
	if http := closing.Transport.(*parley.StreamableHTTP); http.Client != nil {
		http.Client.Transport.(token).RoundTripper.(interface{ CloseIdleConnections() }).CloseIdleConnections()
	}
}

func (c *clients) closeAll() {
	for _, open := range c.all {
		c.wg.Go(func() { c.close(open) })
	}
	c.wg.Wait()
}
