package question_test

import (
	"reflect"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/question"
)

func TestSamplingPrompt(t *testing.T) {
	const hi = `{"role":"user","content":{"type":"text","text":"Hi"}}`
	tests := map[string]struct {
		params string
		want   []question.SamplingMessage // nil where it cannot be read
	}{
		"all kinds": {`{"maxTokens":9,"systemPrompt":"Be brief.","messages":[` + hi + `,
			{"role":"assistant","content":[{"type":"text","text":"Yes?","annotations":{}},{"type":"image","data":"AA==","mimeType":"image/png"}]}]}`,
			[]question.SamplingMessage{{"system", "Be brief."}, {"user", "Hi"}, {"assistant", "Yes?"},
				{"assistant", `{"type":"image","data":"AA==","mimeType":"image/png"}`}}},
		"other messages": {`{"messages":[` + hi + `],"Messages":[]}`, []question.SamplingMessage{{"user", "Hi"}, {"Messages", "[]"}}},
		"other system":   {`{"systemPrompt":"x","SystemPrompt":"","messages":[]}`, []question.SamplingMessage{{"system", "x"}, {"SystemPrompt", `""`}}},
		"other text": {`{"messages":[{"role":"user","content":{"type":"text","text":"x","Text":"y"}}]}`,
			[]question.SamplingMessage{{"user", `{"type":"text","text":"x","Text":"y"}`}}},
		"other content": {`{"messages":[{"role":"user","Role":"assistant","content":{"type":"text","text":"x"},"Content":[]}]}`,
			[]question.SamplingMessage{{"user", `{"role":"user","Role":"assistant","content":{"type":"text","text":"x"},"Content":[]}`}}},
		"escaped":     {`{"message\u0073":[` + hi + `]}`, []question.SamplingMessage{{"user", "Hi"}}},
		"no list":     {`{"messages":7}`, nil},
		"no messages": {`{"messages":[7]}`, nil},
		"no object":   {`[]`, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := question.SamplingPrompt([]byte(tt.params))
			if (err == nil) != (tt.want != nil) || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestSamplingResult(t *testing.T) {
	want := `{"role":"assistant","content":{"type":"text","text":"<a>\n\"b\""},"model":"m","stopReason":"endTurn"}`
	if got := question.SamplingResult("m", "<a>\n\"b\""); string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
