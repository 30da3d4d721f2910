package hostile

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/drivertest"
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
}

// Which are the walks of a test.
type Which struct {
	Seed     uint64 // one alone, which is logged
	Sessions int    // from seed 1
}

// mostFound is how many walks a test prints of those that found something.
const mostFound = 5

// Run plays walks. It fails where one found something that is not known, where
// something that is known is not found any more, and where the driver calls
// something else than what is written in walks.txt.
func Run(t *testing.T, d Driver, which Which) {
	t.Helper()
	known := d.known(t)
	if which.Seed != 0 {
		found, script := d.one(t, which.Seed)
		t.Log("\n" + script)
		if found != nil {
			t.Error(found)
		}
		return
	}
	for _, k := range known {
		if !d.finds(t, k) {
			t.Errorf("seed %d does not find what is known any more, %q: take it off the list, or find another seed", k.seed, k.fault)
		}
	}
	written := d.written(t)
	var sums []string
	var printed, differ int
	again := map[string]int{}
	for seed := uint64(1); seed <= uint64(which.Sessions); seed++ {
		found, script := d.one(t, seed)
		if len(sums) < manySums && found == nil {
			sums = append(sums, sum(script))
		} else if len(sums) < manySums {
			sums = append(sums, noSum)
		}
		if found != nil {
			isKnown := slices.ContainsFunc(known, func(k finding) bool { return k.fault == found.Fault })
			if again[found.Fault]++; !isKnown && again[found.Fault] == 1 && printed < mostFound {
				t.Error(d.shrunk(t, found))
				printed++
			}
		} else if n := int(seed) - 1; !d.Update && n < len(written) && written[n] != noSum && written[n] != sum(script) {
			if differ++; differ == 1 {
				t.Errorf("seed %d: it calls something else than what is written: play the seed with the other driver, too\n%s", seed, script)
			}
		}
	}
	if d.Update {
		d.write(t, sums)
	}
	if differ > 1 {
		t.Errorf("%d walks differ from what is written", differ)
	}
	t.Logf("%v: %d walks, found %v", d.Names, which.Sessions, again)
}

// one plays the walk of a seed.
func (d *Driver) one(t *testing.T, seed uint64) (found *Finding, script string) {
	d.Play(t, func(s drivertest.Stage) { found, script = Play(s, seed) })
	return found, script
}

// mostTries is how often a walk is played that finds something that depends on
// which of two goroutines is first.
const mostTries = 200

func (d *Driver) finds(t *testing.T, k finding) bool {
	for range mostTries {
		if found, _ := d.one(t, k.seed); found != nil && found.Fault == k.fault {
			return true
		}
	}
	return false
}

// shrunk takes away what a finding does not need.
func (d *Driver) shrunk(t *testing.T, f *Finding) *Finding {
	for at := len(f.Inputs) - 1; at >= 0; at-- {
		if at >= len(f.Inputs) {
			continue
		}
		var less *Finding
		d.Play(t, func(s drivertest.Stage) {
			less, _ = Replay(s, slices.Delete(slices.Clone(f.Inputs), at, at+1))
		})
		if less != nil && less.Fault == f.Fault {
			less.Seed, f = f.Seed, less
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
// between them, and the fault, then a line that says why. # begins a comment.
func (d *Driver) known(t *testing.T) (all []finding) {
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
			all = append(all, f)
		}
	}
	return all
}

// walks.txt has sums of what drivers call on the first walks: every driver calls
// the same.
const (
	manySums = 1000
	sumsLine = 10
	noSum    = "-" // of a walk that found something
)

func sum(script string) string {
	h := sha256.Sum256([]byte(script))
	return fmt.Sprintf("%x", h[:4])
}

func (d *Driver) written(t *testing.T) []string {
	t.Helper()
	return strings.Fields(d.read(t, "walks.txt"))
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
