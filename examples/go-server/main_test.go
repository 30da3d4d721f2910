package main_test

import (
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestServer(t *testing.T) {
	play.Server(t, play.Build(t, "."), "-addr", "127.0.0.1:0")
}

func TestReadme(t *testing.T) { play.Readme(t) }
