package oauth

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Account says who is signed in where. It holds no secret.
type Account struct {
	// Label is a random name for the account, made at the first sign-in and
	// kept as long as issuer, resource, client and subject stay the same.
	Label string `json:"label"`

	URL      string    `json:"url"`               // the MCP server
	Issuer   string    `json:"issuer"`            // the authorization server
	Resource string    `json:"resource"`          // what the tokens are for
	ClientID string    `json:"client_id"`         // who they were given to
	Subject  string    `json:"subject,omitempty"` // the person, if an id_token said
	Scopes   []string  `json:"scopes,omitempty"`  // granted
	Grant    Grant     `json:"grant"`             // how it signed in
	Since    time.Time `json:"since"`             // of the first sign-in

	// Replaces lists the labels of the accounts at earlier authorization servers
	// of this MCP server, the last one last. Their calls continue as this account:
	// the person agreed, see [Options].Change.
	Replaces []string `json:"replaces,omitempty"`
}

// Is reports whether a call of the account with a label is this account's: it
// has that label, or took the place of the account that had.
func (a *Account) Is(label string) bool {
	return a.Label == label || slices.Contains(a.Replaces, label)
}

// Grant is how an account came about.
type Grant string

// The grants of this package.
const (
	GrantCode        Grant = "authorization_code" // a person, in a browser
	GrantCredentials Grant = "client_credentials" // a program
	GrantEnterprise  Grant = "enterprise"         // a person, at the organization's identity provider
)

// Accounts lists the accounts that are signed in, sorted by URL.
func Accounts(ctx context.Context, store Store) ([]Account, error) {
	keys, err := store.Keys(ctx)
	if err != nil {
		return nil, storeError("listed", err)
	}
	var accounts []Account
	for _, key := range keys {
		if !strings.HasPrefix(key, accountPrefix) {
			continue
		}
		var r record
		if err := load(ctx, store, key, &r); err != nil {
			return accounts, err
		}
		if r.isSignedIn() {
			accounts = append(accounts, r.Account)
		}
	}
	return accounts, nil
}

func (r *record) isSignedIn() bool { return r.AccessToken != "" || r.RefreshToken != "" }
