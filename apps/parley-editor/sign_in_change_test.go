package main_test

import (
	"strings"
	"testing"
)

// TestChange asks whether to continue at another authorization server, and keeps
// what was answered.
func TestChange(t *testing.T) {
	t.Parallel()
	s, flags := protected(t), kept(t)
	e := begin(t, flags...)
	back := e.call(s.URL, "update_work_item", duplicate)
	e.signIn(s, 401, "items")
	question := e.ask("ask/elicit")
	before := host(s)
	s.Move()
	e.answer(question, "accept", `,"values":[{"chosen":[0]}]`)
	a := e.ask("ask/sign-in")
	e.answer(a, "accept", "")
	first := a.Ask
	a = e.ask("ask/sign-in")
	if want := "has people sign in at " + host(s) + " now, no longer at " + before; !strings.Contains(a.Words, want) || a.Account != before || a.Ask == first {
		t.Errorf("question: got %+v, want %q", a, want)
	}
	e.answer(a, "accept", "")
	a = e.ask("ask/browser")
	if a.Host != host(s) {
		t.Errorf("question: got %+v", a)
	}
	e.answer(a, "accept", "")
	if o := e.end(back); o.Text != "Work item 4711 is now Resolved as Fixed.\n" {
		t.Errorf("outcome: got %+v", o)
	}
}
