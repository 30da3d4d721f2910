package oauth

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	parley "github.com/parley-mcp/parley/hosts/go"
	"golang.org/x/oauth2"
)

// Handled is a handler of the official Go SDK, as a Parley host uses it.
type Handled struct {
	handler auth.OAuthHandler
	url     string
	label   string

	mu sync.Mutex // handlers need not be safe for concurrent use
}

// Handler makes a handler of the official Go SDK answer the challenges of the
// server at url. What the handler keeps, checks and says in its errors is its
// affair; its account has a label of its own for as long as the process lives.
func Handler(h auth.OAuthHandler, url string) *Handled {
	return &Handled{handler: h, url: url, label: rand.Text()}
}

// Authorization is for [parley.StreamableHTTP].
func (h *Handled) Authorization(ctx context.Context) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	source, err := h.handler.TokenSource(ctx)
	if err != nil || source == nil {
		return "", err
	}
	token, err := source.Token()
	switch {
	case err != nil:
		return "", tokenError(ctx, hostOf(h.url), err)
	case !isToken(token.AccessToken):
		return "", &Error{Code: ErrServer, Text: "the handler has no token that can be sent."}
	}
	return token.Type() + " " + token.AccessToken, nil
}

// Authorize is for [parley.Askers]. The handler gets the challenge as the server
// wrote it.
func (h *Handled) Authorize(ctx context.Context, q parley.Question) ([]byte, error) {
	c, err := readChallenge(q)
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(h.url)
	if err != nil {
		return nil, &Error{Code: ErrUsage, Text: "the URL given to Handler is none."}
	}
	request := (&http.Request{Method: http.MethodPost, URL: server, Host: server.Host, Header: http.Header{}}).WithContext(ctx)
	response := &http.Response{
		StatusCode: c.Status, Status: http.StatusText(c.Status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Www-Authenticate": {c.Challenge}}, Body: http.NoBody, Request: request,
	}
	if c.Challenge == "" {
		response.Header.Del("WWW-Authenticate")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.handler.Authorize(ctx, request, response); err != nil {
		if refused := new(oauth2.RetrieveError); errors.As(err, &refused) && refused.Response != nil && refused.Response.Request != nil {
			err = tokenError(ctx, refused.Response.Request.URL.Host, refused) // its own text repeats what came, secrets included
		}
		return nil, err
	}
	return json.Marshal(map[string]string{"account": h.label})
}
