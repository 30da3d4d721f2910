package form_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

const trip = `{"type":"object","properties":{
	"name":  {"type":"string","title":"Your name","minLength":2},
	"note":  {"type":"string","format":"email"},
	"meal":  {"type":"boolean","default":true},
	"class": {"type":"string","oneOf":[{"const":"y","title":"Economy"},{"const":"c","title":"Business"}],"default":"c"},
	"days":  {"type":"array","items":{"enum":["Mon","Tue"]},"default":["Mon","Tue"]}
},"required":["name"]}`

// askAll asks with these lines typed, and returns the prompts too.
func askAll(t *testing.T, params string, lines ...string) (result string, prompts []form.Prompt, err error) {
	t.Helper()
	raw, err := form.Ask([]byte(params), func(p form.Prompt) (string, bool) {
		prompts = append(prompts, p)
		if len(lines) == 0 {
			return "", false
		}
		typed := lines[0]
		lines = lines[1:]
		return typed, true
	})
	if len(lines) > 0 {
		t.Errorf("nobody was asked for %q", lines)
	}
	return string(raw), prompts, err
}

func TestAsk(t *testing.T) {
	tests := map[string]struct {
		schema string
		lines  string // with bars between
		want   string
		asked  int
	}{
		"typed":             {trip, "Mona|m@example.com|no|y|Tue|yes", `{"action":"accept","content":{"name":"Mona","note":"m@example.com","meal":false,"class":"y","days":["Tue"]}}`, 6},
		"defaults":          {trip, "Mona|||||YES", `{"action":"accept","content":{"name":"Mona","meal":true,"class":"c","days":["Mon","Tue"]}}`, 6},
		"until it fits":     {trip, "M||Mona|mail||maybe||First|Business||perhaps||y", `{"action":"accept","content":{"name":"Mona","meal":true,"class":"c","days":["Mon","Tue"]}}`, 13},
		"not sent":          {trip, "Mona|||||no", `{"action":"decline"}`, 6},
		"the input ends":    {trip, "Mona|", `{"action":"cancel"}`, 3},
		"at the last":       {trip, "Mona||||", `{"action":"cancel"}`, 6},
		"consent":           {`{"type":"object","properties":{}}`, "yes", `{"action":"accept","content":{}}`, 1},
		"no consent":        {`{"type":"object","properties":{}}`, "n", `{"action":"decline"}`, 1},
		"nothing is no yes": {`{"type":"object","properties":{}}`, "|true", `{"action":"accept","content":{}}`, 2},
		"odd name":          {`{"type":"object","properties":{"\"\n":{"type":"number"}}}`, "1.50|y", `{"action":"accept","content":{"\"\n":1.50}}`, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, prompts, err := askAll(t, ` {"message":"Where to?","requestedSchema":`+tt.schema+`} `, strings.Split(tt.lines, "|")...)
			if err != nil || got != tt.want || len(prompts) != tt.asked {
				t.Fatalf("got  %s after %d prompts (%v)\nwant %s after %d", got, len(prompts), err, tt.want, tt.asked)
			}
			for i, p := range prompts {
				if (p.Message == "Where to?") != (i == 0) {
					t.Errorf("prompt %d has the message %q", i, p.Message)
				}
			}
			var result struct{ Content json.RawMessage }
			if err := json.Unmarshal([]byte(got), &result); err != nil {
				t.Fatal(err)
			}
			schema, _ := form.Parse([]byte(tt.schema))
			if result.Content != nil && schema.Check(result.Content) != nil {
				t.Errorf("the answer does not fit its own form: %v", schema.Check(result.Content))
			}
		})
	}
}

func TestAskWithoutAForm(t *testing.T) {
	for _, params := range []string{`{"message":"m","requestedSchema":{"type":"array"}}`, `[]`, `x`, ``} {
		result, prompts, err := askAll(t, params)
		var problem *form.Problem
		if result != "" || len(prompts) > 0 || !errors.As(err, &problem) {
			t.Errorf("%s: got %q, %d prompts, %v, want a problem and nobody asked", params, result, len(prompts), err)
		}
	}
}

func TestPromptString(t *testing.T) {
	schema, problem := form.Parse([]byte(trip))
	if problem != nil {
		t.Fatal(problem)
	}
	hostile := form.Field{Title: "\x1b[2Ja\nb", Description: "one\r\ntwo", Kind: form.Choice, Options: []form.Option{{Value: "\"v\u202e\"", Title: "t\n"}}}
	tests := map[string]struct {
		prompt form.Prompt
		want   string
	}{
		"plain":        {form.Prompt{Field: &schema.Fields[0]}, "Your name: "},
		"message":      {form.Prompt{Message: "One\nSend this (yes or no): ", Field: &schema.Fields[0]}, "| One\n| Send this (yes or no): \nYour name: "},
		"problem":      {form.Prompt{Field: &schema.Fields[3], Problem: "must be one of the choices"}, "  class must be one of the choices.\nclass [Business]: "},
		"boolean":      {form.Prompt{Field: &schema.Fields[2]}, "meal (yes or no) [yes]: "},
		"choice":       {form.Prompt{Field: &schema.Fields[3]}, "  - Economy (y)\n  - Business (c)\nclass [Business]: "},
		"choices":      {form.Prompt{Field: &schema.Fields[4]}, "  - Mon\n  - Tue\ndays (with commas between) [Mon, Tue]: "},
		"last":         {form.Prompt{}, "Send this (yes or no): "},
		"hostile text": {form.Prompt{Message: "\x07", Field: &hostile}, "| \ufffd\n| one\ufffd\n| two\n  - t\ufffd (v\ufffd)\n\ufffd[2Ja\ufffdb: "},
	}
	for name, tt := range tests {
		if got := tt.prompt.String(); got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, tt.want)
		}
	}
}

// The type of a union is asked for first. One that may be null is left empty, and
// a letter that picks a type is not the default.
func TestAskUnion(t *testing.T) {
	const union = `{"message":"m","requestedSchema":{"type":"object","properties":{"u":{"type":["string","integer"%s]%s}},"required":["u"]}}`
	for name, tt := range map[string]struct{ params, lines, want string }{
		"a number":        {fmt.Sprintf(union, "", ""), "a whole number|7|yes", `{"u":7}`},
		"a text":          {fmt.Sprintf(union, "", ""), "text|007|yes", `{"u":"007"}`},
		"null":            {fmt.Sprintf(union, `,"null"`, ""), "|yes", `{"u":null}`},
		"the default":     {fmt.Sprintf(union, "", `,"default":"a"`), "|yes", `{"u":"a"}`},
		"not the default": {fmt.Sprintf(union, "", `,"default":"a"`), "a|x|yes", `{"u":"x"}`},
	} {
		lines := strings.Split(tt.lines, "|")
		result, err := form.Ask([]byte(tt.params), func(form.Prompt) (string, bool) {
			if len(lines) == 0 {
				return "", false
			}
			line := lines[0]
			lines = lines[1:]
			return line, true
		})
		if want := `{"action":"accept","content":` + tt.want + `}`; string(result) != want {
			t.Errorf("%s: got %s, %v, want %s", name, result, err, want)
		}
	}
}
