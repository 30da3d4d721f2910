package oauth

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"syscall"
	"time"
)

// reach keeps a public server from making this machine send requests into the
// private network it stands in (SSRF). A server that is in there itself may
// name others there.
type reach struct {
	server *url.URL
	lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

	once   sync.Once
	inside bool
}

func newReach(server *url.URL) *reach {
	return &reach{server: server, lookup: net.DefaultResolver.LookupNetIP}
}

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

// isInside reports whether the MCP server is in the private network. One that is
// outside as well is not.
func (r *reach) isInside(ctx context.Context) bool {
	r.once.Do(func() {
		addresses, err := r.lookup(ctx, "ip", r.server.Hostname())
		r.inside = err == nil && len(addresses) > 0 && !slices.ContainsFunc(addresses, func(a netip.Addr) bool { return !isPrivate(a) })
	})
	return r.inside
}

type insideError struct{ address string }

func (e *insideError) Error() string {
	return fmt.Sprintf("%s is in the private network", e.address)
}

// notGlobal4 is what is not reached over the Internet (RFC 6890). Of IPv6 it is all
// but 2000::/3, and there Teredo.
var notGlobal4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3")

var (
	global6   = netip.MustParsePrefix("2000::/3")
	teredo    = netip.MustParsePrefix("2001::/32")
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

func prefixes(list ...string) (all []netip.Prefix) {
	for _, one := range list {
		all = append(all, netip.MustParsePrefix(one))
	}
	return all
}

// isPrivate reports whether an address is in the private network, or leads there
// by another: IPv4 in IPv6, as it is mapped, by NAT64 or by 6to4.
func isPrivate(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	b := a.As16()
	switch {
	case nat64.Contains(a):
		a = netip.AddrFrom4([4]byte(b[12:]))
	case sixToFour.Contains(a):
		a = netip.AddrFrom4([4]byte(b[2:6]))
	}
	if a.Is4() {
		return slices.ContainsFunc(notGlobal4, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	return !global6.Contains(a) || teredo.Contains(a)
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}
