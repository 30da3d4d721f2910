package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

const paid = `,"values":[{"text":"you"},{"text":"4200"},{"chosen":[1]},null]`

// TestAgain has a server that has forgotten the call: it is begun again, with what
// was answered filled in.
func TestAgain(t *testing.T) {
	t.Parallel()
	url, forgetful := editortest.ForgetfulServer(t)
	e := begin(t, kept(t)...)
	back := e.call(url, "pay", "{}")
	a := e.ask("ask/elicit")
	if a.Earlier || a.Fields[0].Value == nil || a.Fields[0].Value.Text != "me" {
		t.Errorf("question: got %+v", a)
	}
	e.answer(a, "accept", paid)
	for range 2 { // the second time without again
		o := e.end(back)
		if o.Status != "failed" || !o.Kept || !o.Again || o.InDoubt || !strings.Contains(o.Reason, "what call?") {
			t.Fatalf("refused: got %+v", o)
		}
		_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, o.Call))
	}
	e.end(back)
	forgetful.Store(false)
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q,"again":true}`, a.Call))
	a = e.ask("ask/elicit")
	if f := a.Fields; !a.Earlier || f[0].Value.Text != "you" || f[1].Value.Text != "4200" || f[2].Value.Chosen[0] != 1 || f[3].Value != nil {
		t.Errorf("again: got %+v", a)
	}
	e.answer(a, "accept", paid)
	if o := e.end(back); o.Status != "done" || !strings.Contains(o.Text, `{"who":"you","cents":4200,"how":"card"}`) {
		t.Errorf("outcome: got %+v", o)
	}
}

// TestDoubt breaks the connection while a tool runs, with the question answered
// before: the person learns that it may have run, and it is only called again on
// request.
func TestDoubt(t *testing.T) {
	t.Parallel()
	var cut atomic.Bool
	cut.Store(true)
	url := editortest.Moody(t, func(http.ResponseWriter, json.RawMessage) bool {
		if cut.Load() {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	e := begin(t, kept(t)...)
	back := e.call(url, "pay", "{}")
	e.answer(e.ask("ask/elicit"), "accept", paid)
	o := e.end(back)
	if o.Status != "failed" || !o.Kept || !o.InDoubt || o.Again || !strings.Contains(o.Reason, "Nobody knows whether the tool pay was called") {
		t.Errorf("lost: got %+v", o)
	}
	cut.Store(false)
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, o.Call))
	if o := e.end(back); o.Status != "failed" || !o.Kept || !o.InDoubt {
		t.Errorf("resumed: got %+v", o)
	}
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q,"resend":true}`, o.Call))
	if o := e.end(back); o.Status != "done" || !strings.Contains(o.Text, `"cents":4200`) {
		t.Errorf("called again: got %+v", o)
	}
}

// TestLessAble goes on with a call in an editor that cannot be asked for what the
// call declared: it stays where it was.
func TestLessAble(t *testing.T) {
	t.Parallel()
	url, flags := editortest.Moody(t, func(http.ResponseWriter, json.RawMessage) bool { return false }), kept(t)
	e := begin(t, flags...)
	back := e.call(url, "pay", "{}")
	e.answer(e.ask("ask/elicit"), "park", "")
	call := e.end(back).Call

	e = start(t, flags...)
	e.must("initialize", `{"protocol":1,"asks":{"url":true,"sample":true,"roots":true}}`)
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, call))
	if o := e.end(back); o.Status != "failed" || !o.Kept || !strings.Contains(o.Reason, "a form, which this host cannot answer") {
		t.Errorf("without forms: got %+v", o)
	}
	if list := e.parked(); len(list) != 1 || list[0].Questions != 1 {
		t.Errorf("list: got %+v", list)
	}
}
