package jsontext_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
)

func TestText(t *testing.T) {
	tests := map[string]struct {
		value string
		path  []string
		want  string
	}{
		"string":        {`"a\n"`, nil, "a\n"},
		"number":        {`1.0`, nil, "1.0"},
		"member":        {`{"a":{"b":"c"}}`, []string{"a", "b"}, "c"},
		"object":        {`{"a": [1, 2] }`, []string{"a"}, "[1, 2]"},
		"none":          {`{"a":"b"}`, []string{"b"}, ""},
		"other letters": {`{"A":"b"}`, []string{"a"}, ""},
		"no object":     {`[1]`, []string{"a"}, ""},
		"half a pair":   {`"\ud800"`, nil, "\ufffd"},
	}
	for name, tt := range tests {
		if got := jsontext.Text([]byte(tt.value), tt.path...); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"<a & b>": `"<a & b>"`, "\"\\\n": `"\"\\\n"`, "a\xff": "\"a\ufffd\""} {
		if got := string(jsontext.Quote(in)); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestArray(t *testing.T) {
	if got, want := string(jsontext.Array([]json.RawMessage{[]byte(`1.0`), []byte(`{ }`)})), `[1.0,{ }]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestReader notes what is of another type than it is read as, wherever it is.
func TestReader(t *testing.T) {
	tests := map[string]struct {
		object string
		odd    bool
	}{
		"fits":          {`{"a":"b","l":[1]}`, false},
		"nothing":       {``, false},
		"null":          {`null`, false},
		"other letters": {`{"A":7,"L":7}`, false},
		"number":        {`{"a":7}`, true},
		"no list":       {`{"l":{}}`, true},
		"no object":     {`[]`, true},
	}
	for name, tt := range tests {
		var in jsontext.Reader
		in.Text([]byte(tt.object), "a")
		in.List([]byte(tt.object), "l")
		if in.Odd != tt.odd {
			t.Errorf("%s: got %v, want %v", name, in.Odd, tt.odd)
		}
	}
}
