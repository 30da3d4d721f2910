//go:build unix

package main_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/authtest"
)

// TestNotNow ends the call with what was answered kept, and goes on with it
// later: the step-up comes with the leg that brings the answers.
func TestNotNow(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	server.Wants = func(r authtest.Request) string {
		switch {
		case r.Method == "tools/call" && r.Answers:
			return "items:write"
		case r.Method == "tools/call":
			return "items"
		}
		return ""
	}
	w := startWith(t, 100, 40, visiting, "call", server.URL, "update_work_item", "id:=4711", "state=Resolved", "--state-dir", dir, "--label", "the desk")
	w.sees("the desk wants you to sign in", "it asks for: items", "> Sign in")
	w.press(enter)
	w.sees("> Open in the browser")
	w.press(enter)
	w.sees("How was work item 4711 resolved?", "> Fixed")
	w.press(enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("the desk wants you to allow more", "you signed in: at "+server.Issuer, "it asks for: items:write", "> Sign in")
	w.press(down, enter)
	w.seesFlat("→ not now", "parley: the desk wants you to sign in, and you did not", "resume it with parley resume ")
	w.ends(3)

	// Nobody is there.
	id := stored(t, dir)[0]
	got := run(t, "", "resume", id, "--state-dir", dir)
	got.check(t, 3, "")
	got.says(t, "and nobody is here to be asked: run  parley login "+server.URL+" --scope items:write --state-dir "+dir+"  first", "parked as "+id)
	got = run(t, "", "login", server.URL, "--scope", "items:write", "--state-dir", dir, "--browser", visitCommand())
	got.check(t, 0, "")
	got.says(t, "you sign in at: ", "items:write", "you are signed in at ", "for items items:write")
	got = run(t, "", "resume", id, "--state-dir", dir)
	got.check(t, 0, "Work item 4711 is now Resolved as Fixed.\n")
	if strings.Contains(got.stderr, "asks") {
		t.Errorf("asked again:\n%s", got.stderr)
	}
	if got := server.Count("tools/call update_work_item"); got != 2 {
		t.Errorf("legs that the tool saw: got %d, want 2", got)
	}
	if got := stored(t, dir); len(got) > 0 {
		t.Errorf("stored: got %q", got)
	}
}

// TestParkWhileSigningIn leaves while the browser is at the authorization
// server's page, signs in elsewhere and finishes in another process.
func TestParkWhileSigningIn(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	keeps := make(chan struct{})
	server.Keeps = keeps
	w := startWith(t, 100, 40, visiting, "call", server.URL, "update_work_item", "id:=4711", "state=Resolved", "--state-dir", dir)
	w.sees("> Sign in")
	w.press(enter)
	w.sees("> Open in the browser")
	w.press(enter)
	w.sees("→ opened in the browser", "Waiting until you are done at", "> Open the page again", "  Show its address", "  Not now", "  Park", "p park")
	w.press("p")
	w.seesFlat("→ parked", "resume it with  parley resume ")
	w.ends(5)
	server.Change(func() { server.Keeps = nil })
	close(keeps) // the page leads to a program that is gone

	got := run(t, "", "login", server.URL, "--scope", "call", "--state-dir", dir, "--browser", visitCommand())
	got.check(t, 0, "")
	got = run(t, "", "resume", stored(t, dir)[0], "--state-dir", dir, "--script", file(t, `{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Fixed"}}]}`))
	got.check(t, 0, "Work item 4711 is now Resolved as Fixed.\n")
	if got := server.Count("tools/call update_work_item"); got != 2 {
		t.Errorf("legs that the tool saw: got %d, want 2", got)
	}
}

// TestOtherAccount resumes nothing as somebody else.
func TestOtherAccount(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	login := func() {
		t.Helper()
		run(t, "", "login", server.URL, "--scope", "call", "--state-dir", dir, "--browser", visitCommand()).check(t, 0, "")
	}
	login()
	script := file(t, `{"answers":[]}`)
	got := run(t, "", "call", server.URL, "update_work_item", "id:=4711", "state=Resolved", "--state-dir", dir, "--script", script)
	got.check(t, 3, "")
	id := stored(t, dir)[0]

	run(t, "", "logout", server.URL, "--state-dir", dir).check(t, 0, "")
	login()
	got = run(t, "", "resume", id, "--state-dir", dir)
	got.check(t, 3, "")
	got.says(t, "call "+id+" cannot be resumed: it belongs to another account at "+label(server.URL)+" than the one that is signed in")

	bearer := secretFile(t, server.Token("call"))
	got = run(t, "", "resume", id, "--state-dir", dir, "--bearer-file", bearer)
	got.check(t, 3, "")
	got.says(t, "it belongs to an account that somebody signed in to")
	if stored(t, dir)[0] != id {
		t.Error("the call is gone")
	}

	// Elsewhere there is no such account at all.
	exported := run(t, "", "export", id, "-", "--state-dir", dir)
	got = run(t, exported.stdout, "import", "-", "--state-dir", t.TempDir())
	got.check(t, 3, "")
	got.says(t, "standard input cannot be imported: it belongs to an account that is not signed in here")
}
