package oauth

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// subject is the "sub" of the id_token that came with a token, "" if there is
// none that holds. It is never asked for.
//
// Source: OpenID Connect Core 1.0, section 3.1.3.7, number 6: what comes straight
// from the token endpoint over TLS need not have its signature checked.
func subject(token *oauth2.Token, issuer, clientID string) string {
	text, _ := token.Extra("id_token").(string)
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var claims struct {
		Issuer   string          `json:"iss"`
		Subject  string          `json:"sub"`
		Audience json.RawMessage `json:"aud"`
		Party    string          `json:"azp"`
		Expires  float64         `json:"exp"`
	}
	if json.Unmarshal(payload, &claims) != nil || claims.Issuer != issuer || claims.Expires < float64(time.Now().Unix()) || len(claims.Subject) > 255 {
		return ""
	}
	var one string
	var several []string
	if json.Unmarshal(claims.Audience, &one) == nil {
		several = []string{one}
	} else if json.Unmarshal(claims.Audience, &several) != nil {
		return ""
	}
	if !slices.Contains(several, clientID) || claims.Party != "" && claims.Party != clientID {
		return ""
	}
	return claims.Subject
}
