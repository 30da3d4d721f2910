package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"time"
)

// ClientKey signs for a client that has a key in place of a secret
// (private_key_jwt).
type ClientKey struct {
	Signer crypto.Signer // of an ECDSA P-256, RSA or Ed25519 key
	ID     string        // the key's "kid", if it has one
}

const (
	assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
	assertionLife = time.Minute
)

// algorithm is the JWS algorithm of the key.
func (k *ClientKey) algorithm() (string, error) {
	if k != nil && k.Signer != nil {
		switch public := k.Signer.Public().(type) {
		case *ecdsa.PublicKey:
			if public.Curve == elliptic.P256() {
				return "ES256", nil
			}
		case *rsa.PublicKey:
			return "RS256", nil
		case ed25519.PublicKey:
			return "EdDSA", nil
		}
	}
	return "", &Error{Code: ErrUsage, Text: "a client's key is an ECDSA key on P-256, an RSA or an Ed25519 key."}
}

// assert signs that it is the client who asks.
//
// Source: RFC 7523, sections 2.2 and 3; the audience is the issuer.
func (k *ClientKey) assert(clientID, audience string) (string, error) {
	algorithm, err := k.algorithm()
	if err != nil {
		return "", err
	}
	now := time.Now()
	header, err := json.Marshal(struct {
		Algorithm string `json:"alg"`
		Type      string `json:"typ"`
		ID        string `json:"kid,omitempty"`
	}{algorithm, "JWT", k.ID})
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{
		"iss": clientID, "sub": clientID, "aud": audience, "jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(assertionLife).Unix(),
	})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(claims)
	signature, err := k.sign(algorithm, text)
	if err != nil {
		return "", &Error{Code: ErrUsage, Text: "the client's key does not sign.", Err: err}
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

func (k *ClientKey) sign(algorithm, text string) ([]byte, error) {
	if algorithm == "EdDSA" {
		return k.Signer.Sign(rand.Reader, []byte(text), crypto.Hash(0))
	}
	digest := sha256.Sum256([]byte(text))
	signature, err := k.Signer.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil || algorithm == "RS256" {
		return signature, err
	}
	var point struct{ R, S *big.Int } // RFC 7518, section 3.4: two numbers of 32 bytes
	if _, err := asn1.Unmarshal(signature, &point); err != nil {
		return nil, err
	}
	return append(point.R.FillBytes(make([]byte, 32)), point.S.FillBytes(make([]byte, 32))...), nil
}
