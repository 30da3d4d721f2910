package interop

import (
	"bytes"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// balance returns a URL under which each request reaches the next of the
// backends, until the test ends.
func balance(t testing.TB, backends []string) string {
	t.Helper()
	targets := make([]*url.URL, len(backends))
	for i, backend := range backends {
		target, err := url.Parse(backend)
		if err != nil {
			t.Fatal(err)
		}
		targets[i] = target
	}
	var turn atomic.Uint64
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		target := targets[turn.Add(1)%uint64(len(targets))]
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, target.Host
		// Whole: a response that comes before Go has seen the end of the request breaks both off.
		body, _ := io.ReadAll(r.In.Body)
		r.Out.Body = io.NopCloser(bytes.NewReader(body))
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL + targets[0].Path
}
