package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// request asks a token endpoint for a token by a grant other than a code. An
// error holds none of the secrets, and none that was sent.
func (s *SignIn) request(ctx context.Context, endpoint string, c client, scopes []string, params url.Values, secrets ...string) (*oauth2.Token, error) {
	host := hostOf(endpoint)
	config := clientcredentials.Config{
		ClientID: c.ID, TokenURL: endpoint, Scopes: scopes, EndpointParams: params, AuthStyle: c.style(),
	}
	switch c.Method {
	case methodKey:
		assertion, err := s.key.assert(c.ID, params.Get(audience))
		if err != nil {
			return nil, err
		}
		params.Set("client_assertion_type", assertionType)
		params.Set("client_assertion", assertion)
	case methodNone:
	default:
		config.ClientSecret = c.Secret
	}
	params.Del(audience)
	token, err := config.Token(context.WithValue(ctx, oauth2.HTTPClient, s.web.client))
	if err != nil {
		return nil, tokenError(ctx, host, err, secrets...)
	}
	return token, nil
}

// audience is not sent: who a client's assertion is for.
const audience = " audience"

// checkToken refuses tokens that are not sent as a bearer token is.
func checkToken(host string, token *oauth2.Token) error {
	switch {
	case token == nil || !isToken(token.AccessToken):
		return &Error{Code: ErrServer, Text: host + " gave no token that can be sent."}
	case !strings.EqualFold(token.Type(), "Bearer"):
		return &Error{Code: ErrServer, Text: fmt.Sprintf("%s gave a token of the type %s; only Bearer can be used.", host, quote(token.TokenType))}
	}
	return nil
}

// isToken reports whether text fits into the header: b64token of RFC 6750, and
// whatever else is visible.
func isToken(text string) bool {
	return text != "" && len(text) <= 64<<10 && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// refusal is how an authorization server said no.
type refusal struct {
	status int    // of HTTP; 0 if the browser brought it
	code   string // "error", "" if there is none that may be repeated
}

func (r refusal) Error() string {
	if r.code == "" {
		return fmt.Sprintf("the authorization server answered with HTTP status %d", r.status)
	}
	return "the authorization server answered " + quote(r.code)
}

func isRefused(err error, codes ...string) bool {
	var r refusal
	return errors.As(err, &r) && slices.Contains(codes, r.code)
}

// isFinal reports whether asking again would not help. What a server in trouble
// answers, or one that has too much to do, is no word on what was asked.
func (r refusal) isFinal() bool {
	switch r.code {
	case "invalid_grant", "invalid_client", "invalid_scope", "invalid_target", "invalid_request", "unauthorized_client", "unsupported_grant_type":
		return r.status != http.StatusTooManyRequests
	case "temporarily_unavailable", "server_error", "slow_down":
		return false
	}
	switch r.status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return r.status < 500
}

// tokenError is why there is no token.
func tokenError(ctx context.Context, host string, err error, secrets ...string) error {
	var refused *oauth2.RetrieveError
	var lost *url.Error
	switch {
	case errors.As(err, &refused) && refused.Response != nil:
		return refusedToken(host, refused, secrets)
	case errors.As(err, &lost), errors.Is(err, errTooLong), ctx.Err() != nil:
		return unreachable(ctx, host, err)
	case strings.Contains(err.Error(), errTooLong.Error()): // x/oauth2 does not wrap it
		return unreachable(ctx, host, errTooLong)
	}
	return &Error{Code: ErrServer, Text: host + " answered a request for a token with something that is none."}
}

func refusedToken(host string, refused *oauth2.RetrieveError, secrets []string) error {
	response := refused.Response
	if response.StatusCode/100 == 3 {
		return &Error{Code: ErrServer, Text: host + " sends requests for tokens on to another address. Nothing was sent there."}
	}
	code, words := heard(kindOf(response), refused.Body, append(secrets, secretsOf(response.Request)...))
	r := refusal{status: response.StatusCode, code: code}
	why := code + meaning(code)
	if code == "" {
		why = fmt.Sprintf("HTTP status %d", r.status)
	}
	text := host + " gave no token: " + why + "." + itSays(words)
	if !r.isFinal() {
		text += " Try again later."
	}
	return &Error{Code: ErrServer, Err: r, Text: text}
}

func meaning(code string) string {
	switch code {
	case "invalid_grant":
		return " (the sign-in is over, or took too long: sign in again)"
	case "invalid_client", "unauthorized_client":
		return " (it does not know this client, or no longer: check client id and secret)"
	case "invalid_scope":
		return " (it does not know what the server asks for)"
	case "invalid_target":
		return " (it gives no tokens for this server)"
	}
	return ""
}
