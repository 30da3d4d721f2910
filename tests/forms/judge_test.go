package forms_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// judge has jsonschema and ajv say whether the answers are valid.
func (r *row) judge(t *testing.T) {
	if !r.visited {
		return
	}
	var cases bytes.Buffer
	for _, a := range r.answers {
		line, err := json.Marshal(map[string]json.RawMessage{"schema": a.schema, "content": a.content})
		if err != nil {
			t.Fatal(err)
		}
		cases.Write(append(line, '\n'))
	}
	for i, command := range [][]string{python(sdk1, "python/judge.py")(t), node("judge.js")(t)} {
		cmd := exec.Command(command[0], command[1:]...)
		var log bytes.Buffer
		cmd.Stdin, cmd.Stderr = bytes.NewReader(cases.Bytes()), &log
		out, err := cmd.Output()
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if err != nil || len(lines) != len(r.answers) {
			t.Fatalf("%s: %v, %d verdicts on %d answers\n%s", command[1], err, len(lines), len(r.answers), log.Bytes())
		}
		for j, line := range lines {
			if err := json.Unmarshal([]byte(line), &r.answers[j].judged[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
}
