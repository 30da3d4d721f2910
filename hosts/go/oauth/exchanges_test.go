package oauth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// exchange is a file of hosts/testdata/oauth/exchanges: README.md there says what
// its members mean.
type exchange struct {
	Program  bool
	Resource map[string]any
	Server   map[string]any
	Document *struct{ Type, Before string }
	Refuse   map[string]*refused
	Steps    []*struct {
		Challenge map[string]any
		Sent      bool
		Renew     bool
		SignOut   bool
		Asked     int
		Over      string
		Sends     []*sent
		Granted   *[]string
		Fails     *struct{ Says string }
	}
}

type sent struct {
	To, Scope, Prompt, Grant string
	RefreshToken             string `json:"refresh_token"`
	Answer                   map[string]any
	Refuse                   *refused
}

type refused struct {
	Status           int
	Type             string
	Body             any // a text, or JSON
	Error            string
	ErrorDescription string `json:"error_description"`
}

// TestExchanges replays what is asked for, answered and granted at authorization
// servers. JavaScript replays the same files.
func TestExchanges(t *testing.T) {
	files, err := filepath.Glob("../../testdata/oauth/exchanges/*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("only %d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			text := must(os.ReadFile(file))
			var x exchange
			if err := json.Unmarshal(text, &x); err != nil {
				t.Fatal(err)
			}
			replay(t, &x)
		})
	}
}

func replay(t *testing.T, x *exchange) {
	e := &exchanging{world: newWorld(t)}
	e.lifetime = 1 // over as soon as it begins
	maps.Copy(e.resource, x.Resource)
	maps.Copy(e.meta["auth.example.com"], x.Server)
	for place, answer := range map[string]http.HandlerFunc{"/authorize": e.authorize, "/token": e.token, "/revoke": e.revoke} {
		e.on("auth.example.com"+place, answer)
	}
	if d := x.Document; d != nil {
		for place, metadata := range map[string]any{
			"mcp.example.com/.well-known/oauth-protected-resource/mcp": e.resource,
			"auth.example.com/.well-known/oauth-authorization-server":  e.meta["auth.example.com"],
		} {
			e.on(place, text(200, d.Type, d.Before+string(must(json.Marshal(metadata)))))
		}
	}
	for what, no := range x.Refuse {
		place := map[string]string{"register": "/register", "metadata": "/.well-known/oauth-authorization-server"}[what]
		e.on("auth.example.com"+place, func(rw http.ResponseWriter, _ *http.Request) { no.write(rw, nil) })
	}
	asked, over := 0, ""
	o := e.options()
	o.Ask = func(_ context.Context, p oauth.Prompt) error {
		if asked++; p.Over != nil {
			over = p.Over.Text
		}
		return nil
	}
	o.Open = e.open
	s, err := oauth.New(o)
	if x.Program {
		o.ClientID, o.ClientSecret = "program", "program-s3cret"
		s, err = oauth.ClientCredentials(o, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range x.Steps {
		asked, over = 0, ""
		e.change(func() { e.left = step.Sends })
		if step.Sent {
			header(t, s)
		}
		switch {
		case step.Challenge != nil:
			var members []string
			if scope, ok := step.Challenge["scope"].(string); ok {
				members = []string{"scope", scope}
			}
			_, err = s.Authorize(t.Context(), challenged(int(step.Challenge["status"].(float64)), members...))
		case step.Renew:
			_, err = s.Authorization(t.Context())
		case step.SignOut:
			err = s.SignOut(t.Context())
		}
		e.change(func() {
			if !step.SignOut && len(e.left) > 0 {
				t.Errorf("step %d: %d requests were not sent, the next of them to %s", i, len(e.left), e.left[0].To)
			}
		})
		if asked != step.Asked {
			t.Errorf("step %d: a person was asked %d times, want %d", i, asked, step.Asked)
		}
		if step.Over != "" && !strings.Contains(over, "“"+step.Over+"”") {
			t.Errorf("step %d: the person was told %q, want %q in it", i, over, step.Over)
		}
		e.checkFailure(i, step.Fails != nil, step.Fails, err)
		if step.Granted != nil {
			account, _, _ := s.Account(t.Context())
			if !slices.Equal(account.Scopes, *step.Granted) {
				t.Errorf("step %d: granted %q, want %q", i, account.Scopes, *step.Granted)
			}
		}
	}
}

// exchanging is a world whose authorization server answers by a list.
type exchanging struct {
	*world
	left []*sent
}

func (e *exchanging) checkFailure(i int, fails bool, want *struct{ Says string }, err error) {
	switch {
	case !fails && err != nil:
		e.t.Errorf("step %d: %v", i, err)
	case !fails:
	case err == nil:
		e.t.Errorf("step %d: it did not fail", i)
	case want.Says == "" && strings.Contains(err.Error(), "“"), !strings.Contains(err.Error(), want.Says), want.Says != "" && !strings.Contains(err.Error(), "“"+want.Says+"”"):
		e.t.Errorf("step %d: %v; want %q in it", i, err, want.Says)
	}
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		e.checkText("an error", fmt.Sprintf("%v %#v", cause, cause))
	}
}

// open is a person who signs in wherever the page is.
func (e *exchanging) open(ctx context.Context, page oauth.Page) error {
	u := must(url.Parse(page.URL))
	u.Host, u.Path = "auth.example.com", "/authorize"
	page.URL = u.String()
	return e.browse(ctx, page)
}

// next is the request that is to come, held against the one that came.
func (e *exchanging) next(to string, form url.Values) *sent {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.left) == 0 || e.left[0].To != to {
		e.t.Errorf("a request to %s that was not to come: %q", to, form.Get("scope"))
		return &sent{Refuse: &refused{Status: 400, Error: "server_error", Body: ""}}
	}
	n := e.left[0]
	if to != "revoke" { // how many tokens are revoked is a host's affair
		e.left = e.left[1:]
	}
	for name, want := range map[string]string{"scope": n.Scope, "prompt": n.Prompt, "grant_type": n.Grant, "refresh_token": n.RefreshToken} {
		if name == "refresh_token" && want == "" {
			continue
		}
		if got := form.Get(name); got != want || form.Has(name) != (want != "") {
			e.t.Errorf("a request to %s has %s %q, want %q", to, name, got, want)
		}
	}
	if to != "revoke" && form.Get("resource") != serverURL {
		e.t.Errorf("a request to %s does not name the resource", to)
	}
	return n
}

