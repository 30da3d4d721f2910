package oauth_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// get is what a browser gets from an address.
func get(t *testing.T, request *http.Request) (int, string, http.Header) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Errorf("the callback does not answer: %v", err)
		return 0, "", nil
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text), response.Header
}

// TestStranger is turned away at the callback, and ends nothing.
func TestStranger(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Open = func(ctx context.Context, p oauth.Page) error {
		asked, _ := url.Parse(p.URL)
		redirect, state := asked.Query().Get("redirect_uri"), asked.Query().Get("state")
		for name, request := range map[string]struct{ method, query, host string }{
			"no state":    {"GET", "?code=stolen", ""},
			"wrong state": {"GET", "?code=stolen&state=guessed", ""},
			"error":       {"GET", "?error=access_denied&state=guessed", ""},
			"posted":      {"POST", "?code=stolen&state=" + state, ""},
			"rebound":     {"GET", "?code=stolen&state=" + state, "evil.example.com"},
		} {
			r, _ := http.NewRequest(request.method, redirect+request.query, nil)
			if request.host != "" {
				r.Host = request.host
			}
			if status, text, _ := get(t, r); status/100 != 4 || strings.Contains(text, "You are signed in") {
				t.Errorf("%s: got status %d, want to be turned away", name, status)
			}
		}
		return w.browse(ctx, p)
	}
	authorize(t, w.signIn(o), challenged(401))
	if got := len(w.visits("/token")); got != 1 {
		t.Errorf("%d token requests, want one", got)
	}
}

// TestPage looks finished, and only when it is.
func TestPage(t *testing.T) {
	for name, tt := range map[string]struct {
		token int // HTTP status
		want  string
	}{
		"signed in": {200, "You are signed in"},
		"refused":   {400, "You are not signed in"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if tt.token != 200 {
				w.on("auth.example.com/token", func(rw http.ResponseWriter, _ *http.Request) {
					answerJSON(rw, tt.token, map[string]string{"error": "invalid_grant"})
				})
			}
			shown := make(chan string, 1)
			o := w.options()
			o.Open = func(_ context.Context, p oauth.Page) error {
				go func() {
					response, err := w.server.Client().Get(p.URL)
					if err != nil {
						shown <- err.Error()
						return
					}
					text, _ := io.ReadAll(response.Body)
					header := response.Header
					if header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'none'") {
						t.Errorf("the page may be kept, or load things: %v", header)
					}
					shown <- string(text)
				}()
				return nil
			}
			_, err := w.signIn(o).Authorize(t.Context(), challenged(401))
			if (err == nil) != (tt.token == 200) {
				t.Errorf("Authorize: %v", err)
			}
			if text := <-shown; !strings.Contains(text, tt.want) || !strings.Contains(text, "You can close this window") {
				t.Errorf("the page says %q", text)
			}
		})
	}
}

// TestOneUse answers an authorization response once, and gives the port back.
func TestOneUse(t *testing.T) {
	w := newWorld(t)
	var at, redirect string
	o := w.options()
	second := make(chan int, 1)
	w.on("auth.example.com/token", func(rw http.ResponseWriter, r *http.Request) {
		status, _, _ := get(t, must(http.NewRequest("GET", at, nil))) // while the first is being used
		second <- status
		r.ParseForm()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.giveToken(rw, w.seen[len(w.seen)-1].Form)
	})
	o.Open = func(ctx context.Context, p oauth.Page) error {
		asked, _ := url.Parse(p.URL)
		redirect = asked.Query().Get("redirect_uri")
		at = redirect + "?code=again&state=" + asked.Query().Get("state")
		return w.browse(ctx, p)
	}
	authorize(t, w.signIn(o), challenged(401))
	if status := <-second; status != http.StatusBadRequest {
		t.Errorf("the second answer got status %d", status)
	}
	u, _ := url.Parse(redirect)
	l, err := net.Listen("tcp4", u.Host)
	if err != nil {
		t.Fatalf("the port was not given back: %v", err)
	}
	l.Close()
}

// TestCallbackPort is the host's, where one is given.
func TestCallbackPort(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	w := newWorld(t)
	o := w.options()
	o.CallbackPort = port
	s := w.signIn(o)
	if _, err := s.Authorize(t.Context(), challenged(401)); err == nil || !strings.Contains(err.Error(), "another callback port") {
		t.Errorf("a port that is taken: got %v", err)
	}
	l.Close()
	authorize(t, s, challenged(401))
	if got := w.visits("/authorize")[0].Form.Get("redirect_uri"); !strings.Contains(got, ":"+strconv.Itoa(port)+"/") {
		t.Errorf("redirect_uri: got %s", got)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
