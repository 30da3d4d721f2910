package progress_test

import (
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/progress"
)

// TestRow has notifications of two requests to the server, and the bridge's own,
// become one row that increases.
func TestRow(t *testing.T) {
	r := progress.Of([]byte(`{"_meta":{"progressToken":"mine"}}`))
	notification := func(progress, rest string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine",` + progress + rest + `}}`
	}
	steps := []struct{ got, want string }{
		{string(r.Pass([]byte(`{"progressToken":7,"progress":1.0,"total":2}`))), notification(`"progress":1.0,`, `"total":2`)},
		{string(r.Pass([]byte(`{"progressToken":7,"progress":2,"message":"\ud800"}`))), notification(`"progress":2,`, `"message":"\ud800"`)},
		{string(r.Beat("waiting")), notification(`"progress":2.0009765625,`, `"message":"waiting"`)},
		{string(r.Pass([]byte(`{"progressToken":8,"progress":1}`))), notification(`"progress":2.001953125`, ``)},
		{string(r.Pass([]byte(`{"progressToken":8,"progress":3}`))), notification(`"progress":3`, ``)},
		{string(r.Pass([]byte(`{"progressToken":8,"progress":1e300}`))), notification(`"progress":1e300`, ``)},
		{string(r.Beat("?")), notification(`"progress":1.0000000000000002e+300,`, `"message":"?"`)},
		{string(r.Pass([]byte(`{"progressToken":8,"progress":"4"}`))), ""},
	}
	for i, step := range steps {
		if step.got != step.want {
			t.Errorf("step %d: got %s, want %s", i, step.got, step.want)
		}
	}
	if quiet := r.IsQuiet(); quiet {
		t.Error("after those: got quiet, want not")
	}
	if quiet := r.IsQuiet(); !quiet {
		t.Error("since then: got not quiet, want quiet")
	}
	var none *progress.Row
	if progress.Of([]byte(`{"_meta":{}}`)) != none || none.Pass(nil) != nil || none.Beat("") != nil {
		t.Error("a request that wants no progress gets some")
	}
}
