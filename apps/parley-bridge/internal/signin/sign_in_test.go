package signin_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// authority is a protected server's metadata and its authorization server. It
// lets everybody in, or nobody.
func authority(t *testing.T, denies bool) *httptest.Server { return newAuthority(t, denies, nil) }

// newAuthority is one that calls meanwhile before it gives a token out.
func newAuthority(t *testing.T, denies bool, meanwhile func()) *httptest.Server {
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply := func(value any) {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(value)
		}
		switch r.URL.Path {
		case "/.well-known/oauth-protected-resource/mcp":
			reply(map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}})
		case "/.well-known/oauth-authorization-server":
			reply(map[string]any{
				"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token",
				"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
			})
		case "/authorize":
			back, query := r.URL.Query().Get("redirect_uri"), url.Values{"state": {r.URL.Query().Get("state")}}
			if query.Set("code", "c"); denies {
				query.Del("code")
				query.Set("error", "access_denied")
			}
			http.Redirect(w, r, back+"?"+query.Encode(), http.StatusFound)
		case "/token":
			if meanwhile != nil {
				meanwhile()
			}
			reply(map[string]string{"access_token": "token-" + r.PostFormValue("client_id"), "token_type": "Bearer"})
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// newDesk is a desk and where it is served.
func newDesk(t *testing.T, o signin.Options) *signin.Desk {
	t.Helper()
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	if o.Base == "" {
		o.Base = s.URL
	}
	o.ClientID = "client"
	d, err := signin.New(o)
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle(signin.Path, d)
	t.Cleanup(d.Close)
	return d
}

func challenged() parley.Question {
	return parley.Question{ID: -1, Kind: "authorize", Params: []byte(`{"status":401,"challenge":"Bearer"}`)}
}

var next = regexp.MustCompile(`name="next" value="([^"]+)"`)

// press opens a page and goes on from it; the browser follows from there.
func press(t *testing.T, client *http.Client, page string) string {
	t.Helper()
	shown := read(t, must(client.Get(page)))
	found := next.FindStringSubmatch(shown)
	if found == nil {
		t.Fatalf("the page does not lead on: %s", shown)
	}
	return read(t, must(client.PostForm(page, url.Values{"next": {found[1]}})))
}

func read(t *testing.T, r *http.Response) string {
	t.Helper()
	defer r.Body.Close()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func newBrowser() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar}
}

const accept = `{"action":"accept"}`

// TestAgain asks a client again that waits for no request longer: for the same
// page, and for a new one once that was used.
func TestAgain(t *testing.T) {
	s := authority(t, false)
	d := newDesk(t, signin.Options{URL: s.URL + "/mcp"})
	browser := newBrowser()
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	var pages []string
	who := signin.Person{Pages: true, Again: time.Millisecond, Ask: func(_ context.Context, q parley.Question) ([]byte, error) {
		page := message.Text(q.Params, "url")
		switch pages = append(pages, page); len(pages) {
		case 2:
			press(t, browser, page) // and the window is closed
		case 3:
			press(t, newBrowser(), page)
		}
		return []byte(accept), nil
	}}
	x := d.Account("").Access()
	if _, err := x.Authorize(t.Context(), challenged(), who); err != nil {
		t.Fatal(err)
	}
	if pages[0] != pages[1] || pages[1] == pages[2] {
		t.Errorf("got %v, want the second again and the third anew", pages)
	}
	if got, err := x.Authorization(t.Context()); got != "Bearer token-client" || err != nil {
		t.Errorf("Authorization: got %q, %v", got, err)
	}
}

