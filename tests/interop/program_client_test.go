package interop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// playProgram plays calls with the client program of an SDK, which reads them
// from its standard input and writes what they come to on its standard output.
func playProgram(t *testing.T, sdk string, at target, era interop.Era, cases []interop.Case) []interop.Outcome {
	t.Helper()
	args := []string{"--ready", "client", sdk}
	if era == interop.Legacy {
		args = append(args, "--legacy")
	}
	if at.url != "" {
		args = append(args, at.url)
	} else {
		args = append(append(args, "--"), at.command...)
	}
	script, err := filepath.Abs("run.sh")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*interop.Patience)
	defer cancel()
	return runProgram(t, sdk, exec.CommandContext(ctx, script, args...), cases)
}

func runProgram(t *testing.T, client string, cmd *exec.Cmd, cases []interop.Case) []interop.Outcome {
	t.Helper()
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &log
	out, err := cmd.Output()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the %s client:\n%s", client, log.Bytes())
		}
	})
	if err != nil {
		t.Fatalf("the %s client: %v", client, err)
	}
	var outcomes []interop.Outcome
	if err := json.Unmarshal(out, &outcomes); err != nil {
		t.Fatalf("the %s client wrote %q: %v", client, out, err)
	}
	return outcomes
}
