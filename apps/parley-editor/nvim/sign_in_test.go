//go:build unix

package nvim_test

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
	call(w, duplicate)
	w.Sees("Work items asks who you are", "for the tool update_work_item", "│Sign in to 127.0.0.1:", "it asks for: call", "[ Park: keep everything and resume later ]")
	to(w, "[ Not now")
	w.Sees("you chose not to sign in now")
	w.Press("Enter")

	call(w, duplicate)
	w.Sees("Work items asks who you are")
	to(w, "[ Sign in")
	w.Sees("Work items asks you to sign in", "You sign in at 127.0.0.1:", "/authorize?", "host: 127.0.0.1:")
	if got := s.Count("/authorize"); got != 0 {
		t.Error("a page was opened before anybody agreed")
	}
	to(w, "[ Open in")
	w.Sees("┃ How was work item 4711 resolved?")
	to(w, "[ Stop")
	w.Sees("you stopped the call")

	w.Type(":ParleySignOut Work items")
	w.Press("Enter")
	w.Sees("you are signed out")
	w.Type(":ParleySignIn Work items")
	w.Press("Enter")
	w.Sees("for signing in")
	to(w, "[ Open in")
	w.Sees("you are signed in at 127.0.0.1:")
	s.Leaks(t, "the screen", w.Screen())
}
