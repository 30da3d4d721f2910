package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// signInQuestion is the params of ask/sign-in.
type signInQuestion struct {
	about
	Words   string   `json:"words"`             // what is asked, in words of our own
	Host    string   `json:"host"`              // of the server
	Status  int      `json:"status"`            // of HTTP: 401, or 403 where more is wanted than was allowed
	Scopes  []string `json:"scopes,omitempty"`  // what the server says it wants
	Account string   `json:"account,omitempty"` // where somebody is, or was, signed in
}

// browserQuestion is the params of ask/browser.
type browserQuestion struct {
	about
	Words    string   `json:"words"`
	Host     string   `json:"host"` // of the authorization server: it gets to see the password
	URL      string   `json:"url"`
	Parts    []string `json:"parts"` // as those of ask/url
	Scopes   []string `json:"scopes,omitempty"`
	Punycode bool     `json:"punycode,omitempty"`
}

var errNotNow = errors.New("you chose not to sign in now")

// signing is a sign-in under way, for whoever the asking is about.
type signing struct {
	call *call
	q    parley.Question
	said bool // that somebody wants to sign in
}

type signingKey struct{}

// authorize answers a server that wants authorization.
func (c *call) authorize(ctx context.Context, q parley.Question) ([]byte, error) {
	return c.signIn(ctx, &signing{call: c, q: q})
}

func (c *call) signIn(ctx context.Context, s *signing) ([]byte, error) {
	return c.access.Authorize(context.WithValue(ctx, signingKey{}, s), s.q)
}

// person asks by the editor. One access is for many calls: whose sign-in it is,
// the context says.
func person() account.Person {
	of := func(ctx context.Context) *signing { return ctx.Value(signingKey{}).(*signing) }
	return account.Person{
		Ask:    func(ctx context.Context, p oauth.Prompt) error { return of(ctx).ask(ctx, p) },
		Change: func(ctx context.Context, c oauth.Change) error { return of(ctx).change(ctx, c) },
		Open:   func(ctx context.Context, p oauth.Page) error { return of(ctx).open(ctx, p) },
	}
}

// ask asks whether to sign in at all.
func (s *signing) ask(ctx context.Context, p oauth.Prompt) error {
	if s.said {
		return nil
	}
	shown := signInQuestion{about: s.call.about(s.q), Host: plain.Line(p.Host, maxName), Status: p.Status, Scopes: scopes(p.Scopes)}
	shown.Words = fmt.Sprintf("Sign in to %s?", shown.Host)
	if p.Over != nil {
		shown.Words += " The last sign-in is over: " + plain.Line(p.Over.Text, maxMessage)
	}
	shown.Account = accountName(p.Account)
	_, err := s.call.put(ctx, s.q, shown.Ask, "ask/sign-in", shown, agreed)
	return err
}

// change asks whether to sign in at another authorization server than before.
func (s *signing) change(ctx context.Context, c oauth.Change) error {
	shown := signInQuestion{about: s.call.about(s.q), Host: plain.Line(c.Host, maxName), Status: 401, Account: accountName(c.Account)}
	shown.Ask += ".change" // another question than whether to
	shown.Words = fmt.Sprintf("%s has people sign in at %s now, no longer at %s. Sign in there, and continue with the new account what you began with the old one?",
		shown.Host, issuerName(c.Issuer), issuerName(c.Account.Issuer))
	_, err := s.call.put(ctx, s.q, shown.Ask, "ask/sign-in", shown, agreed)
	return err
}

// accountName is where somebody is, or was, signed in.
func accountName(a oauth.Account) string {
	if a.Subject == "" || a.Issuer == "" {
		return issuerName(a.Issuer)
	}
	return plain.Line(a.Subject+" at "+issuerName(a.Issuer), maxName)
}

func issuerName(issuer string) string {
	if at := server.HTTPURL(issuer); at != nil {
		return plain.Line(at.Host, maxName)
	}
	return ""
}