// TestMoved says on the page that the authorization server is another one, and lets
// calls of the account before continue.
func TestMoved(t *testing.T) {
	s := authority(t, false)
	store := &oauth.Memory{}
	o := signin.Options{URL: s.URL + "/mcp", Store: store, HTTPClient: s.Client()}
	x, shown := newDesk(t, o).Account("").Access(), ""
	signIn := func() string {
		if _, err := x.Authorization(t.Context()); err != nil {
			t.Fatal(err)
		}
		who := signin.Person{Pages: true, Ask: func(_ context.Context, q parley.Question) ([]byte, error) {
			page := message.Text(q.Params, "url")
			shown = read(t, must(http.Get(page)))
			press(t, newBrowser(), page)
			return []byte(accept), nil
		}}
		answer, err := x.Authorize(t.Context(), challenged(), who)
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
	signIn()
	if strings.Contains(shown, "before") {
		t.Errorf("the page: got %s", shown)
	}
	accounts, err := oauth.Accounts(t.Context(), store)
	if err != nil || len(accounts) != 1 {
		t.Fatalf("accounts: %v, %v", accounts, err)
	}
	moved := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	s.Config.Handler = elsewhere(s.Config.Handler, s.URL, moved)
	answer := signIn()
	if !strings.Contains(shown, "had people sign in at <b>"+strings.TrimPrefix(s.URL, "http://")+"</b> before") || !strings.Contains(answer, `"replaces":["`+accounts[0].Label+`"]`) {
		t.Errorf("got %s, and the page %s", answer, shown)
	}
}

// elsewhere is an authority whose metadata name another authorization server, and
// whose tokens before are no longer good.
func elsewhere(h http.Handler, before, now string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		h.ServeHTTP(recorded, r)
		maps.Copy(w.Header(), recorded.Header())
		w.WriteHeader(recorded.Code)
		text := recorded.Body.String()
		if strings.HasPrefix(r.URL.Path, "/.well-known/") {
			text = strings.ReplaceAll(text, before, now)
			text = strings.Replace(text, `"resource":"`+now, `"resource":"`+before, 1)
		}
		io.WriteString(w, text)
	})
}

