// Package signin signs the users of a bridge in to the server behind it. Each has
// an account of its own there. A user opens a page of the bridge, which leads to
// the authorization server and gets its answer; no client of the bridge sees a
// challenge, a code or a token.
//
// Source: MCP 2026-07-28, basic/authorization, Access Token Privilege
// Restriction: a server MUST NOT pass a token on that it was given;
// client/elicitation, URL Mode for OAuth Flows.
package signin

import (
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// Path is where the pages are, below the bridge's own URL.
const Path = "/sign-in/"

// usualLife is the default of [Options].Life.
const usualLife = 10 * time.Minute

// Options are the server and what the bridge has for it.
type Options struct {
	URL                    string      // of the server
	Store                  oauth.Store // of the accounts; nil keeps them in memory
	ClientID, ClientSecret string      // of a client that was registered beforehand; "" registers

	// Base is the URL at which browsers reach the bridge, without a slash at its
	// end; "" if that is not known, and then nobody can sign in.
	Base string

	// Login is the command that signs in beforehand, for who runs the bridge.
	Login string

	// User is whose a token is for the bridge, "" if nobody's. Where it is not
	// nil a page wants the token of the user that it was made for.
	User func(token string) string

	// Life is how long a page is good for, and how long a person who has gone
	// on to the authorization server has to come back. 0 means ten minutes.
	Life time.Duration

	HTTPClient *http.Client // for authorization servers; see [oauth.Options]
}

// Desk is where users sign in. It is safe for concurrent use.
type Desk struct {
	o        Options
	base     *url.URL
	callback *oauth.Callback

	mu       sync.Mutex
	accounts map[string]*Account // by user
	visits   map[string]*visit   // by nonce
	tries    map[string]*try     // by the state that the browser comes back with
}

// New makes a Desk.
func New(o Options) (*Desk, error) {
	if o.Store == nil {
		o.Store = &oauth.Memory{}
	}
	if o.Life == 0 {
		o.Life = usualLife
	}
	d := &Desk{o: o, accounts: map[string]*Account{}, visits: map[string]*visit{}, tries: map[string]*try{}}
	if o.Base != "" {
		var err error
		if d.base, err = url.Parse(o.Base); err != nil {
			return nil, err
		}
		d.callback = &oauth.Callback{URL: o.Base + Path + callbackName}
	}
	return d, nil
}

// Account is a user's, "" on a bridge that knows no users.
func (d *Desk) Account(user string) *Account {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.accounts[user]
	if a == nil {
		a = &Account{desk: d, user: user}
		a.login, a.why = oauth.New(oauth.Options{
			URL: d.o.URL, Store: d.storeOf(user), ClientID: d.o.ClientID, ClientSecret: d.o.ClientSecret, ClientName: "Parley's bridge",
			Callback: d.callback, Ask: a.mayAsk, Change: a.change, Open: a.open, HTTPClient: d.o.HTTPClient,
		})
		d.accounts[user] = a
	}
	return a
}

// Close ends what is under way.
func (d *Desk) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.tries {
		t.cancel(errEnded)
	}
}
