package engine_test

import (
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

// A response that comes in slices brings about what it does in one piece.
func TestCorpusInTwo(t *testing.T) { enginetest.InTwo(t, "testdata/flows") }

func TestCorpusInBytes(t *testing.T) {
	enginetest.Run(t, "testdata/flows", enginetest.Sliced{Host: enginetest.Native{}, Cut: func(size int) (at []int) {
		for i := range min(size, 4000) {
			at = append(at, i+1)
		}
		return at
	}}, enginetest.Plain)
}
