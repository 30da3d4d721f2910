package enginetest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRawMembers(t *testing.T) {
	tests := map[string]struct{ shown, notation string }{
		"object":            {`new {"method":"m","params":{"name":"greet"}}`, `new {"method":"m","params":"{\"name\":\"greet\"}"}`},
		"array":             {`new {"params":[1,"]"]}`, `new {"params":"[1,\"]\"]"}`},
		"escapes":           {`1 {"body":{"a":"\"\\\ud800\u00e9é"}}`, `1 {"body":"{\"a\":\"\\\"\\\\\\ud800\\u00e9é\"}"}`},
		"spaces":            {`1 {"body":{ "a": 1.0 }}`, `1 {"body":"{ \"a\": 1.0 }"}`},
		"same name inside":  {`1 {"body":{"params":{"body":"{\"a\":1}"}},"leg":1}`, `1 {"body":"{\"params\":{\"body\":\"{\\\"a\\\":1}\"}}","leg":1}`},
		"name there twice":  {`1 {"body":{"a":1,"a":2},"body":{}}`, `1 {"body":"{\"a\":1,\"a\":2}","body":"{}"}`},
		"within an option":  {`new {"options":{"capabilities":{"roots":{}},"can":{"form":true}}}`, `new {"options":{"capabilities":"{\"roots\":{}}","can":{"form":true}}}`},
		"repeated":          {`1 {"body":{"a":"@repeat(x,400)"}}`, `1 {"body":"{\"a\":\"@repeat(x,400)\"}"}`},
		"a call no JSON is": {`1 {"body":{},"leg":}`, `1 {"body":"{}","leg":}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := RequestRaw().Unfold(tt.shown); got != tt.notation {
				t.Errorf("Unfold(%s)\n got %s\nwant %s", tt.shown, got, tt.notation)
			}
			if got := RequestRaw().fold(tt.notation); got != tt.shown {
				t.Errorf("fold(%s)\n got %s\nwant %s", tt.notation, got, tt.shown)
			}
		})
	}
}

// What is no raw member, or not JSON of one line, is shown as it is in the notation.
func TestNotFolded(t *testing.T) {
	for _, line := range []string{
		`ok`, `snapshot 1`, `1 {"type":"tick"}`, `1 {"body":"","raw":"5","request":"null"}`, `1 {"reason":"{\"a\":1}"}`,
		`1 {"body":"{\"a\":}"}`, `1 {"body":"{} "}`, `1 {"body":" {}"}`, `1 {"body":"{}{}"}`, `1 {"body":"{\n}"}`, `1 {"body":"{\t}"}`,
		`1 {"body":"\u007b}"}`, `1 {"body":"{\"\u00e9\":1}"}`, `1 {"body":"{\"a\":\"\/\"}"}`, `1 {"body":"{\u12}"}`, `1 {"body":"[@repeat([,400)]"}`,
		`1 {"body":"@repeat(\\,400)"}`, `1 {"body":"{}`, `1 {"body`, `1 {"body":`, `1 {"body":{"a":"b`, `1 {"limits":{"body":5}}`,
		`{"error":{"code":2,"detail":"result"}}`, `{"actions":[{"type":"send","leg":1}]}`,
	} {
		raw := RequestRaw()
		if line[0] == '{' {
			raw = AnswerRaw()
		}
		if got := raw.Unfold(line); got != line {
			t.Errorf("Unfold(%s): got %s", line, got)
		}
		if got := raw.fold(line); got != line {
			t.Errorf("fold(%s): got %s", line, got)
		}
	}
}

// TestScriptsAsWritten keeps the corpus readable: scripts are as Write shows them.
func TestScriptsAsWritten(t *testing.T) {
	written := filepath.Join(t.TempDir(), "script.txt")
	for _, dir := range []string{"flows", "sessions"} {
		for _, path := range scripts(t, "../../../engine/testdata/"+dir) {
			s, err := ReadScript(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Write(written); err != nil {
				t.Fatal(err)
			}
			is, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if should, err := os.ReadFile(written); err != nil || string(is) != string(should) {
				t.Errorf("%s has a string where an object or an array can stand: go test ./engine ./engine/session -run Corpus -update", path)
			}
		}
	}
}

// FuzzRawMembers: what is shown is always read as it was.
func FuzzRawMembers(f *testing.F) {
	f.Add(`1 {"body":"{\"a\":\"\\\"\"}","raw":"[]"}`)
	f.Add(`1 {"body":{"a":"{\"body\":\"[]\""`)
	f.Fuzz(func(t *testing.T, line string) {
		for _, raw := range []Raw{RequestRaw(), AnswerRaw()} {
			notation := raw.Unfold(line)
			if got := raw.Unfold(raw.fold(notation)); got != notation {
				t.Fatalf("%q is shown as %q and read as %q", notation, raw.fold(notation), got)
			}
		}
	})
}
