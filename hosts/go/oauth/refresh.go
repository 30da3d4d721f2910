package oauth

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"time"

	"golang.org/x/oauth2"
)

// early is how long before its end a token is renewed.
const early = 10 * time.Second

// renew gets a new token without a person, unless another process has done so:
// lock, read again, refresh, write. old is the access token that does not do any
// more. What comes back has no access token if a person has to sign in.
func (s *SignIn) renew(ctx context.Context, old string) (*record, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := s.load(ctx)
	if err != nil || r == nil {
		return nil, err
	}
	if r.AccessToken != "" && r.AccessToken != old && !r.isDue() {
		return r, nil
	}
	token, asked, err := s.refresh(ctx, r)
	var no refusal
	switch {
	case errors.As(err, &no) && no.isFinal():
		s.end(err)
		r.AccessToken, r.RefreshToken = "", ""
		if r.Client.Kind == registered && isRefused(err, "invalid_client") { // it has forgotten the client: nobody is sent there with it
			if err := save(ctx, s.store, registrationKey(r.Issuer), nil); err != nil {
				return nil, err
			}
		}
	case err != nil:
		return nil, err
	case token == nil:
		r.AccessToken = ""
	default:
		r.take(token, asked)
	}
	return r, s.keep(ctx, r)
}

// end remembers why a sign-in is over, for the person who is asked to sign in
// again.
func (s *SignIn) end(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = why
}

// refresh asks for a token; nil if there is nothing to get one with. It also
// returns the scopes that it asked for.
//
// Source: RFC 6749, section 6; RFC 8707, section 2.2 for the resource.
func (s *SignIn) refresh(ctx context.Context, r *record) (*oauth2.Token, []string, error) {
	if r.Client.ID == s.o.ClientID && s.o.ClientSecret != "" {
		r.Client.Secret = s.o.ClientSecret
	}
	if _, err := s.web.check(r.TokenEndpoint); err != nil {
		return nil, nil, nil // nothing that was kept is sent elsewhere
	}
	var params url.Values
	switch {
	case s.grant == GrantCredentials:
		params = url.Values{"resource": {r.Resource}, audience: {r.Issuer}}
	case s.grant == GrantEnterprise, r.RefreshToken == "":
		return nil, nil, nil // an identity provider may have changed its mind: from the beginning
	default:
		params = url.Values{"grant_type": {"refresh_token"}, "refresh_token": {r.RefreshToken}, "resource": {r.Resource}}
	}
	var token *oauth2.Token
	var err error
	var asked []string
	for _, asked = range refreshAsks(r.Scopes, r.Asked) {
		if token, err = s.request(ctx, r.TokenEndpoint, r.Client, asked, maps.Clone(params), r.AccessToken); !isRefused(err, "invalid_scope") {
			break
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if len(asked) == 0 {
		asked = r.Scopes
	}
	return token, asked, checkToken(hostOf(r.TokenEndpoint), token)
}
