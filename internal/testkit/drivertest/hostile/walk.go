package hostile

import (
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/internal/testkit/drivertest"
)

// Finding is a walk on which a driver did something wrong.
type Finding struct {
	Seed   uint64
	Fault  string // which of the properties, and how, without numbers of the walk
	Inputs []string
	Script string // the walk as a script of hosts/testdata/drivers
}

func (f *Finding) Error() string {
	return fmt.Sprintf("seed %d: %s\n%s", f.Seed, f.Fault, f.Script)
}

// walk is one session.
type walk struct {
	stage drivertest.Stage
	calls [2]*call
	done  []string // what happened
	text  strings.Builder
	fault string
}

func newWalk(stage drivertest.Stage) *walk {
	return &walk{stage: stage, calls: [2]*call{{}, {prefix: "other "}}}
}

// Play plays the walk of a seed on a stage, to the end of every call. It returns
// what was found, nil if nothing, and the whole of it as a script, which is the
// same for every driver.
func Play(stage drivertest.Stage, seed uint64) (found *Finding, script string) {
	w, r := newWalk(stage), newRandom(seed)
	ch := newChooser(r)
	for range 4 + r.below(36) {
		input := ch.next(w)
		if input == "" || !w.do(input) {
			break
		}
	}
	w.finish(r.one(2))
	return w.found(seed)
}

// Replay lets the same happen that happened on a walk, without what is not
// possible. Where something is left out, requests have other numbers.
func Replay(stage drivertest.Stage, inputs []string) (found *Finding, script string) {
	w := newWalk(stage)
	for _, input := range inputs {
		in := drivertest.ReadInput(input)
		if flying := w.of(in).flying(); number(in.Target) >= 0 && !w.possible(in) && len(flying) > 0 {
			in.Target = fmt.Sprint(flying[0].id)
		}
		if w.possible(in) && !w.do(in.String()) {
			break
		}
	}
	w.finish(false)
	return w.found(0)
}

func (w *walk) found(seed uint64) (*Finding, string) {
	if w.fault == "" && w.stage.Open() {
		w.fault = "ends: a call is open though it ended"
	}
	if late := w.stage.End(); len(late) > 0 && w.fault == "" {
		w.fault = "ends: something is called when nothing waits any more"
		fmt.Fprintf(&w.text, "\n# and when everything has returned:\n# %s\n", strings.Join(late, "\n# "))
	}
	script := w.text.String()
	if w.fault == "" {
		return nil, script
	}
	return &Finding{seed, w.fault, w.done, "# " + w.fault + "\n" + script}, script
}

// do lets something happen. It reports whether the walk goes on.
func (w *walk) do(input string) bool {
	w.done = append(w.done, input)
	lines := w.step(input)
	if len(lines) == 0 {
		lines = []string{"nothing"}
	}
	fmt.Fprintf(&w.text, "\n%s\n----\n%s\n", input, strings.Join(lines, "\n"))
	return w.fault == ""
}

// of is the call that an input is about.
func (w *walk) of(in drivertest.Input) *call {
	if in.Other || in.Verb == "until" && strings.HasPrefix(in.Rest, "other ") {
		return w.calls[1]
	}
	return w.calls[0]
}

// step lets one thing happen and judges what came of it. The lines are in the
// order of scripts, but those of the second call last: calls have no order.
func (w *walk) step(input string) (lines []string) {
	in := drivertest.ReadInput(input)
	acting := w.of(in)
	must := acting.happens(in)
	if err := w.stage.Do(in); err != nil {
		w.fault = "ends: " + err.Error()
		return nil
	}
	called := w.stage.Calls()
	for _, c := range w.calls {
		var own, whole []string
		for _, line := range called {
			if text, other := strings.CutPrefix(line, "other "); other == (c.prefix != "") {
				own, whole = append(own, text), append(whole, line)
			}
		}
		lines = append(lines, drivertest.Sorted(whole)...)
		expected := ""
		if c == acting {
			expected = must
		}
		if fault := c.judge(own, expected); fault != "" && w.fault == "" {
			w.fault = fault
		}
	}
	return lines
}

// finish ends every call: patiently, if the walk is not to end with a caller that
// gives up.
func (w *walk) finish(patient bool) {
	for _, c := range w.calls {
		for n := 0; patient && c.open && n < 8 && w.fault == ""; n++ {
			switch {
			case c.saving:
				w.do(c.prefix + "saved")
			case len(c.asked()) > 0:
				w.do(c.prefix + "refuse " + c.asked()[0].key + " not here")
			case len(c.flying()) > 0:
				w.do(fmt.Sprintf("%slost %d cut off", c.prefix, c.flying()[0].id))
			default:
				w.do(c.until())
			}
		}
		if c.open && w.fault == "" {
			w.do(c.prefix + "cancel enough")
		}
	}
}

// possible reports whether something can happen now.
func (w *walk) possible(in drivertest.Input) bool {
	c := w.of(in)
	l, q := c.legs[number(in.Target)], c.questions[in.Target]
	switch in.Verb {
	case "call":
		return !c.begun
	case "resume":
		if strings.Contains(in.Rest, `"from"`) {
			return !c.open && c.offered != nil
		}
		return !c.open && c.outcome != nil
	case "until":
		return c.until() == "until "+in.Rest || c.timesOut() && in.Rest == c.prefix+"failed"
	case "saved", "unsaved":
		return c.savers
	case "cancel":
		return c.begun
	case "park":
		return c.begun && !c.signaled
	case "response", "lost", "unsent", "progress":
		return l != nil && l.waiting
	case "minds":
		return l != nil && l.waiting && !l.over && !l.minds || q != nil && q.waiting && !q.over && !q.minds
	case "panic":
		return in.Target == "save" && c.savers || l != nil && l.waiting || q != nil && q.waiting
	}
	return q != nil && q.waiting
}
