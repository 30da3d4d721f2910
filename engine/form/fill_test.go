package form_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

func TestFill(t *testing.T) {
	schema, p := form.Parse([]byte(`{"type":"object","properties":{
		"a":{"type":"string","default":"x\u0041"},"b":{"type":"number","default":1.50},"c":{"type":"string"},"d\n":{"type":"boolean","default":false},
		"e":{"type":"array","items":{"enum":["p","q"]},"default":[ "q" ]}},"required":["c"]}`))
	if p != nil {
		t.Fatal(p)
	}
	tests := map[string]struct{ content, want string }{
		"nothing":            {``, `{"a":"x\u0041","b":1.50,"d\n":false,"e":[ "q" ]}`},
		"empty":              {`{}`, `{"a":"x\u0041","b":1.50,"d\n":false,"e":[ "q" ]}`},
		"white space":        {" {\n} ", " {\"a\":\"x\\u0041\",\"b\":1.50,\"d\\n\":false,\"e\":[ \"q\" ]\n} "},
		"some":               {`{ "c" : "}" , "b":1e0 }`, `{ "c" : "}" , "b":1e0,"a":"x\u0041","d\n":false,"e":[ "q" ] }`},
		"all":                {`{"e":[],"d\u000a":true,"c":"","b":0,"\u0061":""}`, `{"e":[],"d\u000a":true,"c":"","b":0,"\u0061":""}`},
		"null is there":      {`{"a":null,"b":null,"d\n":null,"e":null}`, `{"a":null,"b":null,"d\n":null,"e":null}`},
		"wrong is there":     {`{"a":1,"b":"","d\n":0,"e":{}}`, `{"a":1,"b":"","d\n":0,"e":{}}`},
		"what nobody asked":  {`{"z":{"a":1}}`, `{"z":{"a":1},"a":"x\u0041","b":1.50,"d\n":false,"e":[ "q" ]}`},
		"no object":          {`[]`, `[]`},
		"broken":             {`{"a":`, `{"a":`},
		"text behind it":     {`{} }`, `{} }`},
		"only an open brace": {`{`, `{`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(schema.Fill([]byte(tt.content))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	if got, want := string(schema.Fill(nil)), tests["nothing"].want; got != want {
		t.Errorf("Fill(nil): got %s, want %s", got, want)
	}
	if got := string(form.Schema{}.Fill(nil)); got != "{}" {
		t.Errorf("Fill(nil) of nothing: got %s, want {}", got)
	}
}

func TestFillDoesNotWriteIntoItsInput(t *testing.T) {
	schema, _ := form.Parse([]byte(schemaOf(`{"type":"boolean","default":true}`)))
	memory := []byte(`{} and what follows`)
	schema.Fill(memory[:2])
	if string(memory) != `{} and what follows` {
		t.Errorf("got %s", memory)
	}
}
