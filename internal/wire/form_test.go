package wire_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/parley-mcp/parley/internal/wire"
)

const sizeSchema = `{"type":"object","properties":{"size":{"type":"string","title":"Size","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}],"default":"s"},` +
	`"disks":{"type":"integer","minimum":1,"maximum":8},"name":{"type":"string","minLength":2}},"required":["name"]}`

func TestForm(t *testing.T) {
	got := string(wire.Text.AppendForm(nil, []byte(sizeSchema)))
	want := `{"fields":[{"name":"size","kind":"choice","title":"Size","options":[{"value":"\"s\"","title":"Small"},{"value":"\"l\"","title":"Large"}],"default":"\"s\""},` +
		`{"name":"disks","kind":"integer","title":"disks","minimum":"1","maximum":"8"},{"name":"name","kind":"string","title":"name","required":true,"minLength":2}],"defaults":"{\"size\":\"s\"}"}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, bad := range []string{`{"type":"object","properties":{"a":{"type":"object"}}}`, `{"type":"object","properties":{"a":{},"a":{}}}`, `[1]`} {
		var answer struct{ Problem struct{ Message string } }
		if err := json.Unmarshal(wire.Text.AppendForm(nil, []byte(bad)), &answer); err != nil || answer.Problem.Message == "" {
			t.Errorf("%s: got %+v, %v", bad, answer, err)
		}
	}
}

// What SDKs ask for besides, as a host reads it.
func TestFormMembers(t *testing.T) {
	tests := map[string]struct{ property, want string }{
		"null":        {`{"type":["string","null"]}`, `{"name":"p","kind":"string","title":"p","nullable":true}`},
		"bounds":      {`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":9,"multipleOf":0.5}`, `{"name":"p","kind":"number","title":"p","exclusiveMinimum":"0","exclusiveMaximum":"9","multipleOf":"0.5"}`},
		"choices":     {`{"enum":[1,"1",true]}`, `{"name":"p","kind":"choice","title":"p","options":[{"value":"1","title":"1"},{"value":"\"1\"","title":"\"1\""},{"value":"true","title":"true"}]}`},
		"list":        {`{"type":"array","items":{"type":"integer","minimum":1},"minItems":1,"maxItems":2,"uniqueItems":true}`, `{"name":"p","kind":"list","title":"p","minItems":1,"maxItems":2,"uniqueItems":true,"items":{"name":"p","kind":"integer","title":"p","minimum":"1"}}`},
		"union":       {`{"type":["integer","string"]}`, `{"name":"p","kind":"union","title":"p","alternatives":[{"name":"p","kind":"string","title":"p"},{"name":"p","kind":"integer","title":"p"}]}`},
		"shown only":  {`{"type":"string","readOnly":true,"deprecated":true,"default":"x"}`, `{"name":"p","kind":"string","title":"p","readOnly":true,"deprecated":true,"default":"\"x\""}`},
		"not checked": {`{"type":"string","examples":["a",1],"pattern":"^a","not":{}}`, `{"name":"p","kind":"string","title":"p","examples":["\"a\"","1"],"unchecked":[{"keyword":"pattern","value":"^a"},{"keyword":"not"}]}`},
	}
	for name, tt := range tests {
		schema := `{"type":"object","properties":{"p":` + tt.property + `},"minProperties":1}`
		want := `{"fields":[` + tt.want + `],"defaults":"{}","unchecked":[{"keyword":"minProperties"}]}`
		if got := string(wire.Text.AppendForm(nil, []byte(schema))); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
	for _, nothing := range []string{"", "{}", "true", "null", "[]"} {
		if got := string(wire.Text.AppendForm(nil, []byte(nothing))); got != `{"fields":[],"defaults":"{}"}` {
			t.Errorf("%q: got %s", nothing, got)
		}
	}
}

// The person picks the type of a union: 7 is a number or a text.
func TestFieldCheckAlternative(t *testing.T) {
	for alternative, want := range []string{`{"value":"\"7\""}`, `{"value":"7"}`} {
		request := `{"schema":` + strconv.Quote(`{"type":"object","properties":{"p":{"type":["integer","string"]}}}`) + `,"field":"p","typed":"7","alternative":` + strconv.Itoa(alternative) + `}`
		if got := string(wire.Text.AppendFieldCheck(nil, []byte(request))); got != want {
			t.Errorf("alternative %d: got %s, want %s", alternative, got, want)
		}
	}
	for _, none := range []string{``, `,"alternative":-1`, `,"alternative":2`} {
		request := `{"schema":` + strconv.Quote(`{"type":"object","properties":{"p":{"type":["integer","string"]}}}`) + `,"field":"p","typed":"7"` + none + `}`
		if got := string(wire.Text.AppendFieldCheck(nil, []byte(request))); got != `{"problem":{"property":"p","code":6,"message":"must be a value of one of the types"}}` {
			t.Errorf("no alternative: got %s", got)
		}
	}
}

func TestFieldCheck(t *testing.T) {
	tests := map[string]struct{ field, typed, value, want string }{
		"typed number":       {"disks", " 3 ", "", `{"value":"3"}`},
		"typed too large":    {"disks", "9", "", `{"problem":{"property":"disks","code":11,"message":"must be at most 8"}}`},
		"typed no number":    {"disks", "three", "", `{"problem":{"property":"disks","code":6,"message":"must be a whole number like 42"}}`},
		"typed text":         {"name", `a"b`, "", `{"value":"\"a\\\"b\""}`},
		"typed too short":    {"name", "a", "", `{"problem":{"property":"name","code":8,"message":"must be at least 2 characters"}}`},
		"a value":            {"size", "", `"l"`, `{"value":"\"l\""}`},
		"a value not chosen": {"size", "", `"xl"`, `{"problem":{"property":"size","code":14,"message":"must be one of the choices"}}`},
		"typed nothing":      {"disks", "", "", `{}`},
		"nothing, required":  {"name", "", "", `{"problem":{"property":"name","code":3,"message":"must be filled in"}}`},
		"no such field":      {"colour", "red", "", `{"error":{"code":2,"detail":"field: the schema has no field of this name"}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			request := `{"schema":` + strconv.Quote(sizeSchema) + `,"field":` + strconv.Quote(tt.field)
			if tt.value != "" {
				request += `,"value":` + strconv.Quote(tt.value) + `}`
			} else {
				request += `,"typed":` + strconv.Quote(tt.typed) + `}`
			}
			if got := string(wire.Text.AppendFieldCheck(nil, []byte(request))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
