package account

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// Means is what somebody gave to have requests to servers authorized. A secret
// is always in a file: others see command lines, and programs that are started
// see the environment. The zero value means to sign in when a server wants it.
type Means struct {
	Headers    http.Header // of --header; nothing secret is among them
	HeaderFile string      // a header field a line, with secrets or without

	BearerFile string // a token that comes from elsewhere: nobody signs in

	ClientID, ClientSecretFile string // of a client that is registered already
	Issuer                     string // the authorization server that the client is of; no other sees it
	ClientMetadataURL          string // of a Client ID Metadata Document
	CallbackPort               int    // where the browser comes back to, 0 for any

	wrong error // of a --header
}

// The environment names what no flag does.
const (
	EnvHeaderFile       = "PARLEY_HEADER_FILE"
	EnvBearerFile       = "PARLEY_BEARER_FILE"
	EnvClientID         = "PARLEY_CLIENT_ID"
	EnvClientSecretFile = "PARLEY_CLIENT_SECRET_FILE"
	EnvIssuer           = "PARLEY_ISSUER"
	EnvClientMetadata   = "PARLEY_CLIENT_METADATA_URL"
	EnvCallbackPort     = "PARLEY_CALLBACK_PORT"
)

// Flags are for an app that is told by flags.
func (m *Means) Flags() []flags.Flag {
	return []flags.Flag{
		{Name: "bearer-file", Value: "FILE", To: &m.BearerFile,
			Text: "a token that you have from elsewhere, in the first line. The file is read for every request, and you are not asked to sign in"},
		{Name: "header-file", Value: "FILE", To: &m.HeaderFile,
			Text: "header fields for every request, each a line 'Name: value'. With Authorization among them you are not asked to sign in"},
		{Name: "header", Value: "'NAME: VALUE'", To: m.addHeader,
			Text: "one more header field; may be repeated. Authorization, Cookie and Proxy-Authorization are refused here: others can see a command line"},
		{Name: "client-id", Value: "ID", To: &m.ClientID,
			Text: "the client that the authorization server knows Parley as (default: Parley registers itself)"},
		{Name: "client-secret-file", Value: "FILE", To: &m.ClientSecretFile,
			Text: "that client's secret, in the first line"},
		{Name: "issuer", Value: "URL", To: &m.Issuer,
			Text: "the authorization server that the client is of: no other that a server may name gets to see the client or its secret"},
		{Name: "client-metadata-url", Value: "URL", To: &m.ClientMetadataURL,
			Text: "an https address whose document says who the client is"},
		{Name: "callback-port", Value: "PORT", To: &m.CallbackPort,
			Text: "where the browser comes back to on this machine, if the authorization server allows one port only (default: any)"},
	}
}

// addHeader takes a --header. Package flag would repeat what is wrong with it, and
// that may be a secret.
func (m *Means) addHeader(text string) error {
	name, value, err := public(text)
	if m.Headers == nil {
		m.Headers = http.Header{}
	}
	if err != nil {
		m.wrong = cmp.Or(m.wrong, fmt.Errorf("--header: %w", err))
	} else {
		m.Headers.Add(name, value)
	}
	return nil
}

// IsGiven reports whether anything was given that only a server behind a URL has
// a use for.
func (m *Means) IsGiven() bool {
	return m.Headers != nil || m.HeaderFile != "" || m.BearerFile != "" || m.ClientID != "" || m.ClientSecretFile != "" || m.Issuer != "" ||
		m.ClientMetadataURL != "" || m.CallbackPort != 0
}

// Environment adds what the environment says and no flag. It fails if that, or a
// flag, cannot be used.
func (m *Means) Environment(getenv func(name string) string) error {
	if m.wrong != nil {
		return m.wrong
	}
	m.HeaderFile = cmp.Or(m.HeaderFile, getenv(EnvHeaderFile))
	m.BearerFile = cmp.Or(m.BearerFile, getenv(EnvBearerFile))
	if m.ClientID == "" {
		m.ClientID = getenv(EnvClientID)
		m.ClientSecretFile = cmp.Or(m.ClientSecretFile, getenv(EnvClientSecretFile))
		m.Issuer = cmp.Or(m.Issuer, getenv(EnvIssuer))
	}
	m.ClientMetadataURL = cmp.Or(m.ClientMetadataURL, getenv(EnvClientMetadata))
	if text := getenv(EnvCallbackPort); text != "" && m.CallbackPort == 0 {
		port, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%s is not a port", EnvCallbackPort)
		}
		m.CallbackPort = port
	}
	return nil
}

// Words are the flags that say the same on another command line, but for what the
// environment says there, too.
func (m *Means) Words(getenv func(name string) string) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) {
		for _, value := range m.Headers[name] {
			words = append(words, "--header", name+": "+value)
		}
	}
	port := ""
	if m.CallbackPort != 0 {
		port = strconv.Itoa(m.CallbackPort)
	}
	own := m.ClientID != getenv(EnvClientID) // and what goes with it
	for _, one := range []struct {
		flag, value, variable string
		ofClient              bool
	}{
		{"--header-file", m.HeaderFile, EnvHeaderFile, false}, {"--bearer-file", m.BearerFile, EnvBearerFile, false},
		{"--client-id", m.ClientID, EnvClientID, true}, {"--client-secret-file", m.ClientSecretFile, EnvClientSecretFile, true},
		{"--issuer", m.Issuer, EnvIssuer, true}, {"--client-metadata-url", m.ClientMetadataURL, EnvClientMetadata, false},
		{"--callback-port", port, EnvCallbackPort, false},
	} {
		if one.value != "" && (one.value != getenv(one.variable) || own && one.ofClient) {
			words = append(words, one.flag, one.value)
		}
	}
	return words
}

// check says what is wrong with them, before anything is sent.
func (m *Means) check() error {
	switch {
	case m.wrong != nil:
		return m.wrong
	case m.CallbackPort < 0 || m.CallbackPort > 65535:
		return errors.New("the callback port is not a port")
	case m.ClientSecretFile != "" && m.ClientID == "":
		return errors.New("--client-secret-file needs the --client-id that the secret is of")
	case m.Issuer != "" && m.ClientID == "":
		return errors.New("--issuer needs the --client-id that is known there")
	case m.HeaderFile != "" && m.BearerFile != "":
		header, err := readHeaders(m.HeaderFile)
		if err == nil && header.Get("Authorization") != "" {
			err = errors.New("Authorization is in the --header-file, and there is a --bearer-file too: give one of them")
		}
		return err
	}
	return nil
}

// secret is the client's, "" if it has none.
func (m *Means) secret() (string, error) {
	if m.ClientSecretFile == "" {
		return "", nil
	}
	text, err := readSecret(m.ClientSecretFile, 4<<10)
	if err != nil {
		return "", fmt.Errorf("the file with the client's secret %w", err)
	}
	line, _, _ := strings.Cut(text, "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", fmt.Errorf("the file %s has no secret in its first line", m.ClientSecretFile)
	}
	return line, nil
}

// options are what a sign-in needs besides the person.
func (m *Means) options(url string, store oauth.Store) (oauth.Options, error) {
	secret, err := m.secret()
	return oauth.Options{
		URL: url, Store: store, ClientID: m.ClientID, ClientSecret: secret, Issuer: m.Issuer, ClientMetadataURL: m.ClientMetadataURL,
		ClientName: clientName, CallbackPort: m.CallbackPort,
	}, err
}

// clientName is what an authorization server's page calls an app.
const clientName = "Parley"