// TestEnds has sign-ins that come to nothing: each says why, and leaves no page.
func TestEnds(t *testing.T) {
	agree := func(do func(page string)) func(context.Context, parley.Question) ([]byte, error) {
		return func(_ context.Context, q parley.Question) ([]byte, error) {
			do(message.Text(q.Params, "url"))
			return []byte(accept), nil
		}
	}
	tests := map[string]struct {
		denies bool
		o      signin.Options
		ask    func(t *testing.T) func(context.Context, parley.Question) ([]byte, error)
		want   string
	}{
		"denied": {denies: true, want: "was denied", ask: func(t *testing.T) func(context.Context, parley.Question) ([]byte, error) {
			return agree(func(page string) { press(t, newBrowser(), page) })
		}},
		"nobody comes": {o: signin.Options{Life: time.Millisecond}, want: "in time", ask: func(*testing.T) func(context.Context, parley.Question) ([]byte, error) {
			return agree(func(string) {})
		}},
		"nonsense": {want: "cannot be used", ask: func(*testing.T) func(context.Context, parley.Question) ([]byte, error) {
			return func(context.Context, parley.Question) ([]byte, error) { return []byte(`{"action":"maybe"}`), nil }
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.o.URL = authority(t, tt.denies).URL + "/mcp"
			d := newDesk(t, tt.o)
			var page string
			ask := tt.ask(t)
			_, err := d.Account("").Access().Authorize(t.Context(), challenged(), signin.Person{Pages: true,
				Ask: func(ctx context.Context, q parley.Question) ([]byte, error) {
					page = message.Text(q.Params, "url")
					return ask(ctx, q)
				}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if page == "" {
				return // it was over before
			}
			if r := must(http.Get(page)); r.StatusCode != http.StatusNotFound {
				t.Errorf("the page is still there: %d", r.StatusCode)
			}
		})
	}
}

// TestOnTheWay has a client give up while the person is at the authorization
// server: who comes back is signed in, for the next call.
func TestOnTheWay(t *testing.T) {
	s := authority(t, false)
	d := newDesk(t, signin.Options{URL: s.URL + "/mcp"})
	browser := newBrowser()
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	ctx, cancel := context.WithCancel(t.Context())
	var to string
	x := d.Account("").Access()
	_, err := x.Authorize(ctx, challenged(), signin.Person{Pages: true, Ask: func(ctx context.Context, q parley.Question) ([]byte, error) {
		_, to, _ = strings.Cut(press(t, browser, message.Text(q.Params, "url")), "Location: ")
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the call canceled", err)
	}
	to, _, _ = strings.Cut(to, "\r\n")
	browser.CheckRedirect = nil
	if shown := read(t, must(browser.Get(to))); !strings.Contains(shown, "You are signed in") {
		t.Errorf("the page says %s", shown)
	}
	if answer, err := x.Authorize(t.Context(), challenged(), signin.Person{Pages: true}); err != nil || message.Text(answer, "account") == "" {
		t.Errorf("then: got %s, %v, want the account", answer, err)
	}
}

// TestGivenUp begins anew right after a sign-in was declined, while that one is
// still ending.
func TestGivenUp(t *testing.T) {
	s := authority(t, false)
	d := newDesk(t, signin.Options{URL: s.URL + "/mcp"})
	for range 200 {
		_, err := d.Account("").Access().Authorize(t.Context(), challenged(), signin.Person{Pages: true,
			Ask: func(context.Context, parley.Question) ([]byte, error) { return []byte(`{"action":"decline"}`), nil }})
		if err == nil || !strings.Contains(err.Error(), "was declined") {
			t.Fatalf("got %v, want it declined", err)
		}
	}
}

// TestAlmost has a request come while the person is back and the token is not
// there yet: it waits for that, and nobody is sent anywhere again.
func TestAlmost(t *testing.T) {
	var second *signin.Access
	answered := make(chan error, 1)
	s := newAuthority(t, false, func() {
		early := make(chan error, 1)
		go func() {
			_, err := second.Authorize(t.Context(), challenged(), signin.Person{Pages: true})
			early <- err
		}()
		select {
		case err := <-early:
			answered <- err
		case <-time.After(50 * time.Millisecond): // more shows nothing
			go func() { answered <- <-early }()
		}
	})
	d := newDesk(t, signin.Options{URL: s.URL + "/mcp"})
	second = d.Account("").Access()
	_, err := d.Account("").Access().Authorize(t.Context(), challenged(), signin.Person{Pages: true, Ask: func(_ context.Context, q parley.Question) ([]byte, error) {
		press(t, newBrowser(), message.Text(q.Params, "url"))
		return []byte(accept), nil
	}})
	if err != nil {
		t.Error(err)
	}
	if err := <-answered; err != nil {
		t.Errorf("the other: got %v, want the account", err)
	}
}

// TestNowhere has a bridge that does not know where browsers reach it.
func TestNowhere(t *testing.T) {
	s := authority(t, false)
	d, err := signin.New(signin.Options{URL: s.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Account("").Access().Authorize(t.Context(), challenged(), signin.Person{Pages: true}); err == nil || !strings.Contains(err.Error(), "--public-url") {
		t.Errorf("got %v, want --public-url named", err)
	}
}

// TestSecretURL keeps what a server's URL may hold to itself.
func TestSecretURL(t *testing.T) {
	for _, at := range []string{"https://tools.example.com/mcp?key=s3cret", "https://me:s3cret@tools.example.com/mcp"} {
		d := newDesk(t, signin.Options{URL: at})
		_, err := d.Account("").Access().Renew(t.Context(), challenged())
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("got %v", err)
		}
	}
}

// TestStores keeps what users have apart in one store.
func TestStores(t *testing.T) {
	s := authority(t, false)
	store := &oauth.Memory{}
	d := newDesk(t, signin.Options{URL: s.URL + "/mcp", Store: store})
	for _, user := range []string{"", "ada", "ada b"} {
		_, err := d.Account(user).Access().Authorize(t.Context(), challenged(), signin.Person{Pages: true,
			Ask: func(_ context.Context, q parley.Question) ([]byte, error) {
				press(t, newBrowser(), message.Text(q.Params, "url"))
				return []byte(accept), nil
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	keys, _ := store.Keys(t.Context())
	accounts, err := oauth.Accounts(t.Context(), store)
	if len(keys) != 3 || len(accounts) != 1 || err != nil {
		t.Errorf("got %q, of which %d are those of who runs it, %v", keys, len(accounts), err)
	}
}
