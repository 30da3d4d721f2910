package main_test

import (
	"strings"
	"testing"
)

const (
	asksName = `"result":{"resultType":"input_required","requestState":"s1","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}`
	answered = `"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}]}`
)

// TestLongArguments sends what a file in base64 is, keeps what can be kept, and
// says of the rest that it cannot be.
func TestLongArguments(t *testing.T) {
	t.Parallel()
	answer := file(t, `{"answers":[{"key":"k","action":"accept","content":{"name":"Ada"}}]}`)
	const unsaved = "warning: this call is not saved, so it cannot be parked or resumed: its arguments are longer than 7 MiB\n"
	for name, tt := range map[string]struct {
		engine string
		size   int
		kept   bool
	}{"3 MB": {"wasm", 3_000_000, true}, "6 MB": {"native", 6_000_000, true}, "20 MB": {"wasm", 20_000_000, false}, "60 MB": {"native", 60_000_000, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arguments := `{"file":"` + strings.Repeat("A", tt.size) + `"}`
			dir := t.TempDir()
			url, bodies := rawServer(t, asksName, answered)
			got := run(t, arguments, "call", url, "t", "-", "--engine", tt.engine, "--state-dir", dir, "--script", answer)
			got.check(t, 0, "ok")
			if strings.HasPrefix(got.stderr, unsaved) == tt.kept {
				t.Errorf("got %s", got.stderr)
			}
			for leg, body := range bodies() {
				if !strings.Contains(body, `"arguments":`+arguments) {
					t.Errorf("leg %d lacks the arguments", leg+1)
				}
			}
			checkEmpty(t, dir)

			url, bodies = rawServer(t, asksName, answered)
			got = run(t, arguments, "call", url, "t", "-", "--engine", tt.engine, "--state-dir", dir)
			got.check(t, 3, "")
			_, id, parked := strings.Cut(got.stderr, "parked as ")
			if parked != tt.kept {
				t.Errorf("parked: got %s", got.stderr)
			}
			if !parked {
				return
			}
			run(t, "", "resume", id[:10], "--engine", tt.engine, "--state-dir", dir, "--script", answer).check(t, 0, "ok")
			if body := bodies()[1]; !strings.Contains(body, `"arguments":`+arguments) || !strings.Contains(body, `"name":"Ada"`) {
				t.Error("the resumed call lacks the arguments or the answer")
			}
		})
	}
}

// TestOutgrown grows a call beyond the limit of a sealed snapshot. The call continues,
// and parley says that it is no longer saved.
func TestOutgrown(t *testing.T) {
	t.Parallel()
	answer := file(t, `{"answers":[{"key":"k","action":"accept","content":{"name":"`+strings.Repeat("x", 900_000)+`"}}]}`)
	url, _ := rawServer(t, strings.Replace(asksName, "s1", strings.Repeat("s", 250_000), 1), answered)
	arguments := `{"file":"` + strings.Repeat("A", 7<<20-100) + `"}`
	got := run(t, arguments, "call", url, "t", "-", "--state-dir", t.TempDir(), "--script", answer)
	got.check(t, 0, "ok")
	got.says(t, "the call continues, but is not saved: with all that was asked and answered it is longer than 8 MiB, the most that is sealed\n")
}
