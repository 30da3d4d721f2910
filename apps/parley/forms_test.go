//go:build unix

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ctrlU empties the line that is typed.
const ctrlU = "\x15"

// asking is a server that asks for one property, f.
func asking(t *testing.T, property, required string) (url string, bodies func() []string) {
	t.Helper()
	return rawServer(t, fmt.Sprintf(`"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{
		"message":"Fill in","requestedSchema":{"type":"object","properties":{"f":%s},"required":[%s],"$defs":{"L":{"enum":["l","h"]}}}}}}}`, property, required), done)
}

// TestForms fills in what servers ask for beyond the specification's subset.
func TestForms(t *testing.T) {
	const required = `"f"`
	type step struct{ keys, sees string }
	tests := map[string]struct {
		property, required string
		steps              []step
		content            string
	}{
		"null: filled in":  {`{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}`, "", []step{{"", "optional · a whole number"}, {"5" + enter, "• f: 5"}}, `{"f":5}`},
		"null: left empty": {`{"type":["integer","null"]}`, "", []step{{enter, "• f: (left out)"}}, `{}`},
		"null: required":   {`{"type":["integer","null"]}`, required, []step{{"", "may be left empty · a whole number"}, {enter, "• f: (left empty)"}}, `{"f":null}`},
		"null: cleared":    {`{"type":["string","null"],"default":"x"}`, "", []step{{"", "> x"}, {ctrlU + enter, "• f: (left empty)"}}, `{"f":null}`},
		"null: in an enum": {`{"enum":["a",null]}`, required, []step{{"", "> (leave it empty)"}, {enter, "• f: (left empty)"}}, `{"f":null}`},

		"cleared": {`{"type":"string","default":"x"}`, "", []step{{ctrlU + enter, "• f: (left out: the server may use its default)"}}, `{}`},
		"empty":   {`{"type":"string"}`, required, []step{{enter, "* f must be filled in"}, {"a" + enter, "• f: a"}}, `{"f":"a"}`},

		"types: text": {`{"anyOf":[{"type":"number"},{"type":"string"}]}`, required, []step{
			{"", "> a number\n┃   text"}, {down + enter, "┃ >"}, {enter, "* f must be filled in"}, {"007" + enter, "• f: 007"}}, `{"f":"007"}`},
		"types: number": {`{"anyOf":[{"type":"number"},{"type":"string"}]}`, required, []step{
			{enter, "a number\n┃ >"}, {"007", "* f must be a number like 42"}, {ctrlU + "7" + enter, "• f: 7"}}, `{"f":7}`},
		"types: back and on": {`{"anyOf":[{"type":"number"},{"type":"string"}]}`, "", []step{
			{"", "> (leave it out)"}, {up + enter, "┃ >\n"}, {"a", "> a"}, {shiftTab, "> text"}, {up + enter, "a number\n┃ >\n"}, {"1" + enter, "• f: 1"}}, `{"f":1}`},
		"types: left out": {`{"anyOf":[{"type":"number"},{"type":"string"}]}`, "", []step{{enter, "• f: (left out)"}}, `{}`},
		"types: a value":  {`{"anyOf":[{"type":"integer"},{"const":"auto"}],"default":"auto"}`, "", []step{{"", "> “auto”"}, {enter, "• f: auto"}}, `{"f":"auto"}`},

		"exclusive":   {`{"type":"integer","exclusiveMinimum":0}`, required, []step{{"0", "* f must be more than 0"}, {ctrlU + "1" + enter, "• f: 1"}}, `{"f":1}`},
		"multiple of": {`{"type":"number","multipleOf":0.01}`, required, []step{{"1.234", "* f must be a multiple of 0.01"}, {ctrlU + "1.23" + enter, "• f: 1.23"}}, `{"f":1.23}`},

		"an act":          {`{"const":true}`, required, []step{{"", "> (not chosen)\n┃   yes"}, {enter, "* f must be filled in"}, {down + enter, "• f: yes"}}, `{"f":true}`},
		"an act, not":     {`{"const":true}`, "", []step{{"", "> (leave it out)"}, {enter, "• f: (left out)"}}, `{}`},
		"1 and text 1":    {`{"enum":[1,"1",true]}`, required, []step{{"", "> 1\n┃   \"1\"\n┃   yes"}, {down + enter, `• f: "1"`}}, `{"f":"1"}`},
		"untyped choices": {`{"oneOf":[{"const":"l","title":"Low"},{"const":"h","title":"High"}]}`, required, []step{{down, "> High"}, {enter, "• f: High"}}, `{"f":"h"}`},
		"behind $ref":     {`{"$ref":"#/$defs/L","description":"How"}`, required, []step{{"", "How\n┃ > l"}, {enter, "• f: l"}}, `{"f":"l"}`},

		"a list": {`{"type":"array","items":{"type":"integer"},"minItems":2,"uniqueItems":true}`, required, []step{
			{"", "one value a line, an empty line ends · tab next"}, {"1", "* f must be at least 2 values"}, {enter + "1", "* f must not have a value twice"},
			{erase + "x", "* f must have values that fit: each must be a whole number"}, {erase + "2" + enter, "2\n"}, {enter, "• f: 1, 2"}}, `{"f":[1,2]}`},
		"a list, default": {`{"type":"array","items":{"type":"string"},"default":["a b","c"]}`, "", []step{{"", "a b\n┃ c"}, {"\t", "• f: a b, c"}}, `{"f":["a b","c"]}`},
		"a list, none":    {`{"type":"array","items":{"type":"string"}}`, "", []step{{enter, "• f: (left out)"}}, `{}`},

		"pattern":     {`{"type":"string","pattern":"^[A-Z]+$"}`, required, []step{{"", "the pattern “^[A-Z]+$”"}, {"a" + enter, "• f: a"}}, `{"f":"a"}`},
		"format":      {`{"type":"string","format":"uuid"}`, required, []step{{"", "the format “uuid”"}, {"a" + enter, "• f: a"}}, `{"f":"a"}`},
		"other words": {`{"type":"string","not":{"const":"a"},"examples":["b"],"deprecated":true}`, required, []step{{"", "deprecated · the server checks more: not · such as “b”"}, {"a" + enter, "• f: a"}}, `{"f":"a"}`},
		"only shown":  {`{"type":"string","readOnly":true,"default":"A-1","title":"Number"}`, "", []step{{"", "│ Fill in\n│ Number: A-1"}, {"", "Say yes to"}}, `{}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, bodies := asking(t, tt.property, tt.required)
			w := start(t, 80, 24, "call", url, "x", "--engine=native")
			w.sees("Fill in", "┃ ") // before that a key would be lost
			for _, step := range tt.steps {
				if step.keys != "" {
					w.press(keys(step.keys)...)
				}
				w.sees(step.sees)
			}
			w.press(enter)
			w.sees("→ answered")
			w.ends(0)
			if got := bodies()[1]; !strings.Contains(got, `"content":`+tt.content) {
				t.Errorf("it sends %s, want the content %s", got, tt.content)
			}
		})
	}
}

// keys are the keys of a text, each its own.
func keys(text string) (list []string) {
	for text != "" {
		n := 1
		if strings.HasPrefix(text, "\x1b[") {
			n = 3
		}
		list, text = append(list, text[:n]), text[n:]
	}
	return list
}

// TestConfirmation sends an empty object where a form has nothing to fill in.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{"no schema": ``, "null": `,"requestedSchema":null`, "empty": `,"requestedSchema":{}`, "true": `,"requestedSchema":true`, "no properties": `,"requestedSchema":{"type":"object"}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asks := `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Delete it?"` + schema + `}}}}`
			url, bodies := rawServer(t, asks, done)
			w := start(t, 80, 24, "call", url, "x", "--engine=native")
			w.sees("│ Delete it?", "Say yes to ", "> Yes", "  Decline")
			w.press(enter)
			w.sees("→ answered")
			w.ends(0)
			if got := bodies()[1]; !strings.Contains(got, `"action":"accept","content":{}`) {
				t.Errorf("it sends %s", got)
			}
			url, _ = rawServer(t, asks, done)
			got := run(t, "", "call", "--engine=native", url, "x", "--script", file(t, `{"answers":[{"key":"k","action":"accept"}]}`))
			got.check(t, 0, "ok\n")
		})
	}
}