// open shows where, and opens the browser there.
func (s *signing) open(ctx context.Context, p oauth.Page) error {
	shown := browserQuestion{about: s.call.about(s.q), Host: plain.Line(p.Host, maxName), URL: p.URL, Scopes: scopes(p.Scopes), Punycode: isPunycode(p.Host)}
	shown.Ask += ".browser" // another question than whether to
	shown.Parts = aroundHost(p.URL, p.Host)
	shown.Words = fmt.Sprintf("You sign in at %s, which sees what you type there.", shown.Host)
	for {
		opened := false
		_, err := s.call.put(ctx, s.q, shown.Ask, "ask/browser", shown, func(a *answerParams) ([]byte, error) {
			opened = a.Opened
			return agreed(a)
		})
		if err != nil {
			return err
		}
		s.call.advance("waiting for your browser, where you sign in at " + shown.Host)
		if opened || system.OpenPage(nil, p.URL) == nil {
			return nil
		}
		shown.Problem = "no browser could be opened: open the address yourself, in one on the computer that parley-editor runs on"
	}
}

func agreed(*answerParams) ([]byte, error) { return []byte("{}"), nil }

// isPunycode reports whether a host's name is made of other letters than it
// shows.
func isPunycode(host string) bool {
	return strings.HasPrefix(host, "xn--") || strings.Contains(host, ".xn--")
}

// maxScopes bounds how many scopes are shown.
const maxScopes = 50

func scopes(all []string) []string {
	shown := make([]string, min(len(all), maxScopes))
	for i := range shown {
		shown[i] = plain.Line(all[i], maxName)
	}
	return shown
}

// outside is what a server asks for outside of calls: its tools are listed, or
// somebody signs in.
func (h *host) outside(s server.Server, access *account.Access, subject string) *call {
	return &call{host: h, server: s, access: access, subject: subject, key: saved.NewID()}
}

// login signs in to a server. It returns when that is done.
func (h *host) login(ctx context.Context, p *oneServer) (any, error) {
	access, err := h.accessOf(p)
	if err != nil {
		return nil, err
	}
	params, err := json.Marshal(map[string]int{"status": 401})
	if err != nil {
		return nil, err
	}
	c := h.outside(p.Server, access, "signing in")
	if !h.editor.Load().Asks.Authorize {
		return nil, wrong("the editor cannot ask for a sign-in (asks.authorize): %s", h.signsIn(p.Server.URL))
	}
	if _, err := c.signIn(ctx, &signing{call: c, q: parley.Question{Kind: engine.KindAuthorize, Params: params}, said: true}); err != nil {
		return nil, rpcFault(err)
	}
	a, _, err := access.Account(ctx)
	return shownAccount(a), rpcFault(err)
}

// logout signs out of a server: nothing of the account is kept.
func (h *host) logout(ctx context.Context, p *oneServer) (any, error) {
	access, err := h.accessOf(p)
	if err != nil {
		return nil, err
	}
	return nil, rpcFault(access.SignOut(ctx))
}

// accountShown is an account that is signed in.
type accountShown struct {
	URL     string   `json:"url"`  // of the server
	Host    string   `json:"host"` // of the authorization server
	Subject string   `json:"subject,omitempty"`
	Scopes  []string `json:"scopes,omitempty"`
	Since   int64    `json:"since"` // in Unix seconds
}

// listAccounts lists who is signed in where.
func (h *host) listAccounts(ctx context.Context, _ *struct{}) (any, error) {
	all, err := oauth.Accounts(ctx, h.accounts)
	if err != nil {
		return nil, rpcFault(account.Words(err))
	}
	list := make([]accountShown, len(all))
	for i, a := range all {
		list[i] = shownAccount(a)
	}
	return map[string]any{"accounts": list}, nil
}

func shownAccount(a oauth.Account) accountShown {
	shown := accountShown{URL: plain.Line(a.URL, maxName), Subject: plain.Line(a.Subject, maxName), Scopes: scopes(a.Scopes), Since: a.Since.Unix()}
	if at := server.HTTPURL(a.Issuer); at != nil {
		shown.Host = at.Host
	}
	return shown
}

type oneServer struct {
	Server server.Server `json:"server"`
}

// accessOf is the access to a server, with which it is connected, too.
func (h *host) accessOf(p *oneServer) (*account.Access, error) {
	if err := complete(&p.Server); err != nil {
		return nil, err
	}
	peer, err := h.connect(p.Server)
	if err != nil {
		return nil, err
	}
	return peer.access, nil
}
