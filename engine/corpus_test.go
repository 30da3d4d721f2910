package engine_test

import (
	"flag"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

var update = flag.Bool("update", false, "rewrite testdata/flows with what the engine answers")

func TestCorpus(t *testing.T) {
	mode := enginetest.Plain
	if *update {
		mode = enginetest.Update
	}
	enginetest.Run(t, "testdata/flows", enginetest.Native{}, mode)
}

// A flow that is parked and restored between every two events must not show
// it.
func TestCorpusParkedBetweenEvents(t *testing.T) {
	enginetest.Run(t, "testdata/flows", enginetest.Native{}, enginetest.Parked)
}
