package script_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley/internal/script"
)

func load(t *testing.T, text string) (*script.Script, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return script.Load(name)
}

func TestScript(t *testing.T) {
	s, err := load(t, `{
		"answers": [
			{"key":"a","action":"accept","content":{ "n": 1.0 }},
			{"key":"b","action":"decline"},
			{"key":"a","action":"cancel"},
			{"key":"c","action":"stop"},
			{"key":"page","action":"accept"}
		],
		"sample": [{"key":"s","text":"hi"}],
		"signIn": [{"action":"accept","at":"a:1"},{"action":"decline"}],
		"roots": [{"uri":"file:///x"}]
	}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Answer("a"); got.Action != script.Accept || string(got.Content) != `{ "n": 1.0 }` {
		t.Errorf("first answer: got %+v", got)
	}
	if got := s.Answer("a"); got.Action != script.Cancel {
		t.Errorf("second answer: got %+v", got)
	}
	if got := s.Answer("a"); got != nil {
		t.Errorf("third answer: got %+v, want none", got)
	}
	if got, want := strings.Join(s.Unused(), " "), "answers[1] (b) answers[3] (c) answers[4] (page) sample[0] (s)"; got != want {
		t.Errorf("unused: got %q, want %q", got, want)
	}
	if got := s.Sample("s"); got == nil || got.Text != "hi" || s.Sample("s") != nil {
		t.Errorf("sample: got %+v, want it once", got)
	}
	if got := s.SignIn(); got.Action != script.Accept || got.At != "a:1" || s.SignIn().Action != script.Decline || s.SignIn() != nil {
		t.Errorf("signing in: got %+v, want each once", got)
	}
	if len(s.Roots) != 1 || string(s.Roots[0]) != `{"uri":"file:///x"}` {
		t.Errorf("roots: got %q", s.Roots)
	}
}

// A question whose key is drawn at random takes an answer without a key.
func TestAnswerWithoutKey(t *testing.T) {
	s, err := load(t, `{"answers":[{"key":"","action":"decline"},{"key":"a","action":"accept","content":{}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{script.Accept, script.Decline} {
		if got := s.Answer("a"); got == nil || got.Action != want {
			t.Errorf("got %+v, want %s", got, want)
		}
	}
	if got := s.Answer("a"); got != nil {
		t.Errorf("got %+v, want none", got)
	}
}

func TestLoadErrors(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"no JSON":         {"{\n\"answers\":\n}", "not JSON at line 3"},
		"empty":           {"", "EOF"},
		"two values":      {"{} {}", "more than one JSON value"},
		"unknown part":    {`{"answer":[]}`, `unknown field "answer"`},
		"unknown member":  {`{"answers":[{"key":"a","action":"cancel","contents":{}}]}`, `answers[0]: json: unknown field "contents"`},
		"unknown action":  {`{"answers":[{"key":"a","action":"yes"}]}`, `answers[0]: the action "yes" is none of`},
		"no action":       {`{"answers":[{"key":"a"}]}`, `the action "" is none of`},
		"no key":          {`{"answers":[{"action":"decline"}]}`, "the key of the question is missing"},
		"content no form": {`{"answers":[{"key":"a","action":"accept","content":[1]}]}`, "the content of an accept is a JSON object"},
		"stray content":   {`{"answers":[{"key":"a","action":"decline","content":{}}]}`, "a decline has no content"},
		"sample key":      {`{"sample":[{"text":"x"}]}`, "sample[0]: the key of the question is missing"},
		"sign-in action":  {`{"signIn":[{"action":"cancel"}]}`, `signIn[0]: the action "cancel" is none of`},
		"sign-in nowhere": {`{"signIn":[{"action":"decline","at":"a"}]}`, `signIn[0]: "at" is where`},
		"root":            {`{"roots":["file:///x"]}`, "roots[0]: a root looks like"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := script.Load(filepath.Join(t.TempDir(), "none.json")); !os.IsNotExist(err) {
		t.Errorf("no file: got %v", err)
	}
}
