package server_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestServer(t *testing.T) {
	play.Server(t, play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "server.js"), "--port", "0")
}

func TestLimits(t *testing.T) {
	play.Limits(t, play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "server.js"), "--port", "0", "--stall", "2")
}

func TestGoHost(t *testing.T) {
	server := play.Start(t, play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "server.js"), "--port", "0")
	play.Host(t, play.Build(t, "../go-host"), server)
}

// Marks of used states are kept in Redis, or the server does not start.
func TestReplay(t *testing.T) {
	program := play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "server.js")
	for url, want := range map[string]string{"postgres://x": "not kept in Postgres yet", "redis://127.0.0.1:1": "there was no answer in time"} {
		out, err := exec.CommandContext(t.Context(), program[0], append(program[1:], "--port", "0", "--replay", url)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: got %v, %s", url, err, out)
		}
	}
}

func TestReadme(t *testing.T) {
	play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "")
	play.Readme(t)
}
