//go:build unix

package main_test

import (
	"strings"
	"testing"
)

// TestChange asks whether to continue at another authorization server. What was
// answered is kept meanwhile.
func TestChange(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	w := startWith(t, 120, 40, visiting, "call", server.URL, "update_work_item", "id:=4711", "state=Resolved", "--state-dir", dir, "--label", "the desk")
	w.sees("the desk wants you to sign in", "> Sign in")
	w.press(enter)
	w.sees("> Open in the browser")
	w.press(enter)
	w.sees("How was work item 4711 resolved?", "> Fixed")
	server.Move()
	w.press(enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("> Sign in") // the old account's token is good for nothing
	w.press(enter)
	w.seesFlat("the desk has people sign in at localhost:", "now, no longer at 127.0.0.1:", "calls that you began with that account continue with the new one", "> Sign in there")
	w.press(down, enter)
	w.seesFlat("→ not now", "resume it with parley resume ")
	w.ends(3)

	// A script has to name the new server.
	id := stored(t, dir)[0]
	got := run(t, "", "resume", id, "--state-dir", dir, "--script", file(t, `{"signIn":[{"action":"accept"}]}`), "--browser", visitCommand())
	got.check(t, 3, "")
	got.says(t, `that you agree, by {"action": "accept", "at": "`+label(server.Issuer)+`"}`)
	if got := server.Count("tools/call update_work_item"); got != 1 {
		t.Errorf("legs that the tool saw: got %d, want 1", got)
	}

	// Nobody can agree without a terminal.
	got = run(t, "", "login", server.URL, "--state-dir", dir, "--scope", "call", "--browser", visitCommand())
	got.check(t, 3, "")
	got.says(t, "nobody is here to agree: run  parley login "+server.URL)

	// Signing in beforehand is enough, and the call knows the account.
	w = startWith(t, 120, 40, visiting, "login", server.URL, "--state-dir", dir, "--scope", "call")
	w.seesFlat("no longer at 127.0.0.1:", "> Sign in there")
	w.press(enter)
	w.sees("> Open in the browser")
	w.press(enter)
	w.seesFlat("you are signed in at http://localhost:")
	w.ends(0)
	got = run(t, "", "resume", id, "--state-dir", dir)
	got.check(t, 0, "Work item 4711 is now Resolved as Fixed.\n")
	if strings.Contains(got.stderr, "asks") {
		t.Errorf("asked again:\n%s", got.stderr)
	}
}
