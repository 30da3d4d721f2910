package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// codeFlow signs in through a browser. The official SDK's handler runs it, with
// what discovery has checked and nothing else: one client, one authorization
// server, the scopes to ask for, of which it returns those that were taken.
func (s *SignIn) codeFlow(ctx context.Context, f *found, asks [][]string) (c client, token *oauth2.Token, scopes []string, err error) {
	if c, err = s.clientFor(ctx, f); err != nil {
		return c, nil, nil, err
	}
	back, err := s.listen(c)
	if err != nil {
		return c, nil, nil, err
	}
	visiting, stop := context.WithCancel(ctx)
	v := &visit{
		page: Page{Host: hostOf(f.meta.AuthorizationEndpoint), Issuer: f.meta.Issuer, Scopes: slices.Clone(asks[0])},
		open: s.o.Open, opening: visiting, stop: stop, back: back, issuer: f.meta.Issuer, mustSayIssuer: f.meta.AuthorizationResponseIssParameterSupported,
	}
	defer v.close()
	defer stop()
	defer s.o.Callback.forget(back)
	if c.Kind == registered && (c.ID == "" || c.Redirect != back.redirect) {
		if c, err = s.register(ctx, f, back.redirect); err != nil {
			return c, nil, nil, err
		}
	}
	for _, scopes = range asks {
		v.scopes = scopes
		// Keycloak says not_allowed where somebody may have no offline_access.
		if token, err = s.runHandler(ctx, f, c, scopes, v); !isRefused(err, "invalid_scope", "not_allowed") {
			break
		}
	}
	v.end(err)
	if c.Kind == registered && isRefused(err, "invalid_client", "unauthorized_client") {
		err = errors.Join(err, save(ctx, s.store, registrationKey(f.meta.Issuer), nil)) // next time, register anew
	}
	return c, token, scopes, err
}

// listen waits where the client was registered to come back to, if it can.
func (s *SignIn) listen(c client) (*loopback, error) {
	if s.o.Callback != nil {
		return s.o.Callback.wait(), nil
	}
	if s.o.CallbackPort == 0 && c.port() != 0 {
		if back, err := listen(c.port()); err == nil {
			return back, nil
		}
	}
	return listen(s.o.CallbackPort)
}

// runHandler lets the SDK's handler get a code, and a token for it.
func (s *SignIn) runHandler(ctx context.Context, f *found, c client, scopes []string, v *visit) (*oauth2.Token, error) {
	resource, err := url.Parse(f.resource)
	if err != nil {
		return nil, err
	}
	recall, err := recallFor(f, c, s.web.client.Transport)
	if err != nil {
		return nil, err
	}
	web := *s.web.client
	web.Transport = recall
	var token *oauth2.Token
	config := &auth.AuthorizationCodeHandlerConfig{
		PreregisteredClient: &oauthex.ClientCredentials{ClientID: c.ID, Issuer: f.meta.Issuer}, RedirectURL: v.back.redirect,
		AuthorizationCodeFetcher: v.fetch, AcceptUnadvertisedIss: true, Client: &web,
		ScopeFilter: func([]string) []string { return slices.Clone(scopes) },
		NewTokenSource: func(_ context.Context, _ *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			token = t
			return oauth2.StaticTokenSource(t), nil
		},
	}
	if c.Method != methodNone {
		config.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: c.Secret}
	}
	handler, err := auth.NewAuthorizationCodeHandler(config)
	if err != nil {
		return nil, &Error{Code: ErrUsage, Text: "this client cannot be used to sign in."}
	}
	// The resource's URL stands for the server's: it is what tokens are for.
	request := (&http.Request{Method: http.MethodPost, URL: resource, Header: http.Header{}}).WithContext(ctx)
	response := &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Body: http.NoBody, Request: request}
	if err := handler.Authorize(ctx, request, response); err != nil {
		if v.failed != nil {
			return nil, v.failed
		}
		return nil, tokenError(ctx, f.host, err)
	}
	return token, checkToken(f.host, token)
}

// recall gives the handler the metadata that was checked, narrowed to what it is
// to do with it, so that it cannot get to see other. Everything else goes out.
type recall struct {
	resource, issuer []byte
	under            http.RoundTripper
}

