package oauth

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Reaches reports whether a server may make this machine connect to an address.
func Reaches(ctx context.Context, server *url.URL, address string) bool {
	return newReach(server).allow(ctx, address) == nil
}

// Check and Covers are what stands between peers' URLs and what is sent.
func Check(server *url.URL, address string) (*url.URL, error) {
	return newWeb(server, nil).check(address)
}

func Covers(resource string, server *url.URL) bool { return covers(resource, server) }

// Visit asks for a document at an address.
func Visit(ctx context.Context, s *SignIn, address string) error {
	at, err := s.web.check(address)
	if err != nil {
		return err
	}
	return s.web.get(ctx, at, new(any))
}

// Patience is how long a request may take.
func Patience(given *http.Client) time.Duration {
	return newWeb(&url.URL{Scheme: "https", Host: "mcp.example.com"}, given).client.Timeout
}

// Heard is what may be repeated of a refusal.
func Heard(kind string, body []byte, secrets []string) (code, words string) {
	return heard(kind, body, secrets)
}
