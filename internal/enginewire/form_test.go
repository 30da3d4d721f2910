package enginewire_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/parley-mcp/parley/internal/enginewire"
)

const sizeSchema = `{"type":"object","properties":{"size":{"type":"string","title":"Size","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}],"default":"s"},` +
	`"disks":{"type":"integer","minimum":1,"maximum":8},"name":{"type":"string","minLength":2}},"required":["name"]}`

func TestForm(t *testing.T) {
	got := string(enginewire.Text.AppendForm(nil, []byte(sizeSchema)))
	want := `{"fields":[{"name":"size","kind":"choice","title":"Size","options":[{"value":"s","title":"Small"},{"value":"l","title":"Large"}],"default":"\"s\""},` +
		`{"name":"disks","kind":"integer","title":"disks","minimum":"1","maximum":"8"},{"name":"name","kind":"string","title":"name","required":true,"minLength":2}],"defaults":"{\"size\":\"s\"}"}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, bad := range []string{`{"type":"object","properties":{"a":{"type":"object"}}}`, `{"type":"object","properties":{"a":{},"a":{}}}`, `[]`, ``} {
		var answer struct{ Problem struct{ Message string } }
		if err := json.Unmarshal(enginewire.Text.AppendForm(nil, []byte(bad)), &answer); err != nil || answer.Problem.Message == "" {
			t.Errorf("%s: got %+v, %v", bad, answer, err)
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
		"nothing, required":  {"name", "", "", `{"problem":{"property":"name","code":8,"message":"must be at least 2 characters"}}`},
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
			if got := string(enginewire.Text.AppendFieldCheck(nil, []byte(request))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
