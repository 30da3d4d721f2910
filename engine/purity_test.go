package engine_test

import (
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/puritytest"
)

func TestCoreIsPure(t *testing.T) {
	puritytest.Check(t, ".", 10)
	puritytest.Check(t, "../rawjson", 5)
	puritytest.Check(t, "../internal/wire", 5)
	puritytest.Check(t, "../internal/fields", 3)
}
