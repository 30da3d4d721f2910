package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// lookup verifies tokens by asking the authorization server (RFC 7662).
type lookup struct {
	url, id, secret string
	resource        string // tokens are to be for it
	seen            *ledger
}

func (l *lookup) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, strings.NewReader(url.Values{"token": {token}}.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(l.id, l.secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the authorization server cannot be reached")
	}
	defer res.Body.Close()
	var said struct {
		Active     bool
		Aud, Scope string
		Sub        string
		Exp        int64
	}
	if err := json.NewDecoder(res.Body).Decode(&said); err != nil || res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the authorization server answers with status %d", res.StatusCode)
	}
	switch {
	case !said.Active:
		l.seen.count("tokens not active")
		return nil, auth.ErrInvalidToken
	case said.Aud != l.resource:
		l.seen.count("tokens for another resource")
		return nil, auth.ErrInvalidToken
	}
	l.seen.saw(token, said.Sub)
	return &auth.TokenInfo{Scopes: strings.Fields(said.Scope), Expiration: time.Unix(said.Exp, 0), UserID: said.Sub}, nil
}

// allows tells whether the request's token has a scope.
func allows(ctx context.Context, scope string) bool {
	info := auth.TokenInfoFromContext(ctx)
	return info != nil && slices.Contains(info.Scopes, scope)
}
