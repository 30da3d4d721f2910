//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// forgetful is a server that asks for a name and then for a town, and takes the
// state of the last leg only when it is told to.
type forgetful struct {
	url    string
	mu     sync.Mutex
	takes  bool
	worked int // how often the tool did its work
}

func serveForgetful(t *testing.T) *forgetful {
	t.Helper()
	f := new(forgetful)
	form := func(key, state string) string {
		return fmt.Sprintf(`"result":{"resultType":"input_required","requestState":%q,"inputRequests":{%q:{"method":"elicitation/create","params":{
			"message":"Your %s?","requestedSchema":{"type":"object","properties":{%q:{"type":"string"}},"required":[%q]}}}}}`, state, key, key, key, key)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Params struct {
				RequestState   string
				InputResponses map[string]struct{ Content map[string]string }
			}
		}
		json.NewDecoder(r.Body).Decode(&request)
		f.mu.Lock()
		defer f.mu.Unlock()
		message, given := form("name", "1"), request.Params.InputResponses
		switch {
		case request.Params.RequestState == "1":
			message = form("town", given["name"].Content["name"])
		case request.Params.RequestState != "" && !f.takes:
			message = `"error":{"code":-32602,"message":"too\u001b late"}`
		case request.Params.RequestState != "":
			f.worked++
			message = fmt.Sprintf(`"result":{"content":[{"type":"text","text":"%s of %s"}]}`, request.Params.RequestState, given["town"].Content["town"])
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, message)
	}))
	t.Cleanup(s.Close)
	f.url = s.URL
	return f
}

func (f *forgetful) take() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.takes = true
}

func (f *forgetful) check(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.worked != 1 {
		t.Errorf("the tool did its work %d times, want once", f.worked)
	}
}

const expired = "answered with error -32602: too␛ late (it does not go on from where it was"

// fill types a value into a form's only field and sends it.
func (w *terminal) fill(field, value string) {
	w.t.Helper()
	w.sees("Your "+field+"?", "enter next")
	w.press(value, enter)
	w.sees("• "+field+": "+value, "> Send")
	w.press(enter)
	w.sees("  " + field + ": " + value)
}

// refill sends a form that is filled in with what was answered before.
func (w *terminal) refill(field, value string) {
	w.t.Helper()
	w.sees("│ Your "+field+"?", "• "+field+": "+value, "> Send")
	w.seesFlat("This was asked before. What you answered then is filled in: look at it before you send it again.")
	w.press(enter)
}

// TestStartOver starts a call over whose state the server does not take.
func TestStartOver(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"wasm", "native"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			f, dir := serveForgetful(t), t.TempDir()
			w := start(t, 100, 60, "call", f.url, "x", "--state-dir", dir, "--engine", engine)
			w.fill("name", "Ada")
			w.fill("town", "Oslo")
			w.seesFlat(expired, "Start over? What you answered is filled in.", "> Start over", "Park", "Stop")
			f.take()
			w.press(enter)
			w.sees("→ started over")
			w.refill("name", "Ada")
			w.sees("question 1 of round 2")
			w.refill("town", "Oslo")
			w.sees("\nAda of Oslo")
			w.ends(0)
			f.check(t)
			checkEmpty(t, dir)
		})
	}
}

// TestStartOverLater parks such a call, or has a script in place of a person,
// and starts it over with resume.
func TestStartOverLater(t *testing.T) {
	t.Parallel()
	f, dir := serveForgetful(t), t.TempDir()
	w := start(t, 100, 60, "call", f.url, "x", "--state-dir", dir)
	w.fill("name", "Ada")
	w.fill("town", "Oslo")
	w.seesFlat("> Start over")
	w.press("p")
	w.seesFlat("→ parked", "parked as ", "start it over, with what was answered filled in, by  parley resume ")
	w.ends(5)
	id := stored(t, dir)[0]

	answers := file(t, `{"answers":[{"key":"name","action":"accept","content":{"name":"Ada"}},{"key":"town","action":"accept","content":{"town":"Rome"}}]}`)
	got := run(t, "", "resume", id, "--state-dir", dir, "--again", "--script", answers)
	got.check(t, 3, "")
	got.says(t, expired, "parked as "+id, "start it over, with what was answered filled in, by  parley resume "+id+" --again --state-dir ")

	f.take()
	w = start(t, 100, 60, "resume", id, "--again", "--state-dir", dir)
	w.refill("name", "Ada")
	w.sees("question 1 of round 2")
	w.refill("town", "Rome")
	w.sees("\nAda of Rome")
	w.ends(0)
	f.check(t)
	checkEmpty(t, dir)
}

// TestStartOverStopped stops such a call.
func TestStartOverStopped(t *testing.T) {
	t.Parallel()
	f, dir := serveForgetful(t), t.TempDir()
	w := start(t, 100, 60, "call", f.url, "x", "--state-dir", dir)
	w.fill("name", "Ada")
	w.fill("town", "Oslo")
	w.seesFlat("> Start over")
	w.press(up, enter)
	w.seesFlat("→ stopped", "parley: you stopped the call to the tool x")
	w.ends(4)
	checkEmpty(t, dir)
}

// TestMoreRounds goes on where a server has asked in as many rounds as it may.
func TestMoreRounds(t *testing.T) {
	t.Parallel()
	url, bodies := rawServer(t, `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{
		"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`)
	dir := t.TempDir()
	answers := file(t, `{"answers":[`+strings.TrimSuffix(strings.Repeat(`{"key":"k","action":"accept","content":{}},`, 30), ",")+`]}`)
	got := run(t, "", "call", url, "x", "--state-dir", dir, "--script", answers)
	for _, legs := range []int{11, 21} {
		got.check(t, 3, "")
		got.says(t, "parley: too many rounds", "parked as ")
		if n := len(bodies()); n != legs {
			t.Errorf("legs: got %d, want %d", n, legs)
		}
		got = run(t, "", "resume", stored(t, dir)[0], "--state-dir", dir, "--script", answers)
	}
}
