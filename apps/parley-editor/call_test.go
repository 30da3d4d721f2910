package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
)

const duplicate = `{"id":4711,"state":"Resolved"}`

// TestForms answers forms, badly first, with both engines.
func TestForms(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	for _, engine := range []string{"wasm", "native"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			e := begin(t, "--engine", engine)
			back := e.call(url, "update_work_item", duplicate)
			a := e.ask("ask/elicit")
			if a.Server != "the desk" || a.Subject != "the tool update_work_item" || a.Round != 1 || a.Message != "How was work item 4711 resolved?" || a.MayPark {
				t.Errorf("question: got %+v", a)
			}
			if f := a.Fields[0]; f.Label != "Resolution" || f.Kind != "choice" || !f.Required || !slices.Equal(f.Options, []string{"Fixed", "Won't fix", "Duplicate", "By design"}) {
				t.Errorf("field: got %+v", f)
			}
			r := e.do("answer", fmt.Sprintf(`{"ask":%q,"action":"accept","values":[null]}`, a.Ask))
			if r.Error == nil || r.Error.Code != -32001 || string(r.Error.Data) != `{"problems":[{"field":0,"problem":"Resolution must be filled in"}]}` {
				t.Errorf("bad answer: got %+v", r.Error)
			}
			e.answer(a, "accept", `,"values":[{"chosen":[2]}]`)
			a = e.ask("ask/elicit")
			for value, want := range map[string]string{
				`{"text":"x"}`: `{"problem":"Original work item must be a whole number like 42"}`, `{"text":"0"}`: `{"problem":"Original work item must be at least 1"}`,
				`{"text":"4242"}`: `{}`, `null`: `{"problem":"Original work item must be filled in"}`,
			} {
				if got := string(e.must("validate", fmt.Sprintf(`{"form":%q,"field":0,"value":%s}`, a.Form, value))); got != want {
					t.Errorf("validate %s: got %s, want %s", value, got, want)
				}
			}
			e.answer(a, "accept", `,"values":[{"text":"4242"},{"text":"Same \"crash\""}]`)
			o := e.end(back)
			if want := "Work item 4711 is now Resolved as a duplicate of 4242. Comment: \"Same \\\"crash\\\"\".\n"; o.Status != "done" || o.Text != want {
				t.Errorf("outcome: got %+v, want %q", o, want)
			}
			if !strings.Contains(o.Result, `"resultType":"complete"`) {
				t.Errorf("result: got %s", o.Result)
			}
			e.notified("call/note", `"kind":"answered"`)
			e.notified("call/status", `"status":"over"`)
		})
	}
}

// TestResultThatLacksContent shows as JSON what a tool brings in place of content.
func TestResultThatLacksContent(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ ID json.RawMessage }
		json.NewDecoder(r.Body).Decode(&request)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","items":[1.0]}}`, request.ID)
	}))
	t.Cleanup(s.Close)
	e := begin(t, "--engine=native")
	o := e.end(e.call(s.URL, "x", "{}"))
	if want := "the result has no list of content, though the tool has run: here it is as JSON\n\n{\n  \"resultType\""; o.Status != "done" || !strings.HasPrefix(o.Text, want) {
		t.Errorf("got %+v, want %q", o, want)
	}
}

