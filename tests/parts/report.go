package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// seconds of a time have one decimal place.
func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

// printLog indents a log, without its lines about packages that have no tests.
func printLog(w io.Writer, log string) {
	for _, line := range lines(log) {
		if !strings.Contains(line, "[no test files]") {
			fmt.Fprintln(w, "   "+line)
		}
	}
}

// report ends with what the parts said last that did not pass: a long log is read
// from its end.
func report(w io.Writer, tasks []*task, took time.Duration, jobs int) {
	var results []string
	for _, t := range tasks {
		results = append(results, t.result)
	}
	slices.Sort(results)
	fmt.Fprintf(w, "\n%s\n", strings.Join(results, "\n"))
	fmt.Fprintf(w, "%d parts, set up and tested in %s s, %d at a time\n", len(tasks), seconds(took), jobs)
	for _, t := range tasks {
		for _, log := range t.logs {
			if t.failed && log != "" {
				fmt.Fprintf(w, "\n== %s did not pass, and said last\n%s", t.name, tail(log))
			}
		}
	}
}

// tail is a log's last 30 lines, cut to 300 bytes, without packages that passed.
func tail(log string) string {
	kept := slices.DeleteFunc(lines(log), func(line string) bool { return strings.HasPrefix(line, "ok ") })
	var b strings.Builder
	for _, line := range kept[max(0, len(kept)-30):] {
		b.WriteString(line[:min(300, len(line))] + "\n")
	}
	return b.String()
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// failures are the names of the parts that did not pass.
func failures(tasks []*task) []string {
	var failed []string
	for _, t := range tasks {
		if t.failed {
			failed = append(failed, t.name)
		}
	}
	return failed
}
