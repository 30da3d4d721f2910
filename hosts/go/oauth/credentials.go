package oauth

import (
	"context"
	"net/url"

	"golang.org/x/oauth2"
)

// ClientCredentials makes a SignIn for a program without a person: it gets its
// tokens with ClientID and ClientSecret, or with key in place of the secret. Ask
// and Open of o are not used.
//
// Source: the extension OAuth Client Credentials, SEP-1046.
func ClientCredentials(o Options, key *ClientKey) (*SignIn, error) {
	if o.ClientID == "" || (o.ClientSecret == "") == (key == nil) {
		return nil, &Error{Code: ErrUsage, Text: "client credentials are a ClientID with either a ClientSecret or a key."}
	}
	s, err := newSignIn(o, GrantCredentials)
	if err != nil {
		return nil, err
	}
	if s.key = key; key != nil {
		if _, err := key.algorithm(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *SignIn) credentials(ctx context.Context, f *found, scopes []string) (client, *oauth2.Token, error) {
	c := client{Kind: given, ID: s.o.ClientID, Secret: s.o.ClientSecret}
	var err error
	if c.Method, err = s.method(f, c.Secret != ""); err != nil {
		return c, nil, err
	}
	token, err := s.request(ctx, f.meta.TokenEndpoint, c, scopes, url.Values{"resource": {f.resource}, audience: {f.meta.Issuer}})
	if err != nil {
		return c, nil, err
	}
	return c, token, checkToken(f.host, token)
}
