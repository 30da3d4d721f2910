package hostile

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/drivertest"
)

// Driver is what walks are played on.
type Driver struct {
	Names []string // by which the list of what is known names it

	// Play lends a stage to one walk.
	Play func(t *testing.T, walk func(drivertest.Stage))

	// Dir is hosts/testdata/hostile: known.txt and walks.txt.
	Dir string

	// Update writes walks.txt, by a driver that is taken for right.
	Update bool

	list []finding // that are known
	sums []string  // of walks.txt
}

// Which are the walks of a test.
type Which struct {
	Seed     uint64 // one alone, which is logged
	First    uint64 // the first of several; zero means 1
	Sessions int    // how many
}

// maxFound is how many kinds of finding a test prints.
const maxFound = 5

// Run plays walks. It fails where one finds what is not known, and where
// something that is known is not found any more.
func Run(t *testing.T, d Driver, which Which) {
	t.Helper()
	if d.known(t); !d.Update {
		d.sums = strings.Fields(d.read(t, "walks.txt"))
	}
	if which.Seed != 0 {
		found, script := d.one(t, which.Seed)
		t.Log("\n" + script)
		if found != nil {
			t.Error(found)
		}
		return
	}
	for _, k := range d.list {
		if !d.finds(t, k) {
			t.Errorf("seed %d does not find what is known any more, %q: take it off the list, or find another seed", k.seed, k.fault)
		}
	}
	var sums []string
	var differ []uint64
	faults := map[string][]uint64{} // and the seeds that find them
	first := max(which.First, 1)
	for seed := first; seed < first+uint64(which.Sessions); seed++ {
		found, script := d.one(t, seed)
		sums = append(sums, sum(found, script))
		if found == nil {
			continue
		}
		faults[found.Fault] = append(faults[found.Fault], seed)
		switch {
		case d.isKnown(found):
		case found.Fault == differs:
			if differ = append(differ, seed); len(differ) == 1 {
				t.Error(found)
			}
		case len(faults[found.Fault]) == 1 && len(faults) <= maxFound:
			t.Error(d.shrunk(t, found))
		default:
			t.Fail()
		}
	}
	if d.Update && first == 1 {
		d.write(t, sums[:min(len(sums), manySums)])
	}
	if differ != nil {
		t.Errorf("the seeds %v differ", differ)
	}
	t.Logf("%v: %d walks", d.Names, which.Sessions)
	for _, fault := range slices.Sorted(maps.Keys(faults)) {
		seeds := faults[fault]
		t.Logf("found %d times, by the seeds %d …: %s", len(seeds), seeds[:min(len(seeds), 5)], fault)
	}
}

// one plays the walk of a seed, and compares what was called with what is written.
func (d *Driver) one(t *testing.T, seed uint64) (found *Finding, script string) {
	d.Play(t, func(s drivertest.Stage) { found, script = Play(s, seed) })
	if n := seed - 1; found == nil && n < uint64(len(d.sums)) && d.sums[n] != noSum && d.sums[n] != sum(nil, script) {
		found = &Finding{Seed: seed, Fault: differs, Script: "# " + differs + "\n" + script}
	}
	return found, script
}

// maxTries is how often a walk is played that finds something that depends on
// which of two goroutines is first.
const maxTries = 200

func (d *Driver) finds(t *testing.T, k finding) bool {
	for range maxTries {
		if found, _ := d.one(t, k.seed); found != nil && found.Fault == k.fault {
			return true
		}
	}
	return false
}

// shrunk takes away what a finding does not need, in ever smaller pieces.
func (d *Driver) shrunk(t *testing.T, f *Finding) *Finding {
	for size := len(f.Inputs) / 2; size > 0; size /= 2 {
		for at := len(f.Inputs) - size; at >= 0; at-- {
			if at+size > len(f.Inputs) {
				continue
			}
			var less *Finding
			d.Play(t, func(s drivertest.Stage) {
				less, _ = Replay(s, slices.Delete(slices.Clone(f.Inputs), at, at+size))
			})
			if less != nil && less.Fault == f.Fault && len(less.Inputs) < len(f.Inputs) {
				less.Seed, f = f.Seed, less
			}
		}
	}
	return f
}

// finding is a line of known.txt.
type finding struct {
	seed  uint64
	fault string
}

// known reads what is known of the driver: a seed, the drivers' names with commas
// between them, and the fault. # begins a comment, which says what is wrong.
func (d *Driver) known(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(d.read(t, "known.txt")) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var f finding
		var names string
		if n, err := fmt.Sscan(line, &f.seed, &names); n != 2 {
			t.Fatalf("known.txt: %q: %v", line, err)
		}
		_, f.fault, _ = strings.Cut(line, names+" ")
		if slices.ContainsFunc(strings.Split(names, ","), func(name string) bool { return slices.Contains(d.Names, name) }) {
			d.list = append(d.list, f)
		}
	}
}

// isKnown reports whether a finding is on the list: by what is wrong, and where it
// is no property that does not hold, by its seed.
func (d *Driver) isKnown(f *Finding) bool {
	return slices.ContainsFunc(d.list, func(k finding) bool {
		return k.fault == f.Fault && (f.Fault != differs || k.seed == f.Seed)
	})
}

// walks.txt has sums of what drivers call on the first walks: every driver calls
// the same.
const (
	manySums = 1000
	sumsLine = 10
	noSum    = "-" // of a walk that found something

	differs = "lines: it calls something else than walks.txt says; play the seed with Go, too"
)

func sum(found *Finding, script string) string {
	if found != nil {
		return noSum
	}
	h := sha256.Sum256([]byte(script))
	return fmt.Sprintf("%x", h[:4])
}

func (d *Driver) write(t *testing.T, sums []string) {
	t.Helper()
	var b strings.Builder
	for line := range slices.Chunk(sums, sumsLine) {
		fmt.Fprintln(&b, strings.Join(line, " "))
	}
	if err := os.WriteFile(filepath.Join(d.Dir, "walks.txt"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (d *Driver) read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(d.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
