package extism_test

import (
	"encoding/json"
	"testing"
)

// TestForm reads forms and checks what is typed, in an instance without a session,
// as one that waits for an answer cannot.
func TestForm(t *testing.T) {
	const properties = `{"n":{"type":"number","multipleOf":0.10000000000000000001},"o":{"anyOf":[{"type":"integer"},{"type":"string"}]}}`
	schema := `{"type":"object","properties":` + properties + `,"required":["n"]}`
	checks := []struct{ request, want string }{
		{`"field":"n","typed":" 0.1 "`, `{"problem":{"property":"n","code":21,"message":"must be a multiple of 0.10000000000000000001"}}`},
		{`"field":"n","typed":"1e0"`, `{"problem":{"property":"n","code":21,"message":"must be a multiple of 0.10000000000000000001"}}`},
		{`"field":"n","typed":"0"`, `{"value":"0"}`},
		{`"field":"n","typed":""`, `{"problem":{"property":"n","code":3,"message":"must be filled in"}}`},
		{`"field":"o","typed":"007"`, `{"problem":{"property":"o","code":6,"message":"must be a value of one of the types"}}`},
		{`"field":"o","typed":"007","alternative":0`, `{"problem":{"property":"o","code":6,"message":"must be a whole number like 42"}}`},
		{`"field":"o","typed":"007","alternative":1`, `{"value":"\"007\""}`},
		{`"field":"o","typed":""`, `{}`},
		{`"field":"o","value":"7"`, `{"value":"7"}`},
		{`"field":"x","typed":""`, `{"error":{"code":2,"detail":"field: the schema has no field of this name"}}`},
	}
	forms := map[string]struct{ params, schema, want string }{
		"fields": {`{"message":"m","requestedSchema":` + schema + `}`, schema, `"fields":[{"name":"n","kind":"number","title":"n","required":true,"multipleOf":"0.10000000000000000001"},` +
			`{"name":"o","kind":"union","title":"o","alternatives":[{"name":"o","kind":"integer","title":"o"},{"name":"o","kind":"string","title":"o"}]}],"defaults":"{}"}`},
		"consent": {`{"message":"m"}`, "", `"fields":[],"defaults":"{}"}`},
		"secret": {`{"requestedSchema":{"properties":{"p":{"type":"string","writeOnly":true}}}}`, `{"properties":{"p":{"type":"string","writeOnly":true}}}`,
			`"problem":{"property":"p","code":18,"message":"asks for a secret, and a form must not: the server has to use a page of its own for that"}}`},
		"no object": {`[]`, "", `"fields":[],"defaults":"{}"}`},
	}
	test := func(t *testing.T, h host) {
		for name, tt := range forms {
			quoted, _ := json.Marshal(tt.schema)
			if got, want := string(h.call(t, "form", []byte(tt.params), nil)), `{"schema":`+string(quoted)+`,`+tt.want; got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
			}
		}
		quoted, _ := json.Marshal(schema)
		for _, tt := range checks {
			request := `{"schema":` + string(quoted) + `,` + tt.request + `}`
			if got := string(h.call(t, "form_check", []byte(request), nil)); got != tt.want {
				t.Errorf("%s:\ngot  %s\nwant %s", tt.request, got, tt.want)
			}
		}
	}
	t.Run("plugin", func(t *testing.T) { test(t, newPlugin(t, nil)) })
	eachElsewhere(t, nil, test)
}