// TestRefusals ends questions in every other way.
func TestRefusals(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	e := begin(t, "--engine=native")
	tests := map[string]struct{ action, status, says string }{
		"decline": {"decline", "done", "Oslo: 18 °C"},
		"cancel":  {"cancel", "done", "The user cancelled"},
		"stop":    {"stop", "stopped", "you stopped the call"},
	}
	for name, tt := range tests {
		back := e.call(url, "get_weather", `{"location":"Oslo"}`)
		e.answer(e.ask("ask/elicit"), tt.action, "")
		if o := e.end(back); o.Status != tt.status || !strings.Contains(o.Text+o.Reason, tt.says) || o.Kept {
			t.Errorf("%s: got %+v", name, o)
		}
	}
	back := e.call(url, "get_weather", `{"location":"Oslo"}`)
	a := e.ask("ask/elicit")
	for _, answer := range []string{
		`{"ask":%q,"action":"park"}`, `{"ask":%q,"action":"agree"}`, `{"ask":%q,"action":"accept","values":[]}`,
		`{"ask":%q,"action":"accept","values":[{"chosen":[9]}]}`, `{"ask":%q,"action":"accept","values":[{"chosen":[0,1]}]}`, `{"ask":%q,"action":"accept","values":[{"chosen":[-1]}]}`,
	} {
		if r := e.do("answer", fmt.Sprintf(answer, a.Ask)); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("%s: got %+v", answer, r)
		}
	}
	e.answer(a, "decline", "")
	e.end(back)
	if r := e.do("answer", fmt.Sprintf(`{"ask":%q,"action":"decline"}`, a.Ask)); r.Error == nil || r.Error.Message != "this question is not open any more" {
		t.Errorf("a second answer: got %+v", r.Error)
	}
}

