// Package hostile_test plays the walks of internal/testkit/drivertest/hostile on the
// drivers of JavaScript and Python, which programs of theirs offer over a pipe.
package hostile_test

import (
	"flag"
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/drivertest"
	"github.com/parley-mcp/parley/internal/testkit/drivertest/hostile"
)

var (
	seed     = flag.Uint64("seed", 0, "the one walk to play and log")
	first    = flag.Uint64("first", 1, "the seed of the first of several walks")
	sessions = flag.Int("sessions", 3000, "how many walks to play")
	node     = flag.String("node", "node ../../hosts/js/test/corpus/stage-server.js", "the stage of JavaScript")
	python   = flag.String("python", "", "the stage of Python, a command line; none skips the test")
)

func TestJavaScript(t *testing.T) { play(t, "js", *node) }

func TestPython(t *testing.T) { play(t, "python", *python) }

func play(t *testing.T, name, command string) {
	if command == "" {
		t.Skip("there is no command line of its stage: python/test.sh has one")
	}
	words := strings.Fields(command)
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Fatal(err)
	}
	child, err := hostile.NewChild(words...)
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	hostile.Run(t, hostile.Driver{
		Names: []string{name},
		Dir:   "../../hosts/testdata/hostile",
		Play: func(t *testing.T, walk func(drivertest.Stage)) {
			stage, err := child.Start()
			if err != nil {
				t.Fatal(err)
			}
			walk(stage)
		},
	}, hostile.Which{Seed: *seed, First: *first, Sessions: *sessions})
}
