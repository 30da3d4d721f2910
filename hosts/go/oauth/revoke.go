package oauth

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// SignOut revokes the tokens where the authorization server offers it (RFC
// 7009), and forgets account and client in any case, also an account that signed
// in with other Options for the same URL: a client that the authorization server has
// forgotten can be registered anew in no other way. An error says that they
// could not be revoked, or not be forgotten.
func (s *SignIn) SignOut(ctx context.Context) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	r, unread := s.loadAny(ctx)
	if r == nil && unread == nil {
		return nil
	}
	if err := save(ctx, s.store, accountKey(s.server), nil); err != nil {
		return err
	}
	s.mu.Lock()
	s.kept, s.sent, s.renewed = nil, "", ""
	s.mu.Unlock()
	if r == nil {
		return unread // it is forgotten all the same
	}
	if r.Client.Kind == registered {
		if err := save(ctx, s.store, registrationKey(r.Issuer), nil); err != nil {
			return err
		}
	}
	return s.revoke(ctx, r)
}

// revoke asks for the end of the refresh token, which takes its access tokens
// along, or else of the access token.
func (s *SignIn) revoke(ctx context.Context, r *record) error {
	form := url.Values{"token": {r.RefreshToken}, "token_type_hint": {"refresh_token"}}
	if r.RefreshToken == "" {
		form = url.Values{"token": {r.AccessToken}, "token_type_hint": {"access_token"}}
	}
	if r.RevocationEndpoint == "" || form.Get("token") == "" {
		return nil
	}
	const but = "you are signed out here, but the sign-in may live on at %s: %s"
	at, err := s.web.check(r.RevocationEndpoint)
	if err != nil {
		return nil // it was safe when it was kept
	}
	switch r.Client.Method {
	case methodNone, methodPost:
		form.Set("client_id", r.Client.ID)
	case methodKey:
		if s.key == nil {
			return &Error{Code: ErrUsage, Text: fmt.Sprintf(but, at.Host, "the client's key is needed to end it.")}
		}
		assertion, err := s.key.assert(r.Client.ID, r.Issuer)
		if err != nil {
			return err
		}
		form.Set("client_assertion_type", assertionType)
		form.Set("client_assertion", assertion)
	}
	if r.Client.Method == methodPost {
		form.Set("client_secret", r.Client.Secret)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if r.Client.Method == methodBasic {
		request.SetBasicAuth(url.QueryEscape(r.Client.ID), url.QueryEscape(r.Client.Secret))
	}
	response, err := s.web.client.Do(request)
	if err != nil {
		return &Error{Code: ErrUnreachable, Text: fmt.Sprintf(but, at.Host, "it did not answer."), Err: bare(err)}
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode == http.StatusOK {
		return nil
	}
	code, words := heard(kindOf(response), text, secretsOf(request))
	if code != "" {
		code = " (" + code + ")"
	}
	return &Error{Code: ErrServer, Text: fmt.Sprintf(but, at.Host, fmt.Sprintf("it answered with HTTP status %d%s.", response.StatusCode, code)) + itSays(words)}
}
