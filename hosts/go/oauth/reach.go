package oauth

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"syscall"
	"time"
)

// reach keeps a public server from making this machine send requests into the
// private network it stands in (SSRF). A server that is in there itself may
// name others there.
type reach struct {
	server *url.URL

	once   sync.Once
	inside bool
}

func newReach(server *url.URL) *reach { return &reach{server: server} }

// transport makes connections within reach. Behind a proxy it is the proxy that
// connects.
func (r *reach) transport() *http.Transport {
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 30 * time.Second,
	}
	dialer := &net.Dialer{Timeout: 15 * time.Second}
	if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: r.server}); err == nil && proxy == nil {
		dialer.ControlContext = func(ctx context.Context, _, address string, _ syscall.RawConn) error { return r.allow(ctx, address) }
	}
	transport.DialContext = dialer.DialContext
	return transport
}

// allow is asked with the IP address that is about to be dialed.
func (r *reach) allow(ctx context.Context, address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || isPrivate(at.Addr()) && !r.isInside(ctx) {
		return &insideError{address}
	}
	return nil
}

// isInside reports whether the MCP server is in the private network.
func (r *reach) isInside(ctx context.Context) bool {
	r.once.Do(func() {
		addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", r.server.Hostname())
		for _, a := range addresses {
			r.inside = r.inside || err == nil && isPrivate(a)
		}
	})
	return r.inside
}

type insideError struct{ address string }

func (e *insideError) Error() string {
	return fmt.Sprintf("%s is in the private network", e.address)
}

// shared is the address space of RFC 6598, which is as private as the others.
var shared = netip.MustParsePrefix("100.64.0.0/10")

func isPrivate(a netip.Addr) bool {
	a = a.Unmap()
	return !a.IsGlobalUnicast() || a.IsPrivate() || shared.Contains(a)
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}
