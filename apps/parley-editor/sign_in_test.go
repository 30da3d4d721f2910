package main_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/authtest"
	"github.com/parley-mcp/parley/apps/internal/storytest"
)

// protected is a server that wants somebody to sign in, and more for the leg
// that brings answers.
func protected(t *testing.T) *authtest.Server {
	s := authtest.New(t, storytest.Handler(t))
	s.Wants = func(r authtest.Request) string {
		switch {
		case r.Method == "tools/call" && r.Answers:
			return "items:write"
		case r.Method == "tools/call":
			return "items"
		}
		return ""
	}
	return s
}

// host is that of a server's authorization server.
func host(s *authtest.Server) string { return strings.TrimPrefix(s.Issuer, "http://") }

// signIn agrees to sign in, and to what the browser is to open.
func (e *editor) signIn(s *authtest.Server, status int, scopes ...string) {
	e.t.Helper()
	a := e.ask("ask/sign-in")
	if a.Host != host(s) || a.Status != status || !slices.Equal(a.Scopes, scopes) || a.Words != "Sign in to "+a.Host+"?" || (a.Account != "") != (status == 403) {
		e.t.Errorf("question: got %+v", a)
	}
	e.answer(a, "accept", "")
	a = e.ask("ask/browser")
	if a.Host != host(s) || !strings.HasPrefix(a.URL, s.Issuer+"/authorize?") || strings.Join(a.Parts, "") != a.URL || a.Parts[1] != a.Host {
		e.t.Errorf("question: got %+v", a)
	}
	e.answer(a, "accept", "")
}

// TestSignIn signs in and is asked for more in the middle of a round: nothing is
// asked twice, the tool runs once, and no secret is anywhere.
func TestSignIn(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"wasm", "native"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s, flags := protected(t), kept(t)
			e := begin(t, append(flags, "--engine", engine)...)
			back := e.call(s.URL, "update_work_item", `{"id":4711,"state":"Resolved"}`)
			e.signIn(s, 401, "items")
			e.notified("call/progress", "waiting for your browser, where you sign in at "+host(s))
			e.answer(e.ask("ask/elicit"), "accept", `,"values":[{"chosen":[0]}]`)
			e.signIn(s, 403, "items:write")
			if o := e.end(back); o.Text != "Work item 4711 is now Resolved as Fixed.\n" {
				t.Errorf("outcome: got %+v", o)
			}
			if got := s.Count("tools/call update_work_item"); got != 2 {
				t.Errorf("legs that the tool saw: got %d, want 2", got)
			}
			var list struct {
				Accounts []struct {
					URL, Host string
					Scopes    []string
				}
			}
			if err := json.Unmarshal(e.must("accounts", "{}"), &list); err != nil || len(list.Accounts) != 1 || list.Accounts[0].URL != s.URL || list.Accounts[0].Host != host(s) {
				t.Errorf("accounts: got %+v, %v", list, err)
			}
			e.send(`{"jsonrpc":"2.0","method":"exit"}`)
			e.gone()

			again := begin(t, flags...)
			o := again.end(again.call(s.URL, "list_work_items", `{}`))
			if strings.Contains(o.Reason, "sign") {
				t.Errorf("in another process: got %+v", o)
			}
			again.must("logout", fmt.Sprintf(`{"server":{"url":%q}}`, s.URL))
			if got := s.Count("/revoke"); got == 0 {
				t.Error("signing out revoked nothing")
			}
			again.call(s.URL, "list_work_items", `{}`)
			again.answer(again.ask("ask/sign-in"), "stop", "")
			again.send(`{"jsonrpc":"2.0","method":"exit"}`)
			again.gone()
			leaks(t, s, e, again, flags)
		})
	}
}

// leaks looks for secrets in what was said, and in files.
func leaks(t *testing.T, s *authtest.Server, e, again *editor, flags []string) {
	t.Helper()
	if s.Secrets() < 5 {
		t.Errorf("secrets: got %d, too few to look for", s.Secrets())
	}
	for _, one := range []*editor{e, again} {
		s.Leaks(t, "a message", one.got.String())
		s.Leaks(t, "the standard error", one.log.String())
		s.Leaks(t, "the command line", strings.Join(one.cmd.Args, " "))
	}
	dir := flags[slices.Index(flags, "--state-dir")+1]
	files := 0
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			files++
			s.Leaks(t, path, string(text))
		}
		return err
	})
	if files == 0 {
		t.Error("no file was looked into")
	}
}

