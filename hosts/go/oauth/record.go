package oauth

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// record is an account as a store keeps it: with its tokens, and all that it
// takes to renew and revoke them where they came from.
type record struct {
	Account
	Asked        []string  `json:"asked,omitempty"` // the scopes that were asked for, if others were granted
	AccessToken  string    `json:"access_token,omitempty"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expiry       time.Time `json:"expiry,omitzero"`

	Client             client `json:"client"`
	TokenEndpoint      string `json:"token_endpoint"`
	RevocationEndpoint string `json:"revocation_endpoint,omitempty"`
}

func (r *record) isDue() bool { return !r.Expiry.IsZero() && time.Until(r.Expiry) < early }

// take puts in what a token endpoint gave for the scopes that were asked for.
func (r *record) take(t *oauth2.Token, asked []string) {
	r.AccessToken, r.Expiry = t.AccessToken, t.Expiry
	if t.RefreshToken != "" {
		r.RefreshToken = t.RefreshToken
	}
	r.Scopes = granted(t.Extra("scope"), asked)
}

const accountPrefix = "account "

// accountKey is where the account of a server is kept.
func accountKey(server *url.URL) string {
	u := *server
	u.Scheme, u.Host, u.Fragment, u.RawFragment = strings.ToLower(u.Scheme), strings.ToLower(u.Host), "", ""
	return accountPrefix + u.String()
}

// lock is held while the account is read and written again.
func (s *SignIn) lock(ctx context.Context) (func(), error) {
	unlock, err := s.store.Lock(ctx, accountKey(s.server))
	if err != nil && ctx.Err() == nil {
		err = storeError("locked", err)
	}
	return unlock, err
}

// load reads the account, nil if there is none. That of another client, or of an
// issuer that is not to be used, is none.
func (s *SignIn) load(ctx context.Context) (*record, error) {
	r, err := s.loadAny(ctx)
	if err != nil {
		return nil, err
	}
	ours := r != nil && covers(r.Resource, s.server) && (s.o.ClientID == "" || s.o.ClientID == r.ClientID) && (s.o.Issuer == "" || s.o.Issuer == r.Issuer) && r.Grant == s.grant
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept = nil; !ours {
		return nil, nil
	}
	kept := *r
	s.kept = &kept
	return r, nil
}

// loadAny reads the server's account, whoever's it is.
func (s *SignIn) loadAny(ctx context.Context) (*record, error) {
	var r record
	if err := load(ctx, s.store, accountKey(s.server), &r); err != nil || r.Label == "" {
		return nil, err
	}
	return &r, nil
}

// keep writes it.
func (s *SignIn) keep(ctx context.Context, r *record) error {
	if err := save(ctx, s.store, accountKey(s.server), r); err != nil {
		return err
	}
	kept := *r
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = &kept
	return nil
}

func load(ctx context.Context, store Store, key string, into any) error {
	text, err := store.Load(ctx, key)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return storeError("read", err)
	case text == nil:
		return nil
	}
	defer clear(text)
	if json.Unmarshal(text, into) != nil {
		return &Error{Code: ErrStore, Text: "the account that was kept cannot be read: sign out and in again."}
	}
	return nil
}

// save writes what is to be kept; nil removes it.
func save(ctx context.Context, store Store, key string, value any) error {
	var text []byte
	if value != nil {
		var err error
		if text, err = json.Marshal(value); err != nil {
			return err
		}
		defer clear(text)
	}
	if err := store.Save(ctx, key, text); err != nil {
		return storeError("kept", err)
	}
	return nil
}

func storeError(what string, err error) error {
	return &Error{Code: ErrStore, Text: "the account could not be " + what + ": " + err.Error() + ".", Err: err}
}
