package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	parley "github.com/parley-mcp/parley/hosts/go"
	"golang.org/x/oauth2"
)

// SignIn signs in to one server and keeps its account. It is safe for
// concurrent use, and several sessions with the server may share it.
type SignIn struct {
	o      Options
	server *url.URL
	store  Store
	web    *web
	grant  Grant
	key    *ClientKey
	idp    *Enterprise

	turn chan struct{} // held by whoever answers a challenge

	mu        sync.Mutex
	kept      *record   // as it was last read or written; nil: not read, or none
	sent      string    // the access token that requests were last given
	renewed   string    // the one that was got without a person, for a challenge
	renewedAt time.Time // when
	over      error     // why what was signed in is over, if the authorization server said so
}

// Options are the server to sign in to, and what the host has for it.
type Options struct {
	// URL is the MCP server's, as in [parley.StreamableHTTP]. It must be
	// https, except on this machine.
	URL string

	// Store keeps the account. Nil keeps it in memory.
	Store Store

	// ClientID and ClientSecret are those of a client that was registered
	// with the authorization server beforehand. The secret may be "".
	ClientID, ClientSecret string

	// Issuer is the authorization server that ClientID belongs to. If set,
	// no other gets to see the client.
	Issuer string

	// ClientMetadataURL is the https URL of a Client ID Metadata Document,
	// used where the authorization server reads them and there is no
	// ClientID. The document names http://127.0.0.1/callback among its
	// redirect_uris.
	ClientMetadataURL string

	// ClientName is what the authorization server's page calls the host, if
	// the host has to register itself. "" means "MCP client".
	ClientName string

	// CallbackPort is the port on 127.0.0.1 where the browser comes back to.
	// 0 means any: then the authorization server has to accept every port, as
	// RFC 8252, section 7.3 demands, or to register clients.
	CallbackPort int

	// Callback is the host's own page where the browser comes back to, for a
	// host that has a web server: the browser may be on another machine. Nil
	// means a port on 127.0.0.1, for as long as somebody signs in.
	Callback *Callback

	// Ask asks the person whether to sign in. Nothing was sent anywhere yet.
	// An error refuses, [parley.ErrPark] parks the call. Nil goes on.
	Ask func(ctx context.Context, p Prompt) error

	// Change asks the person whether to sign in at another authorization server
	// than that of the account, because the MCP server names another. If it
	// returns nil, calls of the account continue as the new one. An error refuses,
	// [parley.ErrPark] parks the call. Nil signs in without asking, and calls of
	// the account that was there end with fault.Unauthorized.
	Change func(ctx context.Context, c Change) error

	// Choose chooses one of several authorization servers that the server
	// trusts. Nil takes the first.
	Choose func(ctx context.Context, issuers []string) (string, error)

	// Open shows the authorization server's host and opens the page in the
	// browser, or prints its URL. It may return at once; its context ends when
	// the browser has come back. Nil means that nobody can sign in.
	Open func(ctx context.Context, p Page) error

	// HTTPClient makes the requests to authorization servers. Its own
	// CheckRedirect is not used, and no cookie is kept. Nil means one that
	// does not let a public server name hosts in the private network.
	HTTPClient *http.Client
}

// Prompt is what a person should know before anything is done.
type Prompt struct {
	URL    string   // the MCP server
	Host   string   // its host and port
	Status int      // 401, or 403: more is needed than was granted
	Scopes []string // what the server says is needed; nil if it does not say
	Reason string   // the challenge's "error", such as "invalid_token", or ""

	// Account is the one that is signed in, or was; its Label is "" if there is
	// none.
	Account Account

	// Over is why that sign-in is over, if the authorization server said why when
	// its token was to be renewed. Its Text is for the person.
	Over *Error
}

// Page is where a person signs in.
type Page struct {
	URL    string   // for the browser; it belongs in no log
	Host   string   // the host that will ask for a password: show this
	Issuer string   // the authorization server
	Scopes []string // what will be asked for
}

// New makes a SignIn. It sends nothing.
func New(o Options) (*SignIn, error) { return newSignIn(o, GrantCode) }