// TestNotSignedIn has the person, the editor and the browser say no.
func TestNotSignedIn(t *testing.T) {
	t.Parallel()
	s, flags := protected(t), kept(t)
	e := begin(t, flags...)
	back := e.call(s.URL, "update_work_item", duplicate)
	a := e.ask("ask/sign-in")
	if r := e.do("answer", fmt.Sprintf(`{"ask":%q,"action":"cancel"}`, a.Ask)); r.Error == nil {
		t.Error("a sign-in was dismissed, which says nothing to anybody")
	}
	e.answer(a, "decline", "")
	o := e.end(back)
	if o.Status != "failed" || !o.Kept || !strings.Contains(o.Reason, "you chose not to sign in now") {
		t.Errorf("outcome: got %+v", o)
	}

	s.Change(func() { s.Refuses = true })
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, o.Call))
	e.signIn(s, 401, "items")
	if o = e.end(back); o.Status != "failed" || !o.Kept || !strings.Contains(o.Reason, host(s)) {
		t.Errorf("outcome: got %+v", o)
	}
	s.Change(func() { s.Refuses = false })

	unable := start(t, flags...)
	unable.must("initialize", `{"protocol":1,"client":{"name":"test","version":"1"},"asks":{"elicit":true}}`)
	o = unable.end(unable.call(s.URL, "update_work_item", duplicate))
	if want := "run  parley login " + s.URL; o.Status != "failed" || !strings.Contains(o.Reason, want) {
		t.Errorf("an editor that cannot ask: got %+v, want %q", o, want)
	}
	if r := unable.do("login", fmt.Sprintf(`{"server":{"url":%q}}`, s.URL)); r.Error == nil || !strings.Contains(r.Error.Message, "parley login") {
		t.Errorf("login: got %+v", r)
	}
}

// TestParkedSignIn parks a call while the browser is at the page, signs in by
// itself in another process, where the browser has to be opened by hand, and
// finishes there.
func TestParkedSignIn(t *testing.T) {
	t.Parallel()
	s, flags := protected(t), kept(t)
	keeps := make(chan struct{})
	s.Keeps = keeps
	e := begin(t, flags...)
	back := e.call(s.URL, "update_work_item", duplicate)
	e.signIn(s, 401, "items")
	e.notified("call/progress", "waiting for your browser")
	e.must("park", fmt.Sprintf(`{"call":%q}`, e.running()))
	o := e.end(back)
	if o.Status != "parked" || !o.Kept {
		t.Fatalf("outcome: got %+v", o)
	}
	e.in.Close()
	e.gone()
	s.Change(func() { s.Keeps = nil })
	close(keeps)

	e = begin(t, flags...)
	_, login := e.request("login", fmt.Sprintf(`{"server":{"url":%q}}`, s.URL))
	a := e.ask("ask/browser")
	if a.Call != "" || a.MayPark {
		t.Errorf("question: got %+v", a)
	}
	e.answer(a, "accept", `,"opened":true`)
	if err := authtest.Visit(a.URL); err != nil {
		t.Fatal(err)
	}
	if r := get(e, "the reply to login", login); r.Error != nil || !strings.Contains(string(r.Result), host(s)) {
		t.Fatalf("login: got %+v", r)
	}
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, o.Call))
	e.signIn(s, 403, "items")
	e.answer(e.ask("ask/elicit"), "accept", `,"values":[{"chosen":[0]}]`)
	e.signIn(s, 403, "items:write")
	if o := e.end(back); o.Text != "Work item 4711 is now Resolved as Fixed.\n" {
		t.Errorf("outcome: got %+v", o)
	}
}

// TestSignInForList signs in before there is a call.
func TestSignInForList(t *testing.T) {
	t.Parallel()
	s := protected(t)
	s.Wants = func(authtest.Request) string { return "all" }
	e := begin(t, "--engine=native")
	_, back := e.request("tools", fmt.Sprintf(`{"server":{"url":%q}}`, s.URL))
	a := e.ask("ask/sign-in")
	if a.Call != "" || a.MayPark || a.Subject != "the list of its tools" {
		t.Errorf("question: got %+v", a)
	}
	e.answer(a, "decline", "")
	if r := get(e, "the tools", back); r.Error == nil || !strings.Contains(r.Error.Message, "you chose not to sign in now") {
		t.Errorf("tools: got %+v", r)
	}
	_, back = e.request("tools", fmt.Sprintf(`{"server":{"url":%q}}`, s.URL))
	e.signIn(s, 401, "all")
	if r := get(e, "the tools", back); r.Error != nil || !strings.Contains(string(r.Result), "update_work_item") {
		t.Errorf("tools: got %+v", r)
	}
}
