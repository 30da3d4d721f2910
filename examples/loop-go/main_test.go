package main_test

import (
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestLoop(t *testing.T) {
	program := play.Build(t, ".")
	play.Loop(t, program, program, play.Start(t, play.Build(t, "../go-server"), "-addr", "127.0.0.1:0"))
}

func TestReadme(t *testing.T) { play.Readme(t) }
