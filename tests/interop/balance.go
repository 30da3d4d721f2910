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
		PassWhole(r)
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL + targets[0].Path
}

// PassWhole has a proxy read a request before it passes it on. Go's looks for the
// end of a request after all its bytes were sent. When the response is there first,
// the request's body is closed by then, and Go breaks both off in the middle of
// the response (golang/go#40747).
func PassWhole(r *httputil.ProxyRequest) {
	body, _ := io.ReadAll(r.In.Body) // what is cut off does not have its length, and fails
	r.Out.Body = io.NopCloser(bytes.NewReader(body))
}
