package oauth

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// client is who the host is to one authorization server.
type client struct {
	Kind   clientKind `json:"kind"`
	ID     string     `json:"id"`
	Secret string     `json:"secret,omitempty"`
	Method string     `json:"method"` // token_endpoint_auth_method

	Redirect string    `json:"redirect,omitempty"` // the redirect_uri it was registered with
	Expires  time.Time `json:"expires,omitzero"`   // of the secret
}

type clientKind string

const (
	given      clientKind = "given"      // registered beforehand
	document   clientKind = "document"   // a Client ID Metadata Document
	registered clientKind = "registered" // by us (RFC 7591)
)

// Ways of a client to prove at the token endpoint who it is.
const (
	methodNone  = "none"
	methodPost  = "client_secret_post"
	methodBasic = "client_secret_basic"
	methodKey   = "private_key_jwt"
)

// is reports whether two are the same client as far as an account goes. What we
// registered ourselves may have to be registered again.
func (c client) is(other client) bool {
	return c.Kind == other.Kind && (c.Kind == registered || c.ID == other.ID)
}

func (c client) style() oauth2.AuthStyle {
	if c.Method == methodBasic {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

// clientFor is the client for an authorization server: one that was registered
// beforehand, then a metadata document, then one that we registered earlier. Its
// ID is "" if we have to register.
//
// Source: MCP 2026-07-28, basic/authorization, Client Registration Approaches.
func (s *SignIn) clientFor(ctx context.Context, f *found) (client, error) {
	switch {
	case s.o.ClientID != "":
		c := client{Kind: given, ID: s.o.ClientID, Secret: s.o.ClientSecret}
		var err error
		c.Method, err = s.method(f, c.Secret != "")
		return c, err
	case s.o.ClientMetadataURL != "" && f.meta.ClientIDMetadataDocumentSupported:
		return client{Kind: document, ID: s.o.ClientMetadataURL, Method: methodNone}, nil
	}
	var c client
	if err := load(ctx, s.store, registrationKey(f.meta.Issuer), &c); err != nil {
		return client{}, err
	}
	if c.Kind == registered && (c.Expires.IsZero() || c.Expires.After(time.Now())) {
		return c, nil
	}
	if f.meta.RegistrationEndpoint == "" {
		return client{}, &Error{Code: ErrNobody, Text: hostOf(f.meta.Issuer) +
			" does not let programs register themselves. Register this one there, and give its client id."}
	}
	return client{Kind: registered}, nil
}

func registrationKey(issuer string) string { return "client " + issuer }

// method is how a client proves who it is, one with a secret or one without.
func (s *SignIn) method(f *found, secret bool) (string, error) {
	supported := f.meta.TokenEndpointAuthMethodsSupported
	if len(supported) == 0 {
		supported = []string{methodBasic, methodNone} // RFC 8414, section 2; public clients are what native ones are
	}
	for _, method := range s.methods(secret) {
		if slices.Contains(supported, method) {
			return method, nil
		}
	}
	if !secret && s.key == nil {
		return methodNone, nil // many leave it out of the list
	}
	return "", &Error{Code: ErrNobody, Text: hostOf(f.meta.Issuer) + " does not accept a client that proves itself as this one can. Register one there that it accepts."}
}

func (s *SignIn) methods(secret bool) []string {
	switch {
	case s.key != nil:
		return []string{methodKey}
	case secret:
		return []string{methodPost, methodBasic}
	}
	return []string{methodNone}
}

// port is where the browser has to come back to.
func (c client) port() int {
	u, err := url.Parse(c.Redirect)
	if err != nil {
		return 0
	}
	port, _ := strconv.Atoi(u.Port())
	return port
}

// register registers with an authorization server, and keeps what comes of it.
func (s *SignIn) register(ctx context.Context, f *found, redirect string) (client, error) {
	c := client{Kind: registered, Redirect: redirect, Method: methodNone}
	if supported := f.meta.TokenEndpointAuthMethodsSupported; len(supported) > 0 {
		for _, method := range []string{methodBasic, methodPost, methodNone} { // the last one counts
			if slices.Contains(supported, method) {
				c.Method = method
			}
		}
	}
	grants := []string{"authorization_code", "refresh_token"}
	if !refreshes(f.meta) {
		grants = grants[:1]
	}
	web, said := *s.web.client, &saying{under: s.web.client.Transport}
	web.Transport = said
	answer, err := oauthex.RegisterClient(ctx, f.meta.RegistrationEndpoint, &oauthex.ClientRegistrationMetadata{
		ClientName: cmp.Or(s.o.ClientName, "MCP client"), ApplicationType: applicationType(redirect), RedirectURIs: []string{redirect},
		GrantTypes: grants, ResponseTypes: []string{"code"}, TokenEndpointAuthMethod: c.Method,
	}, &web)
	if err != nil {
		return c, refusedRegistration(ctx, hostOf(f.meta.RegistrationEndpoint), err, said)
	}
	c.ID, c.Secret, c.Expires = answer.ClientID, answer.ClientSecret, answer.ClientSecretExpiresAt
	c.Method = cmp.Or(answer.TokenEndpointAuthMethod, c.Method)
	if !slices.Contains([]string{methodNone, methodPost, methodBasic}, c.Method) || c.Method != methodNone && c.Secret == "" {
		return c, &Error{Code: ErrServer, Text: hostOf(f.meta.RegistrationEndpoint) + " registered this program in a way that it cannot use. Register one there, and give its client id."}
	}
	return c, save(ctx, s.store, registrationKey(f.meta.Issuer), c)
}

// refusedRegistration is why a registration came to nothing. The SDK's error
// repeats all of the answer, so nothing of it is shown.
func refusedRegistration(ctx context.Context, host string, err error, said *saying) error {
	var lost *url.Error
	text := host + " did not register this program"
	switch {
	case errors.As(err, &lost) || ctx.Err() != nil:
		return unreachable(ctx, host, err)
	case said.code != "":
		text += ": " + said.code
	case said.status != 0:
		text += fmt.Sprintf(": HTTP status %d", said.status)
	}
	return &Error{Code: ErrServer, Text: text + "." + itSays(said.words) + " Register one there, and give its client id."}
}

// saying hears what is said beside an error status, and passes it on.
type saying struct {
	under       http.RoundTripper
	status      int // 0 if nothing was refused
	code, words string
}

// RoundTrip implements [http.RoundTripper].
func (s *saying) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := s.under.RoundTrip(request)
	if err != nil || response.StatusCode < 400 {
		return response, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	s.status = response.StatusCode
	s.code, s.words = heard(kindOf(response), text, nil)
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response, nil
}

// forgetRegistration makes the next sign-in register anew.
func (s *SignIn) forgetRegistration(ctx context.Context, issuer string) error {
	return save(ctx, s.store, registrationKey(issuer), nil)
}
