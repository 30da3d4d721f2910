package server_test

import (
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestServer(t *testing.T) {
	play.Server(t, play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "server.js"), "--port", "0")
}

func TestGoHost(t *testing.T) {
	server := play.Start(t, play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "server.js"), "--port", "0")
	play.Host(t, play.Build(t, "../go-host"), server)
}

func TestReadme(t *testing.T) {
	play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "")
	play.Readme(t)
}
