package main_test

import (
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

func TestLoop(t *testing.T) {
	program := play.Interpreted(t, "PARLEY_EXAMPLES_PYTHON", "main.py")
	play.Loop(t, program, play.Build(t, "../loop-go"), play.Start(t, play.Build(t, "../go-server"), "-addr", "127.0.0.1:0"))
}

func TestReadme(t *testing.T) {
	play.Interpreted(t, "PARLEY_EXAMPLES_PYTHON", "")
	play.Readme(t)
}
