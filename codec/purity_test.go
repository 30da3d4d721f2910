package codec_test

import (
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/puritytest"
)

func TestCoreIsPure(t *testing.T) {
	puritytest.Check(t, ".", 10, "codectest") // which is for tests
	puritytest.Check(t, "../internal/canon", 2)
	puritytest.Check(t, "../internal/codecwire", 1)
}
