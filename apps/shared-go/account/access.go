package account

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/server"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// Person is who can be asked to sign in; see [oauth.Options]. Without Open there
// is nobody.
type Person struct {
	Ask    func(ctx context.Context, p oauth.Prompt) error
	Change func(ctx context.Context, c oauth.Change) error
	Choose func(ctx context.Context, issuers []string) (string, error)
	Open   func(ctx context.Context, p oauth.Page) error
}

// Access is how requests to one server are authorized. Several sessions with it
// may share one. It is safe for concurrent use.
type Access struct {
	means Means
	host  string
	login *oauth.SignIn // nil if nobody can sign in at this server
	why   error         // then why not
	fixed func(context.Context) (string, error)
}

// New makes the access to a server: by what means says, or by signing in and the
// account that is kept then. It sends nothing.
func New(s *server.Server, means Means, store oauth.Store, who Person) (*Access, error) {
	a := &Access{means: means}
	at := server.HTTPURL(s.URL)
	if at == nil {
		a.why = errors.New("a server that is a command has its credentials from its environment")
		return a, nil
	}
	a.host = at.Host
	if err := means.check(); err != nil {
		return nil, err
	}
	if at.User != nil && means.BearerFile == "" {
		a.why = fmt.Errorf("the address of %s has a name in it, with which it is called; without that you can sign in", a.host)
		return a, nil
	}
	switch {
	case means.BearerFile != "":
		source := oauth.Bearer(oauth.TokenFile(means.BearerFile))
		if _, err := source(context.Background()); err != nil {
			return nil, Words(err)
		}
		return a, a.fix(at, source, "the token in "+means.BearerFile)
	case means.HeaderFile != "":
		header, err := readHeaders(means.HeaderFile)
		if err != nil {
			return nil, err
		}
		if header.Get("Authorization") != "" {
			return a, a.fix(at, a.fromFile, "the Authorization in "+means.HeaderFile)
		}
		if header.Get("Cookie") != "" && !isSafe(at) {
			return nil, errPlain
		}
	}
	options, err := means.options(s.URL, store)
	if err != nil {
		return nil, err
	}
	options.Ask, options.Change, options.Choose, options.Open = who.Ask, who.Change, who.Choose, who.Open
	a.login, a.why = oauth.New(options)
	if a.why != nil && means.ClientMetadataURL+means.ClientID != "" {
		return nil, Words(a.why)
	}
	return a, nil
}

// fix has requests authorized by what somebody gave: nobody signs in.
func (a *Access) fix(at *url.URL, source func(context.Context) (string, error), what string) error {
	if !isSafe(at) {
		return errPlain
	}
	a.fixed = source
	a.why = fmt.Errorf("%s does not accept %s, or it allows too little", a.host, what)
	return nil
}

var errPlain = errors.New("a secret goes to https only, or to this machine: others could read it on the way")

