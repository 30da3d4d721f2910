package codec_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/codec/codectest"
)

func TestVectors(t *testing.T) {
	codectest.Vectors(t, "testdata/vectors", codectest.Native{}, func(name string) bool {
		return strings.HasPrefix(name, "age-")
	})
}
