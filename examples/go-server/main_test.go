package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestServer(t *testing.T) {
	play.Server(t, play.Build(t, "."), "-addr", "127.0.0.1:0")
}

func TestLimits(t *testing.T) {
	play.Limits(t, play.Build(t, "."), "-addr", "127.0.0.1:0", "-stall", "2s")
}

// Marks of used states are kept in Redis or PostgreSQL, or the server does not start.
func TestReplay(t *testing.T) {
	program := play.Build(t, ".")
	for url, want := range map[string]string{"http://x": "redis://HOST:PORT", "postgres://127.0.0.1:1/x": "connecting to Postgres", "redis://127.0.0.1:1": "connecting to Redis"} {
		out, err := exec.CommandContext(t.Context(), program[0], append(program[1:], "-addr", "127.0.0.1:0", "-replay", url)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: got %v, %s", url, err, out)
		}
	}
}

func TestReadme(t *testing.T) { play.Readme(t) }
