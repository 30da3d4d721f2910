package display_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/display"
)

func TestSame(t *testing.T) {
	deep := func(inside string) string { return strings.Repeat("[", 65) + inside + strings.Repeat("]", 65) }
	tests := map[string]struct {
		a, b string
		want bool
	}{
		"spelled":         {`{"a": [1, "\u0041/"], "b": null}`, `{"b":null,"a":[1.0,"A\/"]}`, true},
		"numbers":         {`[1e2, -0, 0.10]`, `[100, 0.0, 1e-1]`, true},
		"large":           {`9007199254740993`, `9007199254740992`, false},
		"vast":            {`1e999999999`, `1e999999999`, true},
		"vast, not quite": {`1e999999999`, `10e999999998`, false},
		"other type":      {`"1"`, `1`, false},
		"true":            {`true`, `false`, false},
		"more members":    {`{"a":1}`, `{"a":1,"b":2}`, false},
		"fewer members":   {`{"a":1,"b":2}`, `{"a":1}`, false},
		"other member":    {`{"a":1}`, `{"b":1}`, false},
		"member twice":    {`{"a":1,"a":1}`, `{"a":1,"a":1}`, false},
		"twice in one":    {`{"a":1}`, `{"a":1,"a":1}`, false},
		"more elements":   {`[1]`, `[1,2]`, false},
		"fewer elements":  {`[1,2]`, `[1]`, false},
		"order":           {`[1,2]`, `[2,1]`, false},
		"half surrogates": {`"\ud800"`, `"\ud800"`, true},
		"other half":      {`"\ud800"`, `"\ufffd"`, false},
		"too deep":        {deep("1"), deep("1"), false},
		"empty":           {`{}`, `[]`, false},
	}
	for name, tt := range tests {
		if got := display.Same(tt.a, tt.b, 1<<20); got != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if !display.Same(`[[1]]`, `[[1]]`, 18) || display.Same(`[[1]]`, `[[1]]`, 17) {
		t.Error("looked at more than it may")
	}
}
