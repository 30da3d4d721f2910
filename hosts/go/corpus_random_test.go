package parley_test

import (
	"flag"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/wasm"
)

var randomSteps = flag.Int("steps", 20_000, "how many steps TestRandomSteps makes")

// TestRandomSteps plays scripts of the corpus with their blocks shuffled, doubled, left
// out and mixed with those of others, on the engine in Go and on its module: both answer
// the same bytes.
func TestRandomSteps(t *testing.T) {
	scripts := smallScripts(t)
	module := newModule(t, wasm.Engine())
	random := rand.New(rand.NewPCG(36, 1))
	steps, walks, refused := 0, 0, 0
	for ; steps < *randomSteps; walks++ {
		blocks := mixed(random, scripts)
		native, other := &enginetest.Script{Blocks: blocks}, &enginetest.Script{Blocks: slices.Clone(blocks)}
		enginetest.PlaySession(t, native, enginetest.Native{})
		enginetest.PlaySession(t, other, module)
		for i, b := range native.Blocks {
			if got := other.Blocks[i].Answer; got != b.Answer {
				t.Fatalf("walk %d, block %d, %s\nthe module %s\n        Go %s", walks, i, b.Call, got, b.Answer)
			}
			if strings.HasPrefix(b.Answer, `{"error"`) {
				refused++
			}
		}
		steps += len(blocks)
	}
	if n := module.Call("parley_live"); n != 0 {
		t.Errorf("%d sessions and calls are still live", n)
	}
	if refused > steps/2 {
		t.Errorf("%d of %d steps were refused: the walks lead nowhere", refused, steps)
	}
	t.Logf("%d steps in %d walks, %d of them refused", steps, walks, refused)
}

// smallScripts are the scripts of sessions that have no long texts.
func smallScripts(t *testing.T) (scripts [][]enginetest.Block) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(sessionCorpus, "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range paths {
		s, err := enginetest.ReadScript(path)
		if err != nil {
			t.Fatal(err)
		}
		isLong := slices.ContainsFunc(s.Blocks, func(b enginetest.Block) bool { return strings.Contains(b.Call, "@repeat") })
		if !isLong && s.Blocks[0].Answer == "ok" {
			scripts = append(scripts, s.Blocks)
		}
	}
	return scripts
}

// mixed is a script that goes wrong.
func mixed(random *rand.Rand, scripts [][]enginetest.Block) []enginetest.Block {
	pick := func() []enginetest.Block { return scripts[random.IntN(len(scripts))] }
	from := pick()
	blocks := from[:1:1]
	for _, b := range from[1:] {
		switch random.IntN(20) {
		case 0: // left out
		case 1:
			blocks = append(blocks, b, b)
		case 2:
			other := pick()
			blocks = append(blocks, other[random.IntN(len(other)-1)+1], b)
		case 3:
			last := len(blocks) - 1
			blocks = append(blocks, b)
			if last > 0 {
				blocks[last], blocks[last+1] = b, blocks[last]
			}
		default:
			blocks = append(blocks, b)
		}
	}
	return blocks
}
