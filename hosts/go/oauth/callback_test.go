package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
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

// TestSentOn sends a browser on whose offline_access was refused, again and
// again if the person closes the window and opens the first page anew.
func TestSentOn(t *testing.T) {
	for name, own := range map[string]bool{"loopback": false, "the host's page": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.meta["auth.example.com"]["scopes_supported"] = []string{"a", "offline_access"}
			closed := make(chan bool, 1)
			visits := 0
			var usual http.HandlerFunc
			usual = func(rw http.ResponseWriter, r *http.Request) {
				query := r.URL.Query()
				back := must(url.Parse(query.Get("redirect_uri")))
				visits++
				switch {
				case strings.Contains(query.Get("scope"), "offline_access"):
					back.RawQuery = url.Values{"state": {query.Get("state")}, "error": {"invalid_scope"}}.Encode()
					http.Redirect(rw, r, back.String(), http.StatusFound)
				case visits == 2:
					closed <- true
				default:
					w.on("auth.example.com/authorize", nil)
					w.serve(rw, r)
					w.on("auth.example.com/authorize", usual)
				}
			}
			w.on("auth.example.com/authorize", usual)
			o := w.options()
			if own {
				o.Callback = &oauth.Callback{}
				host := httptest.NewServer(o.Callback)
				t.Cleanup(host.Close)
				o.Callback.URL = host.URL + "/callback"
			}
			opened := 0
			o.Open = func(ctx context.Context, p oauth.Page) error {
				opened++
				w.browse(ctx, p)
				<-closed
				return w.browse(ctx, p) // "Open the page again"
			}
			s := w.signIn(o)
			authorize(t, s, challenged(401, "scope", "a"))
			if header(t, s) == "" || opened != 1 || visits != 4 {
				t.Errorf("opened %d times, %d visits; want 1 and 4", opened, visits)
			}
		})
	}
}
