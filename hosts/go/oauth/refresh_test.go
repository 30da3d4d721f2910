package oauth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// TestRefresh renews what has expired, names the resource, and keeps a rotated
// refresh token.
func TestRefresh(t *testing.T) {
	w := newWorld(t)
	w.lifetime = 1 // over as soon as it begins: tokens are renewed early
	o := w.options()
	o.Store = &oauth.Memory{}
	s := w.signIn(o)
	authorize(t, s, challenged(401, "scope", "read"))
	first := header(t, s)
	second := header(t, w.signIn(o))
	tokens := w.visits("/token")
	if first == "" || first == second || len(tokens) != 3 {
		t.Fatalf("%d token requests, want one for the code and two to renew", len(tokens))
	}
	for _, v := range tokens[1:] {
		if v.Form.Get("grant_type") != "refresh_token" || v.Form.Get("resource") != serverURL || v.Form.Get("client_id") != "registered-1" || v.Form.Get("scope") != "read" || v.Form.Has("code") {
			t.Errorf("the request to renew is not as it should be")
		}
	}
	if tokens[1].Form.Get("refresh_token") == tokens[2].Form.Get("refresh_token") {
		t.Error("the rotated refresh token was not kept")
	}
	account, _, _ := s.Account(t.Context())
	if len(account.Scopes) != 1 {
		t.Errorf("scopes after renewing: got %q, want what they were", account.Scopes)
	}
}

// TestSilently renews before a person is asked, and asks if that was in vain.
func TestSilently(t *testing.T) {
	w := newWorld(t)
	asked := 0
	o := w.options()
	o.Ask = func(context.Context, oauth.Prompt) error { asked++; return nil }
	s := w.signIn(o)
	label := authorize(t, s, challenged(401))
	before := header(t, s)
	if got := authorize(t, s, challenged(401, "error", "invalid_token")); got != label || asked != 1 {
		t.Errorf("the person was asked %d times, want once", asked)
	}
	if header(t, s) == before {
		t.Error("the token that was refused is still sent")
	}
	if got := authorize(t, s, challenged(401)); got != label || asked != 2 {
		t.Errorf("the person was asked %d times after renewing in vain, want twice", asked)
	}
}

// TestRefreshRefused forgets a refresh token that is dead, and keeps whose
// account it was.
func TestRefreshRefused(t *testing.T) {
	w := newWorld(t)
	w.lifetime = 1
	o := w.options()
	asked := 0
	o.Ask = func(_ context.Context, p oauth.Prompt) error { asked++; return nil }
	s := w.signIn(o)
	label := authorize(t, s, challenged(401, "scope", "read"))
	w.change(func() { clear(w.refresh) })
	if got := header(t, s); got != "" {
		t.Error("a token that is over was sent")
	}
	if _, ok, _ := s.Account(t.Context()); ok {
		t.Error("Account: got one, want none that is signed in")
	}
	if got := authorize(t, s, challenged(401)); got != label || asked != 2 {
		t.Errorf("signed in again: asked %d times, same account %t", asked, got == label)
	}
}

// TestRefreshUnreachable sends nothing while it cannot be renewed, and loses
// nothing.
func TestRefreshUnreachable(t *testing.T) {
	w := newWorld(t)
	w.lifetime = 1
	s := w.signIn(w.options())
	authorize(t, s, challenged(401))
	w.on("auth.example.com/token", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(503) })
	if value, err := s.Authorization(t.Context()); !errors.Is(err, oauth.ErrServer) || value != "" {
		t.Errorf("Authorization: got %v, want ErrServer", err)
	}
	w.on("auth.example.com/token", nil)
	if header(t, s) == "" {
		t.Error("the refresh token was lost")
	}
}

// TestConcurrentRefresh renews once for many requests.
func TestConcurrentRefresh(t *testing.T) {
	w := newWorld(t)
	w.lifetime = 1
	s := w.signIn(w.options())
	authorize(t, s, challenged(401))
	w.change(func() { w.lifetime = 3600 })
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if header(t, s) == "" {
				t.Error("no header")
			}
		})
	}
	all.Wait()
	if got := len(w.visits("/token")); got != 2 {
		t.Errorf("%d token requests, want one for the code and one to renew", got)
	}
}

// TestTwoProcesses lets several processes renew one refresh token, which the
// server takes once: lock, read again, refresh, write.
func TestTwoProcesses(t *testing.T) {
	if dir := os.Getenv("OAUTH_TEST_STORE"); dir != "" {
		renewInProcess(dir)
		return
	}
	// Processes cannot share the world's client, so this one is plain http on
	// this machine.
	w := newWorld(t)
	plain := newPlain(t, w)
	dir := t.TempDir()
	o := oauth.Options{URL: plain + "/mcp", Open: w.browse, Store: files(dir)}
	w.lifetime = 1
	s := w.signIn(o)
	authorize(t, s, challenged(401))
	w.change(func() { w.lifetime = 3600 })
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			child := exec.Command(os.Args[0], "-test.run=^TestTwoProcesses$")
			child.Env = append(os.Environ(), "OAUTH_TEST_STORE="+dir, "OAUTH_TEST_URL="+plain+"/mcp")
			out, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "signed in: true") {
				t.Errorf("a process: %v\n%s", err, out)
			}
		})
	}
	all.Wait()
	if got := len(w.visits("/token")); got != 2 {
		t.Errorf("%d token requests, want one for the code and one to renew", got)
	}
}

func renewInProcess(dir string) {
	s, err := oauth.New(oauth.Options{URL: os.Getenv("OAUTH_TEST_URL"), Store: files(dir)})
	if err == nil {
		var value string
		value, err = s.Authorization(context.Background())
		fmt.Println("signed in:", value != "")
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func files(dir string) *oauth.Files {
	return &oauth.Files{Dir: filepath.Join(dir, "accounts"), Box: &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}}
}

// TestRefreshEarlierRecord renews an account that was kept before its scopes
// were: none are sent.
func TestRefreshEarlierRecord(t *testing.T) {
	w := newWorld(t)
	w.lifetime = 1
	o := w.options()
	store := &oauth.Memory{}
	o.Store = store
	authorize(t, w.signIn(o), challenged(401, "scope", "read"))
	for _, key := range must(store.Keys(t.Context())) {
		var kept map[string]any
		if err := json.Unmarshal(must(store.Load(t.Context(), key)), &kept); err != nil {
			t.Fatal(err)
		}
		delete(kept, "scopes")
		delete(kept, "asked")
		if err := store.Save(t.Context(), key, must(json.Marshal(kept))); err != nil {
			t.Fatal(err)
		}
	}
	if header(t, w.signIn(o)) == "" {
		t.Error("no header")
	}
	tokens := w.visits("/token")
	if last := tokens[len(tokens)-1].Form; last.Get("grant_type") != "refresh_token" || last.Has("scope") {
		t.Error("the request to renew is not as it should be")
	}
}
