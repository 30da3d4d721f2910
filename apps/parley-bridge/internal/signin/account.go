package signin

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// Account is what one user has at the server.
type Account struct {
	desk  *Desk
	user  string
	login *oauth.SignIn // nil if nobody can sign in at this server
	why   error         // then why not

	mu      sync.Mutex
	running *try   // that everybody joins who is challenged meanwhile
	over    string // why the last sign-in is over, to follow another sentence
	epoch   int64  // how often somebody has signed in
	label   []byte // the answer to the challenges since
}

// Access is how one session with the server is authorized.
type Access struct {
	account *Account
	sent    atomic.Int64 // the account's epoch when the last request went out
}

// Access is for a new session.
func (a *Account) Access() *Access { return &Access{account: a} }

// Authorization is for [parley.StreamableHTTP].
func (x *Access) Authorization(ctx context.Context) (string, error) {
	a := x.account
	if a.login == nil {
		return "", nil
	}
	a.mu.Lock()
	epoch := a.epoch
	a.mu.Unlock()
	x.sent.Store(epoch)
	return a.login.Authorization(ctx)
}

// Principal is whose a new call is: the label of the account, "" if nobody is
// signed in.
func (x *Access) Principal(ctx context.Context) (string, error) {
	if x.account.login == nil {
		return "", nil
	}
	account, _, err := x.account.login.Account(ctx)
	return account.Label, err
}

// Person is who can be asked to open a page, by the client that a request is of.
type Person struct {
	// Pages reports whether the client can be asked to open pages.
	Pages bool

	// Ask puts a question to the client. Nil means that this request is none
	// in which it can be asked: then its error tells of the page.
	Ask func(ctx context.Context, q parley.Question) ([]byte, error)

	// Again is after how long a client that has agreed to open the page is
	// asked again, because it waits for no request longer; 0 for never.
	Again time.Duration

	// Done tells the client that a page is done; nil if it needs no telling.
	Done func(elicitation string)
}

// Refusal is why nobody signs in, for the client's own error.
type Refusal struct {
	Text string
	Page string // where somebody could, "" if nowhere; it belongs in no log
}

// Error implements error.
func (r *Refusal) Error() string { return r.Text }

var (
	errNoPages = &Refusal{Text: "nobody can be asked to sign in"}
	errNowhere = &Refusal{Text: "the bridge does not know the URL at which browsers reach it: start it with --public-url"}
	errEnded   = &Refusal{Text: "the bridge has ended"}
	errExpired = &Refusal{Text: "nobody signed in in time"}
	errLeft    = errors.New("nobody waits for the sign-in any more")
)

// Authorize is for [parley.Askers]: it answers a challenge. What can be renewed
// is renewed without asking.
func (x *Access) Authorize(ctx context.Context, q parley.Question, who Person) ([]byte, error) {
	a := x.account
	if a.login == nil {
		return nil, a.why
	}
	for {
		t, answer := a.join(q, x.sent.Load(), who.Pages)
		if answer != nil {
			return answer, nil
		}
		answer, err := t.see(ctx, q, who)
		a.leave(t)
		if who.Pages && err == errNoPages {
			continue // it had given up before this client joined
		}
		if err == errNoPages {
			err = a.noPages()
		}
		return answer, err
	}
}

// Renew answers a challenge if nobody has to be asked for that.
func (x *Access) Renew(ctx context.Context, q parley.Question) ([]byte, error) {
	return x.Authorize(ctx, q, Person{})
}

// noPages is what a client gets to read that cannot open pages.
func (a *Account) noPages() error {
	login := "run  " + a.desk.o.Login
	if !isPublic(a.desk.o.URL) {
		login = "run parley login with the URL that the bridge has"
	}
	a.mu.Lock()
	over := a.over
	a.mu.Unlock()
	text := "somebody has to sign in to the server, and this client cannot open pages (elicitation in url mode)"
	if a.user != "" {
		return &Refusal{Text: text + ": use one that can, once, as the same user of the bridge" + over}
	}
	return &Refusal{Text: text + ": " + login + over}
}

// join takes part in the sign-in that is under way, or begins one. If somebody
// has signed in since the session's last request, that is the answer.
func (a *Account) join(q parley.Question, sent int64, pages bool) (t *try, answer []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if sent < a.epoch && a.running == nil {
		return nil, a.label
	}
	t = a.running
	if t == nil || t.ctx.Err() != nil { // that one has been given up
		t = newTry(a)
		a.running = t
		go a.run(t, q)
	}
	t.joined++
	if pages {
		t.pages = true
	}
	return t, nil
}

// leave gives a sign-in up that nobody waits for, unless a person is on the way.
func (a *Account) leave(t *try) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t.joined--; t.joined == 0 && !t.kept {
		t.cancel(errLeft)
	}
}

// run signs in.
func (a *Account) run(t *try, q parley.Question) {
	defer t.cancel(nil)
	answer, err := a.login.Authorize(context.WithValue(t.ctx, tryKey{}, t), q)
	if answer == nil {
		answer = []byte("{}")
	}
	if cause := context.Cause(t.ctx); err != nil && cause != nil {
		err = cause
	}
	a.desk.close(t)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running == t {
		a.running = nil
	}
	t.answer, t.err = answer, err
	if err == nil {
		a.epoch++
		a.label = answer
	}
	close(t.done)
}

// mayAsk is the [oauth.Options].Ask: nothing can be renewed, so somebody has to
// open a page.
func (a *Account) mayAsk(ctx context.Context, p oauth.Prompt) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over = ""; p.Over != nil {
		a.over = ". The last sign-in is over: " + strings.TrimSuffix(p.Over.Text, ".")
	}
	switch {
	case !tryOf(ctx).pages:
		return errNoPages
	case a.desk.base == nil:
		return errNowhere
	}
	return nil
}

// change is the [oauth.Options].Change: the page says it, and who goes on from
// there agrees.
func (a *Account) change(ctx context.Context, c oauth.Change) error {
	tryOf(ctx).moved = c
	return nil
}

// open is the [oauth.Options].Open: it is known where the browser has to go.
func (a *Account) open(ctx context.Context, p oauth.Page) error { return a.desk.show(tryOf(ctx), p) }

type tryKey struct{}

// tryOf is the sign-in that a callback of [oauth.SignIn] is about.
func tryOf(ctx context.Context) *try { return ctx.Value(tryKey{}).(*try) }