func newSignIn(o Options, grant Grant) (*SignIn, error) {
	server, err := url.Parse(o.URL)
	if err != nil || server.Host == "" || server.User != nil {
		return nil, &Error{Code: ErrUsage, Text: "Options.URL is not the URL of a server."}
	}
	server.Fragment, server.RawFragment = "", ""
	s := &SignIn{o: o, server: server, store: o.Store, web: newWeb(server, o.HTTPClient), grant: grant, turn: make(chan struct{}, 1)}
	if s.store == nil {
		s.store = &Memory{}
	}
	if _, err := s.web.check(server.String()); err != nil {
		return nil, &Error{Code: ErrUsage, Text: "tokens are sent to https only: " + err.Error() + "."}
	}
	if o.ClientSecret != "" && o.ClientID == "" {
		return nil, &Error{Code: ErrUsage, Text: "Options.ClientSecret needs the ClientID that it belongs to."}
	}
	if o.ClientMetadataURL != "" {
		if at, err := url.Parse(o.ClientMetadataURL); err != nil || at.Scheme != "https" || at.Host == "" || cmp.Or(at.Path, "/") == "/" || at.Fragment != "" || at.User != nil {
			return nil, &Error{Code: ErrUsage, Text: "Options.ClientMetadataURL has to be an https URL with a path."}
		}
	}
	if o.CallbackPort < 0 || o.CallbackPort > 65535 {
		return nil, &Error{Code: ErrUsage, Text: "Options.CallbackPort is not a port."}
	}
	if o.Callback != nil && !o.Callback.isSafe() {
		return nil, &Error{Code: ErrUsage, Text: "Options.Callback has to have an https URL, except on this machine."}
	}
	return s, nil
}

// Authorization is for [parley.StreamableHTTP]: the value of the Authorization
// header, "" if nobody is signed in. A token that has expired is renewed.
func (s *SignIn) Authorization(ctx context.Context) (string, error) {
	s.mu.Lock()
	r := s.kept
	s.mu.Unlock()
	var err error
	if r == nil {
		r, err = s.load(ctx)
	}
	if err == nil && r != nil && r.AccessToken != "" && r.isDue() {
		r, err = s.renew(ctx, r.AccessToken)
	}
	if err != nil || r == nil || r.AccessToken == "" {
		s.note("")
		return "", err
	}
	s.note(r.AccessToken)
	return "Bearer " + r.AccessToken, nil
}

// note remembers what requests are given.
func (s *SignIn) note(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = token
}

// Authorize is for [parley.Askers]: it answers a challenge. What can be renewed
// is renewed without asking; then the person is asked, the authorization server
// found, and the browser opened.
func (s *SignIn) Authorize(ctx context.Context, q parley.Question) ([]byte, error) {
	c, err := readChallenge(q)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	sent := s.sent // the challenge is about this one, or one before it
	s.mu.Unlock()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	r, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	if done, err := s.silently(ctx, c, r, sent); done != nil || err != nil {
		return answer(done), err
	}
	if r == nil {
		r = &record{}
	}
	if err := s.prompt(ctx, c, r); err != nil {
		return nil, err
	}
	r, err = s.signIn(ctx, c, r)
	return answer(r), err
}

// answer is an answer to the question.
func answer(r *record) []byte {
	if r == nil {
		return nil
	}
	text, _ := json.Marshal(struct {
		Account  string   `json:"account"`
		Replaces []string `json:"replaces,omitempty"`
	}{r.Label, r.Replaces})
	return text
}

