package engine_test

import (
	"errors"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

func TestReadCan(t *testing.T) {
	tests := map[string]struct {
		text string
		want engine.Can
	}{
		"nothing":    {`{}`, engine.Can{}},
		"else":       {`{"experimental":{"roots":{}},"extensions":{"com.example/x":{}}}`, engine.Can{}},
		"empty form": {`{"elicitation":{}}`, engine.Can{Form: true}},
		"form":       {`{"elicitation":{"form":{},"voice":{}}}`, engine.Can{Form: true}},
		"url":        {`{"elicitation":{"url":{}}}`, engine.Can{URL: true}},
		"sampling":   {` {"sampling":{"context":{}}} `, engine.Can{Sampling: true}},
		"everything": {`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true},"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
			engine.Can{Form: true, URL: true, Sampling: true, SamplingTools: true, Roots: true, Tasks: true}},
	}
	for name, tt := range tests {
		if got, err := engine.ReadCan([]byte(tt.text)); got != tt.want || err != nil {
			t.Errorf("%s: got %+v, %v; want %+v", name, got, err, tt.want)
		}
	}
	if got, err := engine.ReadCan(nil); got != (engine.Can{}) || err != nil {
		t.Errorf("nil: got %+v, %v", got, err)
	}
	for _, text := range []string{"", "x", "[]", `{"sampling":true}`, `{"elicitation":{"form":7}}`, `{"roots":null}`} {
		if got, err := engine.ReadCan([]byte(text)); got != (engine.Can{}) || !errors.Is(err, fault.Options) {
			t.Errorf("%s: got %+v, %v; want %v", text, got, err, fault.Options)
		}
	}
}
