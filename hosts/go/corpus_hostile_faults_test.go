package parley_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/drivertest"
	"github.com/parley-mcp/parley/internal/testkit/drivertest/hostile"
)

// TestHostileFaults plays walks on drivers with a fault each: it must be found, and
// be found as what it is.
func TestHostileFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		fault func(*faulty)
		found string // what it is found as
		also  string // and may be found as before
	}{
		"it does not save": {func(f *faulty) {
			f.after = func(lines []string) []string { return f.saveAtOnce(lines, true) }
		}, "saved: a (request leaves|question is asked) that was not kept", ""},
		"it does not wait for a save": {func(f *faulty) {
			f.after = func(lines []string) []string { return f.saveAtOnce(lines, false) }
		}, "saved: a (request leaves|question is asked) that was not kept", ""},
		"it does not save what came while it saved": {func(f *faulty) {
			saved := false
			f.before = func(in *drivertest.Input) { saved = in.Verb == "saved" }
			f.after = func(lines []string) []string {
				if !saved {
					return lines
				}
				return f.saveAtOnce(lines, true)
			}
		}, "saved: a (request leaves|question is asked) that was not kept", ""},
		"it calls a tool again that was lost": {func(f *faulty) {
			lost := false
			f.before = func(in *drivertest.Input) { lost = in.Verb == "lost" }
			f.after = func(lines []string) []string {
				if !lost {
					return lines
				}
				return f.instead(lines, isFailed(16), `resume {"resend":true}`)
			}
		}, "twice: a tool is called again though it may have run, and nobody asked for that", "saved: .*"},
		"it calls a tool again that may have run when its process died": {func(f *faulty) {
			f.before = func(in *drivertest.Input) {
				if in.Verb == "resume" && in.Rest == `{"from":"save"}` {
					in.Rest = `{"from":"save","resend":true}`
				}
			}
		}, "doubt: a call goes on without a word that is in doubt", ""},
		"it forgets a doubt": {func(f *faulty) {
			f.after = changed(func(line string) string { return strings.Replace(line, `,"inDoubt":true`, "", 1) })
		}, `doubt: a call that failed \(\d+\) is not in doubt though a tool may have run`, ""},
		"it forgets a doubt when the caller gives up": {func(f *faulty) {
			f.after = changed(func(line string) string {
				if !isFailed(14)(line) {
					return line
				}
				return strings.Replace(line, `,"inDoubt":true`, "", 1)
			})
		}, `doubt: a call that failed \(14\) is not in doubt though a tool may have run`, ""},
		"it doubts what was not sent": {func(f *faulty) {
			f.after = changed(func(line string) string {
				if !isFailed(11)(line) || strings.Contains(line, "inDoubt") {
					return line
				}
				return strings.Replace(line, `"resumable":true`, `"resumable":true,"inDoubt":true`, 1)
			})
		}, `doubt: a call that failed \(11\) is in doubt though no tool can have run without an answer`, ""},
		"it asks again what was answered": {func(f *faulty) {
			var asked string
			f.after = func(lines []string) []string {
				for _, line := range lines {
					if strings.HasPrefix(line, "elicit ") && !strings.Contains(line, "problem") && asked == "" {
						asked = line
					}
					if asked != "" && line != asked && strings.HasPrefix(line, "elicit ") {
						return append(lines, asked)
					}
				}
				return lines
			}
		}, "twice: a question is asked again that was answered", "twice: a question is asked while it is open|saved: .*"},
		"it does not end when the caller gives up": {func(f *faulty) {
			canceled := false
			f.before = func(in *drivertest.Input) { canceled = in.Verb == "cancel" }
			f.after = func(lines []string) []string {
				return slices.DeleteFunc(lines, func(line string) bool { return canceled && isFailed(14)(line) })
			}
		}, "ends: a call goes on that must end at once", ""},
		"it leaves a question open": {func(f *faulty) {
			f.after = func(lines []string) []string {
				return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "withdrawn ") })
			}
		}, "ends: a question stays open at the end", ""},
		"it leaves a request in flight": {func(f *faulty) {
			f.after = func(lines []string) []string {
				return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "aborted ") })
			}
		}, "ends: a request in flight is not given up at the end", ""},
		"it takes a late answer": {func(f *faulty) {
			late := false
			f.before = func(in *drivertest.Input) { late = !f.Open() && in.Verb == "response" }
			f.after = func(lines []string) []string {
				if late {
					return append(lines, `done {"result":{}}`)
				}
				return lines
			}
		}, "ends: a call ends twice", ""},
		"it tells what happens after the end": {func(f *faulty) {
			f.after = func(lines []string) []string {
				if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "done ") }) {
					return append(lines, `note {"kind":"done"}`)
				}
				return lines
			}
		}, "ends: what watches is called after the end", ""},
		"it calls something when all is over": {func(f *faulty) {
			f.late = []string{"save"}
		}, "ends: something is called when nothing waits any more", ""},
		"it waits for ever": {func(f *faulty) {
			f.refuses = "until"
		}, "ends: nothing called .* comes", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want, also := regexp.MustCompile("^("+tt.found+")$"), regexp.MustCompile("^("+tt.also+")$")
			for seed := uint64(1); seed <= 2000; seed++ {
				var found *hostile.Finding
				onStage(t, parley.Native{}, func(s drivertest.Stage) {
					f := &faulty{Stage: s}
					tt.fault(f)
					found, _ = hostile.Play(f, seed)
				})
				switch {
				case found == nil || also.MatchString(found.Fault):
				case want.MatchString(found.Fault):
					return
				default:
					t.Fatalf("found as something else: %v", found)
				}
			}
			t.Error("no walk finds it")
		})
	}
}

// faulty is a stage whose driver does something wrong.
type faulty struct {
	drivertest.Stage
	before  func(*drivertest.Input)
	after   func([]string) []string
	late    []string
	refuses string
}

func (f *faulty) Do(in drivertest.Input) error {
	if in.Verb == f.refuses {
		return errors.New("nothing called " + in.Rest + " comes")
	}
	if f.before != nil {
		f.before(&in)
	}
	return f.Stage.Do(in)
}

func (f *faulty) Calls() []string {
	lines := f.Stage.Calls()
	if f.after != nil {
		lines = f.after(lines)
	}
	return lines
}

func (f *faulty) End() []string { return append(f.Stage.End(), f.late...) }

// saveAtOnce lets saves come back at once, which nobody sees if they are hidden.
func (f *faulty) saveAtOnce(lines []string, hidden bool) (all []string) {
	for len(lines) > 0 {
		line := lines[0]
		if lines = lines[1:]; line == "save" {
			f.Stage.Do(drivertest.ReadInput("saved"))
			lines = append(lines, f.Stage.Calls()...)
			if hidden {
				continue
			}
		}
		all = append(all, line)
	}
	return all
}

// instead lets something happen in place of a line.
func (f *faulty) instead(lines []string, is func(string) bool, input string) []string {
	n := len(lines)
	if lines = slices.DeleteFunc(lines, is); len(lines) < n {
		f.Stage.Do(drivertest.ReadInput(input))
		lines = append(lines, f.Stage.Calls()...)
	}
	return lines
}

func changed(change func(string) string) func([]string) []string {
	return func(lines []string) []string {
		for i, line := range lines {
			lines[i] = change(line)
		}
		return lines
	}
}

func isFailed(code int) func(string) bool {
	return func(line string) bool {
		return strings.HasPrefix(line, drivertest.Line("failed", drivertest.Failed{Code: code})[:len(`failed {"code":16`)])
	}
}
