package drivertest

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// Driver is what scripts are played on.
type Driver struct {
	Names []string // by which marks name it

	// Lacks says why a script cannot be played, "" if it can.
	Lacks func(*Script) string

	// Sees is what of an expected line the host can see, "" if nothing. Nil is
	// everything.
	Sees func(line string) string

	// Play plays one script: it calls play with a stage of its own.
	Play func(t *testing.T, s *Script, play func(Stage))
}

// Stage is where one script is played.
type Stage interface {
	// Do lets something happen.
	Do(Input) error

	// Calls waits until the driver stands still, and returns what it has
	// called since the last time.
	Calls() []string

	// End lets every callback that has not returned do so, and returns what
	// the driver called even then.
	End() []string

	// Open reports whether a call has not ended.
	Open() bool
}

// Run plays every script of a folder, each as a test of its own. update is the
// name of a driver that is taken for right: what it calls is written into the
// scripts, but for those that it is to change for.
func Run(t *testing.T, dir string, d Driver, update bool) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 45 {
		t.Fatalf("only %d scripts in %s", len(paths), dir)
	}
	var played, changing []string
	for _, path := range paths {
		s, err := read(path)
		if err != nil {
			t.Fatal(err)
		}
		marked := slices.ContainsFunc(s.marks, func(name string) bool { return slices.Contains(d.Names, name) })
		t.Run(s.Name, func(t *testing.T) {
			if why := d.Lacks(s); why != "" {
				t.Skip(why)
			}
			played = append(played, s.Name)
			var calls [][]string
			var fault error
			d.Play(t, s, func(stage Stage) { calls, fault = s.play(stage, d.Sees, update && !marked) })
			switch {
			case marked && fault == nil:
				t.Error("it does what is wanted: take the line \"to change\" away")
			case marked:
				changing = append(changing, s.Name)
			case fault != nil:
				t.Error(fault)
			case update:
				if err := s.rewrite(calls); err != nil {
					t.Error(err)
				}
			}
		})
	}
	t.Logf("%v: %d of %d scripts played, %d to change: %v", d.Names, len(played), len(paths), len(changing), changing)
}

func (s *Script) play(stage Stage, sees func(string) string, update bool) (all [][]string, fault error) {
	for i, b := range s.Blocks {
		var calls []string
		for _, input := range b.Inputs {
			in := ReadInput(input)
			if in.Verb == "until" && slices.ContainsFunc(calls, in.named) {
				continue // the time has passed already
			}
			if err := stage.Do(in); err != nil {
				stage.End()
				return nil, fmt.Errorf("block %d, %s: %w\nit has called\n%s", i+1, input, err, shown(calls))
			}
			calls = append(calls, Sorted(stage.Calls())...)
		}
		all = append(all, calls)
		var expected []string
		for _, line := range b.Calls {
			if sees != nil {
				line = sees(line)
			}
			if line != "" {
				expected = append(expected, line)
			}
		}
		if got, want := shown(calls), shown(expected); got != want && !update {
			stage.End()
			return nil, fmt.Errorf("block %d, %s\n got %s\nwant %s", i+1, b.Inputs, got, want)
		}
	}
	if stage.Open() {
		stage.End()
		return nil, fmt.Errorf("the script is over, and a call is not")
	}
	if late := stage.End(); len(late) > 0 {
		return nil, fmt.Errorf("after the end it calls\n%s", shown(late))
	}
	return all, nil
}
