package main

import (
	"context"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net/http"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// clientDocument is the client id that the suite's authorization servers know a
// Client ID Metadata Document by.
const clientDocument = "https://conformance-test.local/client-metadata.json"

// credentials are what the suite gives a client to sign in with.
type credentials struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	Issuer       string `json:"issuer"`
	PrivateKey   string `json:"private_key_pem"`

	IDPClientID string `json:"idp_client_id"`
	IDPIssuer   string `json:"idp_issuer"`
	IDToken     string `json:"idp_id_token"`
}

// signIn makes what answers the server's challenges, as a host does.
func signIn(o options, given credentials) (*oauth.SignIn, error) {
	shape := oauth.Options{
		URL: o.url, ClientID: given.ClientID, ClientSecret: given.ClientSecret, Issuer: given.Issuer, ClientMetadataURL: clientDocument,
		ClientName: "Parley's conformance client", Open: browse,
	}
	switch {
	case given.IDPIssuer != "":
		return oauth.EnterpriseManaged(shape, oauth.Enterprise{
			Issuer: given.IDPIssuer, ClientID: given.IDPClientID, IDToken: func(context.Context) (string, error) { return given.IDToken, nil },
		})
	case given.PrivateKey != "":
		key, err := parseKey(given.PrivateKey)
		if err != nil {
			return nil, err
		}
		return oauth.ClientCredentials(shape, &oauth.ClientKey{Signer: key})
	case o.scenario == "auth/client-credentials-basic":
		return oauth.ClientCredentials(shape, nil)
	}
	return oauth.New(shape)
}

func parseKey(text string) (crypto.Signer, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("private_key_pem is no PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, errors.New("private_key_pem does not sign")
	}
	return signer, nil
}

// browse stands for a person with a browser: the suite's page sends whoever comes
// back at once.
func browse(_ context.Context, page oauth.Page) error {
	request, err := http.NewRequest(http.MethodGet, page.URL, nil)
	if err != nil {
		return err
	}
	go func() {
		if response, err := http.DefaultClient.Do(request); err == nil {
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}()
	return nil
}
