//go:build unix

package emacs_test

import (
	"testing"

	"github.com/parley-mcp/parley/apps/internal/authtest"
	"github.com/parley-mcp/parley/apps/internal/storytest"
)

// TestSignIn signs in while a call waits, by keys, and later by commands.
func TestSignIn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	s := authtest.New(t, storytest.Handler(t))
	d.url = s.URL
	w := d.start()
	callDuplicate(w)
	w.Sees("Work items asks who you are", "for the tool update_work_item", "it asks for: call", "\nSign in to 127.0.0.1:")
	w.Type("n")
	w.Sees("\nThis sign-in:")
	w.Type("Not")
	w.Press("Tab", "Enter")
	w.Sees("you chose not to sign in now")

	callDuplicate(w)
	w.Sees("Work items asks who you are", "\nSign in to 127.0.0.1:")
	w.Type("y")
	w.Sees("Work items asks you to sign in", "You sign in at 127.0.0.1:", "/authorize?", "host: 127.0.0.1:", "\nOpen 127.0.0.1:")
	if got := s.Count("/authorize"); got != 0 {
		t.Error("a page was opened before anybody agreed")
	}
	w.Type("y")
	w.Sees("┃ How was work item 4711 resolved?", "\nResolution:")
	w.Press("C-g")
	w.Sees("\nSend this to Work items?")
	w.Press("C-g")
	w.Sees("The question waits: M-x parley-answer")
	do(w, "parley-stop")
	w.Sees("you stopped the call")

	do(w, "parley-sign-out")
	w.Sees("\nServer (or URL):")
	enter(w, "Work items")
	w.Sees("You are signed out")
	do(w, "parley-sign-in")
	w.Sees("\nServer (or URL):")
	enter(w, "Work items")
	w.Sees("for signing in", "\nOpen 127.0.0.1:")
	w.Type("y")
	w.Sees("You are signed in at 127.0.0.1:")
	s.Leaks(t, "the screen", w.Screen())
}