// silently is what can be done without a person; nil if nothing can.
func (s *SignIn) silently(ctx context.Context, c challenge, r *record, sent string) (*record, error) {
	if r == nil {
		return nil, nil
	}
	s.mu.Lock()
	inVain := sent != "" && sent == s.renewed && time.Since(s.renewedAt) < time.Minute
	s.mu.Unlock()
	enough := c.Status != http.StatusForbidden || contains(r.Scopes, c.scopes())
	switch {
	case r.AccessToken != "" && r.AccessToken != sent && enough && !r.isDue():
		s.end(nil)
		return r, nil // somebody has signed in since, or renewed
	case c.Status == http.StatusForbidden && enough && c.Scope != "":
		return nil, &Error{Code: ErrDenied, Text: s.server.Host + " wants " + quote(c.Scope) +
			", which this account has. Signing in again would change nothing; ask the server's operator, or sign out and in as somebody else."}
	case c.Status == http.StatusForbidden, !r.isSignedIn(), inVain:
		return nil, nil
	}
	r, err := s.renew(ctx, sent)
	if err != nil || r == nil || r.AccessToken == "" {
		return nil, err
	}
	s.mu.Lock()
	s.renewed, s.renewedAt = r.AccessToken, time.Now()
	s.mu.Unlock()
	return r, nil
}

func (s *SignIn) prompt(ctx context.Context, c challenge, r *record) error {
	if s.o.Ask == nil || s.grant == GrantCredentials {
		return nil
	}
	p := Prompt{URL: s.o.URL, Host: s.server.Host, Status: c.Status, Scopes: c.scopes(), Account: r.Account}
	if isScope(c.Error) {
		p.Reason = c.Error
	}
	if c.Status == http.StatusUnauthorized {
		s.mu.Lock()
		errors.As(s.over, &p.Over)
		s.mu.Unlock()
	}
	return s.o.Ask(ctx, p)
}

// signIn signs in anew, or for more than before. old is what is known of the
// account.
func (s *SignIn) signIn(ctx context.Context, c challenge, old *record) (*record, error) {
	if s.grant == GrantCode && s.o.Open == nil {
		return nil, &Error{Code: ErrNobody, Text: s.server.Host + " wants a sign-in, and nobody is here to do it."}
	}
	f, err := s.discover(ctx, c, old.Issuer)
	if err != nil {
		return nil, err
	}
	replaces, err := s.change(ctx, old, f.meta.Issuer)
	if err != nil {
		return nil, err
	}
	same := old.Issuer == f.meta.Issuer && old.Resource == f.resource
	d := demand{challenge: c.scopes(), resource: scopesOf(strings.Join(f.scopes, " ")), server: f.meta, person: s.grant == GrantCode}
	if same {
		d.before = old.Scopes
	}
	who, token, scopes, err := s.obtain(ctx, f, d.asks())
	if err != nil {
		return nil, err
	}
	r := &record{Client: who, TokenEndpoint: f.meta.TokenEndpoint, RevocationEndpoint: f.meta.RevocationEndpoint}
	r.Account = Account{
		Label: rand.Text(), URL: s.server.String(), Issuer: f.meta.Issuer, Resource: f.resource, ClientID: who.ID, Grant: s.grant,
		Subject: subject(token, f.meta.Issuer, who.ID), Since: time.Now().UTC().Truncate(time.Second), Replaces: replaces,
	}
	r.take(token, scopes)
	if !sameScopes(r.Scopes, scopes) {
		r.Asked = scopes
	}
	if same && old.Label != "" && old.Client.is(who) && (old.Subject == "" || r.Subject == "" || old.Subject == r.Subject) {
		r.Label, r.Since, r.Subject, r.Replaces = old.Label, old.Since, cmp.Or(r.Subject, old.Subject), old.Replaces
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.end(nil)
	return r, s.keep(ctx, r)
}

// obtain gets a token in the way of this SignIn. It also returns the scopes that
// it asked for.
func (s *SignIn) obtain(ctx context.Context, f *found, asks [][]string) (who client, token *oauth2.Token, scopes []string, err error) {
	switch s.grant {
	case GrantCredentials:
		who, token, err = s.credentials(ctx, f, asks[0])
	case GrantEnterprise:
		who, token, err = s.enterprise(ctx, f, asks[0])
	default:
		return s.codeFlow(ctx, f, asks)
	}
	return who, token, asks[0], err
}

// Account is the account that is signed in; false if there is none.
func (s *SignIn) Account(ctx context.Context) (Account, bool, error) {
	r, err := s.load(ctx)
	if err != nil || r == nil || !r.isSignedIn() {
		return Account{}, false, err
	}
	return r.Account, true, nil
}
