package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestCallback has two people sign in at once, whose browsers come back to one
// page of the host, each to its own sign-in and once.
func TestCallback(t *testing.T) {
	w := newWorld(t)
	callback := &oauth.Callback{}
	host := httptest.NewServer(callback)
	t.Cleanup(host.Close)
	callback.URL = host.URL + "/sign-in/callback"
	pages := make(chan string, 2)
	labels := make(chan string, 2)
	for range 2 {
		o := w.options()
		o.Callback = callback
		o.Open = func(_ context.Context, p oauth.Page) error {
			pages <- p.URL
			return nil
		}
		s := w.signIn(o)
		go func() { labels <- authorize(t, s, challenged(401)) }()
	}
	first, second := <-pages, <-pages
	for _, at := range []string{callback.URL + "?code=stolen&state=guessed", callback.URL} {
		if status, _, _ := get(t, must(http.NewRequest("GET", at, nil))); status != http.StatusBadRequest {
			t.Errorf("a stranger: got %d, want 400", status)
		}
	}
	for _, page := range []string{second, first} {
		if got := must(url.Parse(page)).Query().Get("redirect_uri"); got != callback.URL {
			t.Errorf("redirect_uri: got %s, want %s", got, callback.URL)
		}
		w.browse(t.Context(), oauth.Page{URL: page})
	}
	if a, b := <-labels, <-labels; a == b {
		t.Error("two sign-ins got one account")
	}
	w.browse(t.Context(), oauth.Page{URL: first})
	if got := len(w.visits("/token")); got != 2 {
		t.Errorf("%d token requests, want one for each", got)
	}
}

// TestUnsafeCallback is one to which codes would come readable for others.
func TestUnsafeCallback(t *testing.T) {
	for _, at := range []string{"", "http://host.example.com/back", "https://me@host.example.com/", "https://host.example.com/?x", "javascript:alert(1)"} {
		o := oauth.Options{URL: serverURL, Callback: &oauth.Callback{URL: at}}
		if _, err := oauth.New(o); !errors.Is(err, oauth.ErrUsage) {
			t.Errorf("%q: got %v, want it refused", at, err)
		}
	}
	o := oauth.Options{URL: serverURL, Callback: &oauth.Callback{URL: "https://host.example.com/back"}}
	if _, err := oauth.New(o); err != nil {
		t.Errorf("https: got %v", err)
	}
}
