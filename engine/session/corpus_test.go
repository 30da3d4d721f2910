package session_test

import (
	"flag"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

var update = flag.Bool("update", false, "rewrite testdata/sessions with what the engine answers")

func TestCorpus(t *testing.T) {
	mode := enginetest.Plain
	if *update {
		mode = enginetest.Update
	}
	enginetest.RunSessions(t, "../testdata/sessions", enginetest.Native{}, mode)
}
