package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// step is what a test.sh is called with.
type step string

const (
	setup step = "setup"
	run   step = "run"
)

// task is a part on its way through its steps.
type task struct {
	part
	step    step      // that it waits for or is busy with; the last one once it ended
	process *process  // of the step, nil if the task waits or ended
	began   time.Time // when the process was started
	logs    []string  // what each step said
	result  string    // how it ended, "" before
	failed  bool
}

// newTasks returns a task for each part, the longest first: none of those is left
// to run alone at the end.
func newTasks(parts []part) []*task {
	var tasks []*task
	for _, p := range parts {
		tasks = append(tasks, &task{part: p, step: setup})
	}
	slices.SortStableFunc(tasks, func(a, b *task) int { return cmp.Compare(b.seconds, a.seconds) })
	return tasks
}

// runner sets parts up and tests them.
type runner struct {
	root    string           // of the repository
	jobs    int              // how many are tested at once, and how many set up
	mustRun bool             // a part that is skipped has failed
	out     io.Writer        // progress and messages
	remind  <-chan time.Time // when to say what is running
	stop    <-chan os.Signal // asks to stop everything
	grace   time.Duration    // for which they may clean up after each signal
	began   time.Time
}

// play takes every task to its end. It fails only if it is stopped, and then no
// process is left.
func (r *runner) play(tasks []*task) error {
	r.began = time.Now()
	ended := make(chan *process, 2*r.jobs)
	for {
		r.begin(run, tasks, ended)
		r.begin(setup, tasks, ended)
		busy := slices.DeleteFunc(slices.Clone(tasks), func(t *task) bool { return t.process == nil })
		if len(busy) == 0 {
			return nil
		}
		select {
		case p := <-ended:
			r.end(busy[slices.IndexFunc(busy, func(t *task) bool { return t.process == p })])
		case <-r.remind:
			fmt.Fprintf(r.out, "-- after %s s: %s\n", seconds(time.Since(r.began)), r.progress(busy))
		case <-r.stop:
			stop(busy, r.grace)
			return errors.New("stopped, in the middle of " + r.progress(busy))
		}
	}
}

// begin starts a step for the tasks that wait for it, as long as there is room.
func (r *runner) begin(s step, tasks []*task, ended chan<- *process) {
	room := r.jobs
	for _, t := range tasks {
		if t.step == s && t.process != nil {
			room--
		}
	}
	for _, t := range tasks {
		if room == 0 || t.step != s || t.process != nil || t.result != "" {
			continue
		}
		room--
		t.began = time.Now()
		t.process = start(r.root, t.name, s, ended)
		if s == run {
			fmt.Fprintf(r.out, "-- %s, after %s s\n", t.name, seconds(t.began.Sub(r.began)))
		}
	}
}

// end notes how a task's process ended, and prints what it said.
func (r *runner) end(t *task) {
	p, took := t.process, time.Since(t.began)
	t.process = nil
	t.logs = append(t.logs, p.said())
	line := func(word string) string {
		return fmt.Sprintf("%-28s %s %7s s, %7s s of a processor", t.name, word, seconds(took), seconds(p.processor))
	}
	switch {
	case p.status == 0 && t.step == setup:
		t.step = run
		if took >= 2*time.Second {
			fmt.Fprintln(r.out, "==", line("is set up"))
		}
	case p.status == 0:
		t.result = line("PASS")
	case p.status == skipped:
		t.result, t.failed = line("SKIP"), r.mustRun
	default:
		t.result, t.failed = line("FAIL"), true
	}
	if t.result != "" {
		fmt.Fprintln(r.out, "==", t.result)
	}
	printLog(r.out, t.logs[len(t.logs)-1])
}

// progress says which tasks are busy, and since when.
func (r *runner) progress(busy []*task) string {
	var list []string
	for _, t := range busy {
		what := t.name
		if t.step == setup {
			what += " (set-up)"
		}
		list = append(list, what+" since "+seconds(t.began.Sub(r.began))+" s")
	}
	return strings.Join(list, ", ")
}
