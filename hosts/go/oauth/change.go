package oauth

import (
	"context"
	"slices"
)

// Change is that an MCP server has another authorization server than before.
type Change struct {
	URL     string  // the MCP server
	Host    string  // its host and port
	Account Account // at the authorization server that it had
	Issuer  string  // the authorization server that it has now
}

// maxReplaced bounds [Account].Replaces.
const maxReplaced = 16

// change asks the person if the authorization server is another than the
// account's, and returns the labels of the accounts that the new one replaces.
func (s *SignIn) change(ctx context.Context, old *record, issuer string) (replaces []string, err error) {
	if old.Label == "" || old.Issuer == issuer || s.o.Change == nil || s.grant == GrantCredentials {
		return nil, nil
	}
	if err := s.o.Change(ctx, Change{URL: s.o.URL, Host: s.server.Host, Account: old.Account, Issuer: issuer}); err != nil {
		return nil, err
	}
	replaces = append(slices.Clone(old.Replaces), old.Label)
	return replaces[max(0, len(replaces)-maxReplaced):], nil
}
