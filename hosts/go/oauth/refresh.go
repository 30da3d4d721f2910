package oauth

import (
	"context"
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
	token, err := s.refresh(ctx, r)
	switch {
	case isRefused(err, "invalid_grant", "invalid_client", "unauthorized_client", "invalid_target"):
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
		r.take(token)
	}
	return r, s.keep(ctx, r)
}

// refresh asks for a token; nil if there is nothing to get one with.
//
// Source: RFC 6749, section 6; RFC 8707, section 2.2 for the resource.
func (s *SignIn) refresh(ctx context.Context, r *record) (token *oauth2.Token, err error) {
	if r.Client.ID == s.o.ClientID && s.o.ClientSecret != "" {
		r.Client.Secret = s.o.ClientSecret
	}
	if _, err := s.web.check(r.TokenEndpoint); err != nil {
		return nil, nil // nothing that was kept is sent elsewhere
	}
	switch {
	case s.grant == GrantCredentials:
		token, err = s.request(ctx, r.TokenEndpoint, r.Client, r.Scopes, url.Values{"resource": {r.Resource}, audience: {r.Issuer}})
	case s.grant == GrantEnterprise:
		return nil, nil // from the beginning: the identity provider may have changed its mind
	case r.RefreshToken == "":
		return nil, nil
	default:
		token, err = s.request(ctx, r.TokenEndpoint, r.Client, nil, url.Values{
			"grant_type": {"refresh_token"}, "refresh_token": {r.RefreshToken}, "resource": {r.Resource},
		})
	}
	if err != nil {
		return nil, err
	}
	return token, checkToken(hostOf(r.TokenEndpoint), token)
}
