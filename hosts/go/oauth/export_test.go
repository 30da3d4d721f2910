package oauth

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// IsPrivate reports whether an address is in the private network.
func IsPrivate(a netip.Addr) bool { return isPrivate(a) }

// Dials returns what a server may make this machine connect to by an address that
// it names, where names lead to these addresses. None is refused.
func Dials(ctx context.Context, server *url.URL, address string, names map[string][]netip.Addr) (dialed []netip.Addr) {
	u, err := newWeb(server, nil).check(address)
	if err != nil {
		return nil
	}
	r := newReach(server)
	r.lookup = func(_ context.Context, _, host string) ([]netip.Addr, error) {
		if a, err := netip.ParseAddr(host); err == nil {
			return []netip.Addr{a}, nil
		}
		return names[host], nil
	}
	found, _ := r.lookup(ctx, "ip", u.Hostname())
	for _, a := range found {
		if r.allow(ctx, netip.AddrPortFrom(a, 443).String()) == nil {
			dialed = append(dialed, a)
		}
	}
	return dialed
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
