package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// try is one attempt of a user to sign in. All calls of the user that need it
// wait for the same one, and each client is asked to open a page of its own.
type try struct {
	account *Account
	id      string // names the cookie
	ctx     context.Context
	cancel  context.CancelCauseFunc

	ready chan struct{} // closed when it is known where to go
	page  oauth.Page    // then
	moved oauth.Change  // its Issuer is "" if the authorization server is that of before
	state string        // that the browser comes back with

	done   chan struct{}
	answer []byte
	err    error

	// The account's lock.
	joined int  // who wait
	pages  bool // one of them can open pages
	kept   bool // a person has the page, or is at the authorization server

	// The desk's lock.
	timer    *time.Timer // ends it
	browsers map[[sha256.Size]byte]bool
	visits   map[*visit]bool
	offered  *visit
	back     bool // the browser has come back
	over     bool
}

// visit is a page that one client is asked to open.
type visit struct {
	try   *try
	nonce string
	next  string // what the page's button sends: whoever has it has seen the page
	used  bool
}

func newTry(a *Account) *try {
	t := &try{
		account: a, id: rand.Text()[:8], ready: make(chan struct{}), done: make(chan struct{}),
		browsers: map[[sha256.Size]byte]bool{}, visits: map[*visit]bool{},
	}
	t.ctx, t.cancel = context.WithCancelCause(context.Background())
	t.timer = time.AfterFunc(a.desk.o.Life, func() { t.cancel(errExpired) })
	return t
}

// see waits for the end of the sign-in, and asks the client to open the page if
// there has to be one.
func (t *try) see(ctx context.Context, q parley.Question, who Person) ([]byte, error) {
	select {
	case <-t.done:
		return t.answer, t.err
	case <-t.ready:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	desk := t.account.desk
	if desk.isBack(t) { // it is about to end
		select {
		case <-t.done:
			return t.answer, t.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	switch {
	case !who.Pages:
		return nil, errNoPages
	case who.Ask == nil:
		page, err := desk.offer(t)
		if err != nil {
			return nil, err
		}
		return nil, &Refusal{Text: "somebody has to sign in to the server first", Page: page}
	}
	var v *visit
	defer func() { desk.withdraw(v) }()
	for {
		v = desk.visit(t, v)
		if over, err := t.ask(ctx, v, q, who); over {
			if err != nil {
				return nil, err
			}
			return t.answer, t.err
		}
		var again <-chan time.Time
		if who.Again > 0 {
			again = time.After(who.Again)
		}
		select {
		case <-t.done:
			t.tell(v, who)
			return t.answer, t.err
		case <-again:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// ask puts the question to the client. It is over when the sign-in is, or if the
// client does not agree.
func (t *try) ask(ctx context.Context, v *visit, q parley.Question, who Person) (over bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type reply struct {
		raw []byte
		err error
	}
	replied := make(chan reply, 1)
	go func() {
		raw, err := who.Ask(ctx, parley.Question{ID: q.ID, Kind: engine.KindElicit, Mode: engine.ModeURL, Params: t.params(v)})
		replied <- reply{raw, err}
	}()
	select {
	case <-t.done:
		cancel() // the question is taken back
		<-replied
		t.tell(v, who)
		return true, nil
	case r := <-replied:
		switch action := message.Text(r.raw, "action"); {
		case r.err != nil:
			return true, r.err
		case action == "accept":
			return false, nil
		case action == "decline":
			return true, &Refusal{Text: "signing in to " + t.host() + " was declined"}
		case action == "cancel":
			return true, &Refusal{Text: "the question to sign in to " + t.host() + " was dismissed"}
		}
		return true, errors.New("the client's answer to the question to sign in cannot be used")
	}
}

func (t *try) tell(v *visit, who Person) {
	if who.Done != nil && t.err == nil {
		who.Done(v.nonce)
	}
}

// params are those of the question.
func (t *try) params(v *visit) []byte {
	text, _ := json.Marshal(struct { // strings cannot fail
		Mode    string `json:"mode"`
		Message string `json:"message"`
		URL     string `json:"url"`
		ID      string `json:"elicitationId"`
	}{"url", "Sign in to " + t.host() + "? A page of parley-bridge says what is asked for, and leads to the sign-in. The call goes on by itself.",
		t.account.desk.o.Base + Path + v.nonce, v.nonce})
	return text
}

// host is the server's.
func (t *try) host() string { return hostOf(t.account.desk.o.URL) }

// show takes it where the browser has to go.
func (d *Desk) show(t *try, p oauth.Page) error {
	u, err := url.Parse(p.URL)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t.page, t.state = p, u.Query().Get("state")
	d.tries[t.state] = t
	close(t.ready)
	return nil
}

// close forgets a sign-in and its pages.
func (d *Desk) close(t *try) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t.over = true
	t.timer.Stop()
	delete(d.tries, t.state)
	for v := range t.visits {
		delete(d.visits, v.nonce)
	}
}

// visit is a page for a client: the one that it has, unless somebody used that.
func (d *Desk) visit(t *try, v *visit) *visit {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.newVisit(t, v)
}

func (d *Desk) newVisit(t *try, v *visit) *visit {
	if !t.over {
		t.timer.Reset(d.o.Life)
	}
	if v != nil && !v.used {
		return v
	}
	v = &visit{try: t, nonce: rand.Text(), next: rand.Text()}
	if !t.over {
		t.visits[v], d.visits[v.nonce] = true, v
	}
	return v
}

// offer is the page's address for requests in which nobody can be asked.
func (d *Desk) offer(t *try) (string, error) {
	t.keep()
	d.mu.Lock()
	defer d.mu.Unlock()
	t.offered = d.newVisit(t, t.offered)
	return d.o.Base + Path + t.offered.nonce, nil
}

// keep has the sign-in wait for the person although no call does.
func (t *try) keep() {
	a := t.account
	a.mu.Lock()
	defer a.mu.Unlock()
	t.kept = true
}

// isBack reports whether the person has done their part.
func (d *Desk) isBack(t *try) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return t.back
}

// withdraw takes a page back that nobody has used.
func (d *Desk) withdraw(v *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !v.used {
		delete(v.try.visits, v)
		delete(d.visits, v.nonce)
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	return u.Host
}

// isPublic reports whether an address tells no secret.
func isPublic(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.User == nil && u.RawQuery == ""
}