// TestWholeAnswer says once what only the server checks of the whole answer.
func TestWholeAnswer(t *testing.T) {
	t.Parallel()
	url, _ := rawServer(t, `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m",
		"requestedSchema":{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"minProperties":1}}}}}`, done)
	w := start(t, 80, 24, "call", url, "x", "--engine=native")
	w.sees("│ m\nOf the whole answer, the server checks more: if, minProperties")
	w.press(ctrlC)
	w.ends(5)
}

// madeOf is what a server on the official Go SDK wants to know.
type madeOf struct {
	Days *int     `json:"days" jsonschema:"how long"`
	Tags []string `json:"tags"`
	Note *string  `json:"note,omitempty"`
}

// TestFormOfGo fills in a form that a server on the official Go SDK makes of a
// type, and that takes the answer by the schema and the type.
func TestFormOfGo(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.For[madeOf](nil)
	if err != nil {
		t.Fatal(err)
	}
	peer := newPeer(current)
	peer.AddTool(&mcp.Tool{Name: "plan", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.InputResponses == nil {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"k": &mcp.ElicitParams{Message: "A trip?", RequestedSchema: schema}}}, nil
		}
		content := r.Params.InputResponses["k"].(*mcp.ElicitResult).Content
		resolved, err := schema.Resolve(nil)
		if err == nil {
			err = resolved.Validate(content)
		}
		if err != nil {
			return nil, err
		}
		text, _ := json.Marshal(content)
		var made madeOf
		if err := json.Unmarshal(text, &made); err != nil {
			return nil, err
		}
		return said("%s, %d tags, no days: %v", text, len(made.Tags), made.Days == nil), nil
	})
	w := start(t, 80, 24, "call", serveHTTP(t, peer, current), "plan", "--engine=native")
	w.sees("A trip?", "how long", "may be left empty · a whole number", "field 1 of 3")
	w.press(enter)
	w.sees("field 2 of 3", "a list of values")
	w.press(keys("a" + enter + "b" + enter + enter)...)
	w.sees("field 3 of 3", "optional")
	w.press(enter)
	w.sees("• days: (left empty)", "• tags: a, b", "• note: (left out)")
	w.press(enter)
	w.sees(`{"days":null,"tags":["a","b"]}, 2 tags, no days: true`)
	w.ends(0)
}
