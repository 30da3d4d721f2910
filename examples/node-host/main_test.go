package main_test

import (
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestHost(t *testing.T) {
	host := play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "main.js")
	t.Run("go-server", func(t *testing.T) {
		play.Host(t, host, play.Start(t, play.Build(t, "../go-server"), "-addr", "127.0.0.1:0"))
	})
	t.Run("js-server", func(t *testing.T) {
		server := play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "../js-server/server.js")
		play.Host(t, host, play.Start(t, server, "--port", "0"))
	})
}

func TestReadme(t *testing.T) {
	play.Interpreted(t, "PARLEY_EXAMPLES_NODE", "")
	play.Readme(t)
}
