package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-mcp/parley/rawjson"
)

// introspection verifies tokens by asking the authorization server (RFC 7662),
// so that one that was revoked is over at once. Tokens that are signed (RFC 9068)
// can be verified without asking, by any JWT library: compare iss, aud and exp.
type introspection struct {
	URL, ClientID, ClientSecret string
	Resource                    string
}

// findIntrospection asks the issuer where it looks tokens up.
func findIntrospection(ctx context.Context, issuer, id, secret, resource string) (*introspection, error) {
	metadata, err := auth.GetAuthServerMetadata(ctx, issuer, http.DefaultClient)
	if err != nil || metadata == nil || metadata.IntrospectionEndpoint == "" {
		return nil, fmt.Errorf("%s does not look tokens up: %v", issuer, err)
	}
	return &introspection{URL: metadata.IntrospectionEndpoint, ClientID: id, ClientSecret: secret, Resource: resource}, nil
}

func (i *introspection) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	body := strings.NewReader(url.Values{"token": {token}}.Encode())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, i.URL, body)
	if err != nil {
		return nil, errors.New("introspection: no request could be made")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(url.QueryEscape(i.ClientID), url.QueryEscape(i.ClientSecret))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, errors.New("introspection: the authorization server cannot be reached")
	}
	defer res.Body.Close()
	var said struct {
		Active     bool
		Aud        audience
		Sub, Scope string
		Exp        int64
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said); err != nil || res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("introspection: HTTP status %d", res.StatusCode)
	}
	if !said.Active || !slices.Contains(said.Aud, i.Resource) {
		return nil, auth.ErrInvalidToken
	}
	info := &auth.TokenInfo{UserID: said.Sub, Scopes: strings.Fields(said.Scope)}
	if said.Exp != 0 {
		info.Expiration = time.Unix(said.Exp, 0)
	}
	return info, nil
}

// audience is one or several.
type audience []string

func (a *audience) UnmarshalJSON(text []byte) error {
	if rawjson.IsArray(text) {
		return json.Unmarshal(text, (*[]string)(a))
	}
	*a = make([]string, 1)
	return json.Unmarshal(text, &(*a)[0])
}
