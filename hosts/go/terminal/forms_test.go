package terminal_test

import (
	"bytes"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/terminal"
)

// TestWiderForms fills in what servers ask for beyond the specification's subset.
func TestWiderForms(t *testing.T) {
	tests := map[string]struct {
		property, required string
		typed              string // with bars between lines
		content            string
		shown              []string
	}{
		"null":       {`{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}`, "", "|", `{}`, nil},
		"needs null": {`{"type":["integer","null"]}`, `"f"`, "|", `{"f":null}`, nil},
		"types": {`{"anyOf":[{"type":"number"},{"type":"string"}]}`, `"f"`, "007|text|007|", `{"f":"007"}`,
			[]string{"  - a: a number\n  - b: text\n", "  It must be one of the choices.\n"}},
		"a list": {`{"type":"array","items":{"type":"integer"},"uniqueItems":true,"default":[7,8]}`, "", "1|x|2||", `{"f":[1,2]}`,
			[]string{"  f, one a line, an empty line ends [7, 8] (or /decline): ", "  f, one more (or /decline): ", "It must have values that fit: each must be a whole number like 42."}},
		"list's default": {`{"type":"array","items":{"type":"string"},"default":["a"]}`, "", "|", `{"f":["a"]}`, nil},
		"steps":          {`{"type":"number","multipleOf":0.1,"exclusiveMinimum":0}`, `"f"`, "0|0.15|0.2|", `{"f":0.2}`, []string{"It must be more than 0.", "It must be a multiple of 0.1."}},
		"an act":         {`{"const":true}`, `"f"`, "|yes|", `{"f":true}`, []string{"  - yes\n", "It must be filled in."}},
		"1 and text 1":   {`{"enum":[1,"1"]}`, `"f"`, `"1"|`, `{"f":"1"}`, []string{"  - 1\n  - \"1\"\n"}},
		"yes and text":   {`{"enum":[true,"yes"]}`, `"f"`, `true|`, `{"f":true}`, []string{"  - yes\n  - \"yes\"\n"}},
		"titled act":     {`{"oneOf":[{"const":true,"title":"I agree"}]}`, `"f"`, `true|`, `{"f":true}`, []string{"  - true: I agree\n"}},
		"hints": {`{"type":"string","pattern":"^a\u001b” x","not":{"const":"b"},"examples":["c"],"deprecated":true}`, `"f"`, "d|", `{"f":"d"}`,
			[]string{"  (deprecated, the server checks more: not, such as “c”, the pattern “^a\ufffd' x”)\n"}},
		"known format": {`{"type":"string","format":"email","pattern":"@"}`, "", "|", `{}`, nil},
		"only shown":   {`{"type":"string","readOnly":true,"default":"A-1"}`, "", "", `{}`, []string{"The server asks: Fill in\n| f: A-1\n"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			params := `{"message":"Fill in","requestedSchema":{"type":"object","properties":{"f":` + tt.property + `},"required":[` + tt.required + `],"minProperties":0,"if":{}}}`
			typed := strings.ReplaceAll(tt.typed, "|", "\n") + "\n"
			answer, err := terminal.Askers(strings.NewReader(typed), &out).Elicit(t.Context(), parley.Question{Params: []byte(params)})
			if want := `{"action":"accept","content":` + tt.content + `}`; err != nil || string(answer) != want {
				t.Errorf("got %s, %v, want %s", answer, err, want)
			}
			for _, want := range tt.shown {
				if !strings.Contains(out.String(), want) {
					t.Errorf("it does not show %q:\n%s", want, out.String())
				}
			}
			if strings.Count(out.String(), "  (of the whole answer, the server checks more: if, minProperties)\n") != 1 {
				t.Errorf("it does not say once what only the server checks:\n%s", out.String())
			}
			if name == "known format" && strings.Contains(out.String(), "pattern") {
				t.Errorf("a pattern is shown beside a known format:\n%s", out.String())
			}
		})
	}
}

// TestNoFields asks for a yes alone.
func TestNoFields(t *testing.T) {
	var out bytes.Buffer
	answer, err := terminal.Askers(strings.NewReader("\n"), &out).Elicit(t.Context(), parley.Question{Params: []byte(`{"message":"Delete it?"}`)})
	if err != nil || string(answer) != `{"action":"accept","content":{}}` {
		t.Errorf("got %s, %v", answer, err)
	}
}