// TestOtherKinds asks for a page, a model and folders.
func TestOtherKinds(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	e := begin(t, "--engine=native")

	back := e.call(url, "connect_account", "{}")
	a := e.ask("ask/url")
	if !a.Loopback || a.Repeat || len(a.Parts) != 3 || strings.Join(a.Parts, "") != a.URL || a.Parts[1] != "127.0.0.1" {
		t.Errorf("page: got %+v", a)
	}
	e.answer(a, "accept", "")
	if a = e.ask("ask/url"); !a.Repeat {
		t.Errorf("page: got %+v, want it marked as a repetition", a)
	}
	response, err := http.Post(a.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	e.answer(a, "accept", "")
	if o := e.end(back); o.Text != "Your calendar account is connected.\n" {
		t.Errorf("page: got %+v", o)
	}

	dir := t.TempDir()
	back = e.call(url, "plan_trip", `{"destination":"Rome"}`)
	a = e.ask("ask/roots")
	if r := e.do("answer", fmt.Sprintf(`{"ask":%q,"action":"accept","folders":[{"path":"here"}]}`, a.Ask)); r.Error == nil {
		t.Error("a relative folder was accepted")
	}
	e.answer(a, "accept", fmt.Sprintf(`,"folders":[{"path":%q}]`, dir+"/a b"))
	a = e.ask("ask/sample")
	if len(a.Messages) != 1 || a.Messages[0].Who != "user" || !strings.HasPrefix(a.Messages[0].Text, "Name three things") || !strings.Contains(a.Request, `"maxTokens":300`) {
		t.Errorf("prompt: got %+v", a)
	}
	e.answer(a, "accept", `,"model":"m","text":"Go & see."`)
	a = e.ask("ask/elicit")
	if days := a.Fields[1]; days.Value == nil || days.Value.Text != "3" || days.Required {
		t.Errorf("field with a default: got %+v", days)
	}
	e.answer(a, "accept", `,"values":[{"text":"2026-10-01"},{"text":"3"},{"chosen":[0]}]`)
	if o, want := e.end(back), "3 relaxed days in Rome from 2026-10-01, kept in file://"+dir+"/a%20b. Go & see.\n"; o.Text != want {
		t.Errorf("trip: got %+v, want %q", o, want)
	}
}

// TestTools lists tools with their arguments as forms, and calls one by its
// form.
func TestTools(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	e := begin(t, "--engine=native")
	list := string(e.must("tools", fmt.Sprintf(`{"server":{"url":%q}}`, url)))
	want := fmt.Sprintf(`{"name":"get_weather","title":"Get the weather","description":"Tells the weather at a location. Asks which units to use.","form":"tool %s 3","fields":[{"label":"location","hint":"1 to 100 characters","kind":"string","required":true,"minLength":1,"maxLength":100,"nothing":"(left out)"}]}`, url)
	if !strings.Contains(list, want) {
		t.Fatalf("tools: got %s", list)
	}
	call := fmt.Sprintf(`{"server":{"url":%q},"tool":"get_weather","form":"tool %s 3","values":[%%s]}`, url, url)
	if r := e.do("call", fmt.Sprintf(call, "null")); r.Error == nil || r.Error.Code != -32001 {
		t.Errorf("without a location: got %+v", r)
	}
	_, back := e.request("call", fmt.Sprintf(call, `{"text":"Oslo"}`))
	e.answer(e.ask("ask/elicit"), "decline", "")
	if o := e.end(back); o.Text != "Oslo: 18 °C, light rain, wind 15 km/h.\n" {
		t.Errorf("outcome: got %+v", o)
	}
	if r := e.do("disconnect", fmt.Sprintf(`{"server":{"url":%q}}`, url)); r.Error != nil {
		t.Errorf("disconnect: got %+v", r.Error)
	}
}

// TestTwoCalls has two calls of one server ask at the same time.
func TestTwoCalls(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	e := begin(t)
	backs := map[string]<-chan reply{}
	asks := map[string]ask{}
	for _, place := range []string{"Oslo", "Rome"} {
		backs[place] = e.call(url, "get_weather", fmt.Sprintf(`{"location":%q}`, place))
	}
	for range 2 {
		a := e.ask("ask/elicit")
		for place := range backs {
			if strings.Contains(a.Message, place) {
				asks[place] = a
			}
		}
	}
	e.answer(asks["Rome"], "accept", `,"values":[{"chosen":[1]}]`)
	if o := e.end(backs["Rome"]); !strings.HasPrefix(o.Text, "Rome: ") || !strings.Contains(o.Text, "°F") {
		t.Errorf("Rome: got %+v", o)
	}
	e.answer(asks["Oslo"], "decline", "")
	if o := e.end(backs["Oslo"]); !strings.HasPrefix(o.Text, "Oslo: 18 °C") {
		t.Errorf("Oslo: got %+v", o)
	}
}

// TestCancel stops calls by cancel and as language servers have it: the
// question is withdrawn, and nothing is kept.
func TestCancel(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	e := begin(t, kept(t)...)
	for range 2 {
		id, back := e.request("call", fmt.Sprintf(`{"server":{"url":%q},"tool":"get_weather","arguments":"{\"location\":\"Oslo\"}"}`, url))
		a := e.ask("ask/elicit")
		if a.Round == 1 && id%2 == 0 {
			e.must("cancel", fmt.Sprintf(`{"call":%q}`, a.Call))
		} else {
			e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, id))
		}
		e.notified("ask/withdrawn", a.Ask)
		if o := e.end(back); o.Status != "stopped" || o.Kept {
			t.Errorf("outcome: got %+v", o)
		}
	}
	if list := e.parked(); len(list) > 0 {
		t.Errorf("parked: got %+v", list)
	}
}

// TestUnable has an editor that cannot put a question after all: the call fails
// and is kept. What it never offered to be asked is not asked.
func TestUnable(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t)
	e := begin(t, kept(t)...)
	e.unable.Store(true)
	o := e.end(e.call(url, "get_weather", `{"location":"Oslo"}`))
	if o.Status != "failed" || !o.Kept || o.Reason != "the editor could not ask: no window␇" {
		t.Errorf("unable: got %+v", o)
	}
	e.unable.Store(false)
	_, back := e.request("resume", fmt.Sprintf(`{"call":%q}`, o.Call))
	e.answer(e.ask("ask/elicit"), "decline", "")
	if o := e.end(back); o.Status != "done" {
		t.Errorf("resumed: got %+v", o)
	}

	e = start(t, kept(t)...)
	e.must("initialize", `{"protocol":1,"asks":{"roots":true}}`)
	if o := e.end(e.call(url, "get_weather", `{"location":"Oslo"}`)); o.Status != "failed" || o.Kept || !strings.Contains(o.Reason, "-32021") {
		t.Errorf("without forms: got %+v", o)
	}
}
