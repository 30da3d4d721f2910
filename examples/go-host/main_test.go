package main_test

import (
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestHost(t *testing.T) {
	server := play.Start(t, play.Build(t, "../go-server"), "-addr", "127.0.0.1:0")
	play.Host(t, play.Build(t, "."), server)
}

func TestReadme(t *testing.T) { play.Readme(t) }