func (e *exchanging) authorize(rw http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	n := e.next("authorize", query)
	back := must(url.Parse(query.Get("redirect_uri")))
	answer := url.Values{"state": {query.Get("state")}}
	e.change(func() {
		e.hide(query.Get("state"))
		if n.Refuse == nil {
			answer.Set("code", e.secret("code"))
		}
	})
	if n.Refuse != nil {
		answer.Set("error", n.Refuse.Error)
		answer.Set("error_description", filled(n.Refuse.ErrorDescription, query))
	}
	back.RawQuery = answer.Encode()
	http.Redirect(rw, r, back.String(), http.StatusFound)
}

func (e *exchanging) token(rw http.ResponseWriter, r *http.Request) {
	form := e.visits("/token")
	last := form[len(form)-1].Form
	n := e.next("token", last)
	if n.Refuse != nil {
		n.Refuse.write(rw, last)
		return
	}
	answer := map[string]any{"token_type": "Bearer", "expires_in": e.lifetime}
	e.change(func() { answer["access_token"], answer["refresh_token"] = e.secret("access"), e.secret("refresh") })
	maps.Copy(answer, n.Answer)
	answerJSON(rw, 200, answer)
}

func (e *exchanging) revoke(rw http.ResponseWriter, r *http.Request) {
	if n := e.next("revoke", url.Values{}); n.Refuse != nil {
		n.Refuse.write(rw, nil)
	}
}

func (no *refused) write(rw http.ResponseWriter, form url.Values) {
	if body, ok := no.Body.(string); ok {
		text(no.Status, no.Type, filled(body, form))(rw, nil)
		return
	}
	text(no.Status, "application/json", filled(string(must(json.Marshal(no.Body))), form))(rw, nil)
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// filled puts what a request has sent in the place of its names in braces.
func filled(text string, form url.Values) string {
	return parameter.ReplaceAllStringFunc(text, func(name string) string {
		if value := form.Get(strings.Trim(name, "{}")); value != "" {
			return value
		}
		return name
	})
}
