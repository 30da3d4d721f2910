package oauth

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// Callback is a page of a host's own web server where the browser comes back to.
// Any number of sign-ins may share one. It answers each of them once, by its
// state; it does not know browsers: whether it is the one that was sent away is
// for the host to find out, before it lets a request get here.
type Callback struct {
	// URL is the redirect_uri, at which the host has ServeHTTP called: https,
	// or http on this machine.
	URL string

	mu      sync.Mutex
	waiting map[*loopback]bool
}

// ServeHTTP implements [http.Handler].
func (c *Callback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	for _, b := range c.all() {
		if b.answer(w, r) {
			return
		}
	}
	unexpected(w)
}

// all are the sign-ins that wait.
func (c *Callback) all() []*loopback {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.waiting))
}

// wait begins to wait for a browser.
func (c *Callback) wait() *loopback {
	b := &loopback{redirect: c.URL, arrived: make(chan *arrival, 1), shown: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.waiting = map[*loopback]bool{}
	}
	c.waiting[b] = true
	return b
}

// forget ends it.
func (c *Callback) forget(b *loopback) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, b)
}

func (c *Callback) isSafe() bool {
	u, err := url.Parse(c.URL)
	return err == nil && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" &&
		(u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()))
}

// applicationType is what a client with a redirect_uri registers as.
//
// Source: OpenID Connect Dynamic Client Registration 1.0, section 2: native
// clients have http redirect_uris on their own machine, web clients https ones.
func applicationType(redirect string) string {
	if u, err := url.Parse(redirect); err == nil && u.Scheme == "http" {
		return "native"
	}
	return "web"
}
