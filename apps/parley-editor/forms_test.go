package main_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

const widerForm = `{"type":"object","required":["cost","sure","unit"],"minProperties":1,"properties":{
	"id":{"type":"string","title":"Number","default":"A-1\u202e","readOnly":true},
	"cost":{"anyOf":[{"type":"number"},{"type":"string","pattern":"^a"},{"enum":[1,"1"]}],"default":"1"},
	"mails":{"type":"array","items":{"type":"string","format":"email"},"minItems":2,"default":["a@b.example","c@d.example"]},
	"sure":{"const":true},
	"unit":{"type":["string","null"],"examples":["m\u202e"]}}}`

// TestWiderForms passes on what servers ask for beyond the specification's subset.
func TestWiderForms(t *testing.T) {
	t.Parallel()
	e := begin(t, "--engine=native")
	back := e.call(editortest.Asking(t, widerForm), "x", "{}")
	a := e.ask("ask/elicit")
	if a.Hint != "the server checks more: minProperties" {
		t.Errorf("hint: got %q", a.Hint)
	}
	id, cost, mails, sure, unit := a.Fields[0], a.Fields[1], a.Fields[2], a.Fields[3], a.Fields[4]
	if !id.ReadOnly || id.Value.Text != "A-1<U+202E>" || id.Hint != "only shown" {
		t.Errorf("only shown: got %+v", id)
	}
	var types []string
	for _, one := range cost.Types {
		types = append(types, one.Kind+" "+one.Label+" "+one.Hint)
	}
	if want := []string{"number a number a number", "string text the pattern “^a”", "choice one of some choices "}; cost.Kind != "union" || !slices.Equal(types, want) || !cost.Required || cost.Leave != "" {
		t.Errorf("union: got %+v with the types %q, want %q", cost, types, want)
	}
	if cost.Value == nil || cost.Value.Type != 2 || cost.Value.Text != "1" {
		t.Errorf("default of a union: got %+v", cost.Value)
	}
	if mails.Kind != "list" || mails.Value.Text != "a@b.example\nc@d.example" || mails.Leave != "leave it out: the server may use its default" || mails.Nothing != "(left out: the server may use its default)" {
		t.Errorf("list: got %+v", mails)
	}
	if sure.Value != nil || !slices.Equal(sure.Options, []string{"yes"}) {
		t.Errorf("an act: got %+v", sure)
	}
	if unit.Required || unit.Nothing != "(left empty)" || unit.Leave != "leave it empty" || unit.Hint != "may be left empty, such as “m<U+202E>”" {
		t.Errorf("nullable: got %+v", unit)
	}

	for value, want := range map[string]string{
		`1,"value":{"type":1,"text":"007"}`:           "cost must be a number",
		`1,"value":{"type":2,"text":"007"}`:           "{}",
		`1,"value":{"type":3,"chosen":[1]}`:           "{}",
		`1,"value":{"type":2}`:                        "cost must be filled in",
		`1,"value":{"type":3,"chosen":[2]}`:           "chooses an option that the field does not have",
		`1,"value":{"type":4}`:                        "of a type that the field does not have",
		`1,"value":{"type":-1}`:                       "of a type that the field does not have",
		`4,"value":{"type":1}`:                        "of a type that the field does not have",
		`2,"value":{"text":"a@b.example"}`:            "mails must be at least 2 values",
		`2,"value":{"text":"a@b.example"},"one":true`: "{}",
		`2,"value":{"text":"a"},"one":true`:           "each must be an email address",
		`1,"value":{"type":1,"text":"x"},"one":true`:  "cost must be a number",
		`0,"value":{"text":"anything"}`:               "{}",
		`3,"value":{}`:                                "sure must be filled in",
		`4,"value":null`:                              "{}",
	} {
		r := e.do("validate", fmt.Sprintf(`{"form":%q,"field":%s}`, a.Form, value))
		got := string(r.Result)
		if r.Error != nil {
			got = r.Error.Message
		}
		if !strings.Contains(got, want) {
			t.Errorf("validate %s: got %s, want %s", value, got, want)
		}
	}

	e.answer(a, "accept", `,"values":[{"text":"B-2"},{"type":2,"text":"007"},null,{"chosen":[0]},null]`)
	if got, want := e.end(back).Text, `{"pay":{"action":"accept","content":{"cost":"007","sure":true,"unit":null}}}`; !strings.Contains(got, want) {
		t.Errorf("sent: got %s, want %s", got, want)
	}
}

// TestRefusedForm says that Parley refused a form, what, and what to do.
func TestRefusedForm(t *testing.T) {
	t.Parallel()
	e := begin(t, "--engine=native")
	o := e.end(e.call(editortest.Asking(t, `{"type":"object","properties":{"pin":{"type":"string","format":"password"}}}`), "x", "{}"))
	if o.Status != "failed" || !strings.Contains(o.Reason, `form refused by Parley: inputRequests["pay"]: "pin" asks for a secret`) || !strings.Contains(o.Reason, "Nobody was asked") {
		t.Errorf("outcome: got %+v", o)
	}
}

// TestToolForms has a form for the arguments of a tool whose properties are known,
// even if it takes none.
func TestToolForms(t *testing.T) {
	t.Parallel()
	e := begin(t, "--engine=native")
	url := editortest.Tools(t, `{"name":"any","inputSchema":{"type":"object"}},
		{"name":"none","inputSchema":{"type":"object","properties":{}}},
		{"name":"wide","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}},"minProperties":1}},
		{"name":"deep","inputSchema":{"type":"object","properties":{"a":{"type":"object"}}}}`)
	var list struct {
		Tools []struct {
			Name, Form, Hint string
			Fields           []field
		}
	}
	if err := json.Unmarshal(e.must("tools", fmt.Sprintf(`{"server":{"url":%q}}`, url)), &list); err != nil || len(list.Tools) != 4 {
		t.Fatalf("got %+v, %v", list, err)
	}
	for i, want := range []struct {
		form   bool
		fields int
		hint   string
	}{{false, 0, ""}, {true, 0, ""}, {true, 1, "the server checks more: minProperties"}, {false, 0, ""}} {
		if got := list.Tools[i]; (got.Form != "") != want.form || len(got.Fields) != want.fields || got.Hint != want.hint {
			t.Errorf("%s: got %+v", got.Name, got)
		}
	}
}
