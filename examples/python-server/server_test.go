package server_test

import (
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestServer(t *testing.T) {
	play.Server(t, play.Interpreted(t, "PARLEY_EXAMPLES_PYTHON", "server.py"), "--port", "0")
}

func TestLimits(t *testing.T) {
	play.Limits(t, play.Interpreted(t, "PARLEY_EXAMPLES_PYTHON", "server.py"), "--port", "0", "--stall", "2")
}

func TestReadme(t *testing.T) {
	play.Interpreted(t, "PARLEY_EXAMPLES_PYTHON", "")
	play.Readme(t)
}