func recallFor(f *found, c client, under http.RoundTripper) (*recall, error) {
	meta := *f.meta
	meta.ScopesSupported = nil // the scopes are chosen
	meta.TokenEndpointAuthMethodsSupported = []string{methodPost}
	if c.Method == methodBasic {
		meta.TokenEndpointAuthMethodsSupported = []string{methodBasic}
	}
	issuer, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	resource, err := json.Marshal(oauthex.ProtectedResourceMetadata{Resource: f.resource, AuthorizationServers: []string{f.meta.Issuer}})
	return &recall{resource: resource, issuer: issuer, under: under}, err
}

// RoundTrip implements [http.RoundTripper].
func (r *recall) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet {
		return r.under.RoundTrip(request)
	}
	text := r.issuer
	if strings.HasPrefix(request.URL.Path, wellKnownResource) {
		text = r.resource
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}, nil
}

// visit is a person's way to the authorization server and back.
type visit struct {
	page          Page
	open          func(context.Context, Page) error
	opening       context.Context // of open
	stop          func()          // ends it: the browser has come back for good
	back          *loopback
	issuer        string
	mustSayIssuer bool
	scopes        []string // to ask for now

	opened  chan error // what open returned
	arrived *arrival
	failed  error // what the visit ended with
}

// fetch is the handler's AuthorizationCodeFetcher.
func (v *visit) fetch(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	result, err := v.wait(ctx, args.URL)
	v.failed = err
	return result, err
}

// wait opens the page, or sends the browser on that has come back, and waits
// until it is there again.
func (v *visit) wait(ctx context.Context, address string) (*auth.AuthorizationResult, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, &Error{Code: ErrServer, Text: "the page to sign in at has no address."}
	}
	query := u.Query()
	if len(v.scopes) > 0 {
		query.Set("scope", strings.Join(v.scopes, " ")) // the handler has them in any order
	}
	if wantsConsent(v.scopes, u) {
		query.Set("prompt", "consent")
	}
	u.RawQuery = query.Encode()
	if last := v.arrived; last != nil {
		v.arrived = nil
		v.back.sendOn(last, query.Get("state"), u.String())
	} else {
		opened := make(chan error, 1)
		v.page.URL, v.opened = u.String(), opened
		v.back.expect(query.Get("state"))
		go func() { opened <- v.open(v.opening, v.page) }()
	}
	for v.arrived == nil {
		select {
		case err := <-v.opened:
			if err != nil {
				return nil, err
			}
			v.opened = nil
		case v.arrived = <-v.back.arrived:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if v.arrived.failure == "" {
		v.stop()
	}
	return v.result(v.arrived)
}

// result is the code that came, if it came from where it should.
//
// Source: RFC 9207, section 2.4; MCP 2026-07-28, basic/authorization,
// Authorization Response Validation: also for errors, without normalization.
func (v *visit) result(a *arrival) (*auth.AuthorizationResult, error) {
	switch {
	case a.issuer != "" && a.issuer != v.issuer:
		return nil, &Error{Code: ErrServer, Text: "the answer to the sign-in came from " + quote(a.issuer) + ", and you were sent to " + v.issuer +
			". It was thrown away, and no token was asked for."}
	case a.issuer == "" && v.mustSayIssuer:
		return nil, &Error{Code: ErrServer, Text: "the answer to the sign-in does not say that it comes from " + v.issuer +
			", as that server promises. It was thrown away, and no token was asked for."}
	case a.failure == "access_denied":
		return nil, &Error{Code: ErrDenied, Text: "the sign-in at " + v.page.Host + " was denied." + itSays(a.words)}
	case a.failure != "":
		return nil, &Error{Code: ErrServer, Err: refusal{code: a.failure}, Text: v.page.Host + " ended the sign-in with " + quote(a.failure) + "." + itSays(a.words)}
	case a.code == "":
		return nil, &Error{Code: ErrServer, Text: "the browser came back from " + v.page.Host + " without an answer. Try again." + itSays(a.words)}
	}
	return &auth.AuthorizationResult{Code: a.code, State: a.state, Iss: a.issuer}, nil
}

// end lets the page in the browser say how it ended.
func (v *visit) end(err error) {
	if v.arrived != nil {
		v.arrived.outcome <- err
	}
}

func (v *visit) close() { v.back.close(v.arrived != nil) }
