package main_test

import "testing"

// A result that lacks what its method must bring is not an empty success: it is there
// as JSON, and what it lacks is said. The exit code is that of the call.
func TestResultsThatLackSomething(t *testing.T) {
	const run_ = ", though the tool has run: here it is as JSON"
	tests := map[string]struct {
		command, result string
		code            int
		stdout, stderr  string
	}{
		"no content":    {"call", `{}`, 0, "{}\n", "the result has no list of content" + run_},
		"other members": {"call", `{"items":[1.0]}`, 0, `{"items":[1.0]}` + "\n", "the result has no list of content" + run_},
		"an error":      {"call", `{"isError":true}`, 1, `{"isError":true}` + "\n", "the result has no list of content" + run_},
		"no text":       {"call", `{"content":[{"type":"text","text":null}]}`, 0, `{"type":"text","text":null}` + "\n", "content[0].text is not a string, though the tool has run\n"},
		"no object":     {"call", `"Done."`, 0, "\"Done.\"\n", "the result is not an object" + run_},
		"null":          {"call", `null`, 0, "null\n", "the result is not an object" + run_},
		"no messages":   {"prompt", `{"prompt":"x"}`, 0, `{"prompt":"x"}` + "\n", "the result has no list of messages: here it is as JSON"},
		"no contents":   {"read", `{"text":"x"}`, 0, `{"text":"x"}` + "\n", "the result has no list of contents: here it is as JSON"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			url, _ := rawServer(t, `"result":`+tt.result)
			got := run(t, "", tt.command, url, "x", "--engine=native")
			got.check(t, tt.code, tt.stdout)
			got.says(t, tt.stderr)
			run(t, "", tt.command, url, "x", "--engine=native", "--json").check(t, tt.code, tt.result+"\n")
		})
	}
}