// isSafe reports whether nobody else reads what is sent there.
func isSafe(at *url.URL) bool {
	ip, err := netip.ParseAddr(at.Hostname())
	return at.Scheme == "https" || at.Hostname() == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// fromFile reads the file again for every request, so that whoever renews what is
// in it only writes the file. A file that is just being written is no reason
// to go without.
func (a *Access) fromFile(context.Context) (string, error) {
	header, err := readHeaders(a.means.HeaderFile)
	if err == nil && header.Get("Authorization") == "" {
		err = fmt.Errorf("there is no Authorization in %s any more", a.means.HeaderFile)
	}
	return header.Get("Authorization"), err
}

// Authorization is for [parley.StreamableHTTP].
func (a *Access) Authorization(ctx context.Context) (string, error) {
	switch {
	case a.fixed != nil:
		value, err := a.fixed(ctx)
		return value, Words(err)
	case a.login != nil:
		value, err := a.login.Authorization(ctx)
		return value, Words(err)
	}
	return "", nil
}

// Authorize is for [parley.Askers].
func (a *Access) Authorize(ctx context.Context, q parley.Question) ([]byte, error) {
	if a.login == nil {
		return nil, Words(a.why)
	}
	answer, err := a.login.Authorize(ctx, q)
	return answer, Words(err)
}

// IsFixed reports whether requests carry an authorization from a file. If they do, the
// person isn't asked to sign in, and why explains a refusal by the server.
func (a *Access) IsFixed() (fixed bool, why error) { return a.fixed != nil, a.why }

// CanSignIn reports whether somebody can sign in at the server, and if not, why.
func (a *Access) CanSignIn() (bool, error) { return a.login != nil, Words(a.why) }

// Account is the account that is signed in; false if there is none.
func (a *Access) Account(ctx context.Context) (oauth.Account, bool, error) {
	if a.login == nil {
		return oauth.Account{}, false, nil
	}
	account, ok, err := a.login.Account(ctx)
	return account, ok, Words(err)
}

// SignOut revokes and forgets the account; see [oauth.SignIn.SignOut].
func (a *Access) SignOut(ctx context.Context) error {
	if a.login == nil {
		return Words(a.why)
	}
	return Words(a.login.SignOut(ctx))
}

// Principal is whose a new call is: the label of the account that is signed in,
// "" if nobody is.
func (a *Access) Principal(ctx context.Context) (string, error) {
	account, _, err := a.Account(ctx)
	return account.Label, err
}

// Resumes says whether a parked call whose principal is given can be gone on
// with: not as somebody else, who would be given its answers. A call of an
// account that is signed out waits for who signs in.
func (a *Access) Resumes(ctx context.Context, principal string) error {
	account, ok, err := a.Account(ctx)
	switch {
	case err != nil, principal == "", ok && account.Is(principal):
		return err
	case a.fixed != nil:
		return fmt.Errorf("it belongs to an account that somebody signed in to at %s, and its answers go nowhere with a token of a file: leave that out", a.host)
	case ok:
		return &OtherAccount{Host: a.host}
	}
	return nil
}

// OtherAccount says that a parked call is not of the account that is signed in.
type OtherAccount struct{ Host string }

// Error implements error: a sentence for the person.
func (e *OtherAccount) Error() string {
	return fmt.Sprintf("it belongs to another account at %s than the one that is signed in, and its answers go nowhere as somebody else", e.Host)
}

// Transport makes the connection to a server as [server.Server.Transport] does,
// authorized.
func (a *Access) Transport(s *server.Server, client *http.Client, log io.Writer) parley.Transport {
	t := s.Transport(client, log)
	if h, ok := t.(*parley.StreamableHTTP); ok {
		h.Authorization = a.Authorization
		if a.means.Headers != nil || a.means.HeaderFile != "" {
			h.Client = a.client(client)
		}
	}
	return t
}

// client adds the header fields that somebody gave.
func (a *Access) client(client *http.Client) *http.Client {
	c := http.Client{}
	if client != nil {
		c = *client
	}
	under := c.Transport
	if under == nil {
		under = http.DefaultTransport
	}
	c.Transport = &adding{a.means, a.host, under}
	return &c
}

// adding is a [http.RoundTripper] that adds header fields to what goes to one
// host.
type adding struct {
	means Means
	host  string
	under http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t *adding) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != t.host {
		return t.under.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	add := func(header http.Header) {
		for name, values := range header {
			switch name {
			case "Authorization":
			case "Cookie":
				r.Header.Set(name, withSet(values, r.Header.Get(name)))
			default:
				r.Header[name] = values
			}
		}
	}
	add(t.means.Headers)
	if t.means.HeaderFile != "" {
		header, err := readHeaders(t.means.HeaderFile)
		if err != nil {
			if r.Body != nil {
				r.Body.Close()
			}
			return nil, err
		}
		add(header)
	}
	return t.under.RoundTrip(r)
}

// withSet is the value of a Cookie field: the cookies that somebody gave, and behind
// them those that the server has set, without any of the same name.
func withSet(given []string, set string) string {
	value := strings.Join(given, "; ")
	names := map[string]bool{}
	for pair := range strings.SplitSeq(value, ";") {
		names[nameOf(pair)] = true
	}
	for pair := range strings.SplitSeq(set, "; ") {
		if set != "" && !names[nameOf(pair)] {
			value += "; " + pair
		}
	}
	return value
}

func nameOf(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	return strings.TrimSpace(name)
}

// Words is an error whose text is the sentence for the person alone.
func Words(err error) error {
	var failed *oauth.Error
	if !errors.As(err, &failed) {
		return err
	}
	return &worded{failed}
}

type worded struct{ err *oauth.Error }

func (e *worded) Error() string { return e.err.Text }
func (e *worded) Unwrap() error { return e.err }
