package interop_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/interop"
)

// playURL is the variable that makes this program Parley's Go client: it plays
// the calls of its standard input with the modern server at that url.
const playURL = "INTEROP_PLAY"

var update = flag.Bool("update", false, "write the results into README.md")

func TestMain(m *testing.M) {
	if url := os.Getenv(playURL); url != "" {
		if err := playStdin(target{url: url}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Set("test.parallel", "4") // unless said otherwise: most of the time is spent in, and waiting for, other processes
	code := m.Run()
	if *update {
		if err := writeResults(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(code)
}

func playStdin(at target) error {
	var cases []interop.Case
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		return err
	}
	c, err := open(parley.Native{}, at.transport(), interop.Modern)
	if err != nil {
		return err
	}
	defer c.Close()
	outcomes := make([]interop.Outcome, len(cases))
	for i, one := range cases {
		outcomes[i] = c.play(context.Background(), one)
	}
	return json.NewEncoder(os.Stdout).Encode(outcomes)
}

// playElsewhere plays calls with one of Parley's clients in a process of its
// own.
func playElsewhere(t *testing.T, client string, at target, cases ...interop.Case) []interop.Outcome {
	t.Helper()
	if client == parleyJS {
		return playProgram(t, client, at, interop.Modern, cases)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), playURL+"="+at.url)
	return runProgram(t, client, cmd, cases)
}
