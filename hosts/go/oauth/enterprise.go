package oauth

import (
	"context"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// Enterprise is an organization's identity provider, where its people sign in
// once for all the servers that it lets them use.
type Enterprise struct {
	// Issuer is the identity provider.
	Issuer string

	// ClientID and ClientSecret are those of the host at the identity
	// provider. The secret may be "".
	ClientID, ClientSecret string

	// IDToken returns the id_token of the person, who may have to sign in at
	// the identity provider for it.
	IDToken func(ctx context.Context) (string, error)
}

// EnterpriseManaged makes a SignIn that goes by an organization's identity
// provider: it decides who may use the server, and no page of the server's
// authorization server is shown. ClientID of o is known to both. Open is not
// used.
//
// Source: the extension Enterprise-Managed Authorization, SEP-990.
func EnterpriseManaged(o Options, e Enterprise) (*SignIn, error) {
	if o.ClientID == "" || e.Issuer == "" || e.ClientID == "" || e.IDToken == nil {
		return nil, &Error{Code: ErrUsage, Text: "an enterprise-managed sign-in needs a ClientID here and at the identity provider, its Issuer and IDToken."}
	}
	s, err := newSignIn(o, GrantEnterprise)
	if err != nil {
		return nil, err
	}
	s.idp = &e
	return s, nil
}

// enterprise changes the id_token for an assertion at the identity provider (RFC
// 8693), and that for a token at the server's (RFC 7523).
func (s *SignIn) enterprise(ctx context.Context, f *found, scopes []string) (client, *oauth2.Token, error) {
	c := client{Kind: given, ID: s.o.ClientID, Secret: s.o.ClientSecret}
	var err error
	if c.Method, err = s.method(f, c.Secret != ""); err != nil {
		return c, nil, err
	}
	idToken, err := s.idp.IDToken(ctx)
	if err != nil {
		return c, nil, err
	}
	meta, err := s.findIssuer(ctx, s.idp.Issuer)
	if err != nil {
		return c, nil, err
	}
	at := &found{meta: meta}
	us := client{Kind: given, ID: s.idp.ClientID, Secret: s.idp.ClientSecret}
	if us.Method, err = s.method(at, us.Secret != ""); err != nil {
		return c, nil, err
	}
	grant, err := s.request(ctx, meta.TokenEndpoint, us, scopes, url.Values{
		"grant_type": {oauthex.GrantTypeTokenExchange}, "requested_token_type": {oauthex.TokenTypeIDJAG}, "audience": {f.meta.Issuer},
		"resource": {f.resource}, "subject_token": {idToken}, "subject_token_type": {oauthex.TokenTypeIDToken},
	})
	if err != nil {
		return c, nil, err
	}
	if kind, _ := grant.Extra("issued_token_type").(string); kind != oauthex.TokenTypeIDJAG {
		return c, nil, &Error{Code: ErrServer, Text: hostOf(meta.TokenEndpoint) + " did not give what the server's authorization server wants (an ID-JAG)."}
	}
	token, err := s.request(ctx, f.meta.TokenEndpoint, c, scopes, url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {grant.AccessToken}, "resource": {f.resource},
	})
	if err != nil {
		return c, nil, err
	}
	return c, token, checkToken(f.host, token)
}
