//go:build unix

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServerLog shows what a server logs without tearing a dialog, or keeps it
// in a file.
func TestServerLog(t *testing.T) {
	t.Parallel()
	w := start(t, 100, 40, with(stdio("stories"), "call", "get_weather", "location=Oslo", "--label", "the desk")...)
	w.sees("Which units should the weather in Oslo be in?", "> Metric")
	w.press(enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("Oslo: 18 °C", "the desk │ serving stories")
	w.ends(0)

	// What comes while a question is on the screen waits until it is answered.
	d, asked := newDiary(t), filepath.Join(t.TempDir(), "asked")
	w = startWith(t, 60, 230, func(w *terminal) { w.cmd.Env = append(w.cmd.Env, d.env()) },
		with(stdio(latest), "call", "greet", "chatty="+asked, "--label", "the desk")...)
	w.sees("What is your name?", "enter next")
	touch(t, asked)
	d.wait(t, "chatted")
	w.press("Ada", enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("name: Ada", "What is your town?", "enter next")
	w.press(ctrlC)
	w.sees("\nthe desk │ line 99\n")
	w.ends(6)
	_, rest, _ := strings.Cut(w.look(), "name: Ada")
	for n := range 100 {
		_, after, ok := strings.Cut(rest, fmt.Sprintf("\nthe desk │ line %d\n", n))
		if !ok {
			t.Fatalf("line %d is not where it belongs:\n%s", n, w.look())
		}
		rest = "\n" + after
	}

	name := filepath.Join(t.TempDir(), "server.log")
	for range 2 {
		got := run(t, "", with(stdio(latest), "prompt", "hello", "--server-log", name)...)
		got.check(t, 0, "Hello.")
		if strings.Contains(got.stderr, "serving") {
			t.Errorf("the log shows: %s", got.stderr)
		}
	}
	text, err := os.ReadFile(name)
	info, _ := os.Stat(name)
	if err != nil || string(text) != "serving 2025-11-25\nserving 2025-11-25\n" || info.Mode().Perm() != 0o600 {
		t.Errorf("log: got %v, %v, %q", err, info.Mode(), text)
	}
	got := run(t, "", with(stdio(latest), "prompt", "hello", "--server-log", t.TempDir())...)
	got.check(t, 2, "")
	got.says(t, "--server-log: ")

	for _, version := range []string{current, latest, middle} {
		got = run(t, "", with(stdio(version), "call", "work", "--log-level", "info", "--trace")...)
		got.check(t, 0, "done\n")
		got.says(t, "│ warning (db): look out␛[2J\n")
		got.says(t, "← leg 1  progress  halfway, 3 of 10\n")
		got = run(t, "", with(stdio(version), "call", "work")...)
		got.check(t, 0, "done\n")
		if strings.Contains(got.stderr, "look out") {
			t.Errorf("%s: logs what was not asked for: %s", version, got.stderr)
		}
	}
	seen := filepath.Join(t.TempDir(), "seen")
	w = start(t, 100, 40, with(stdio(latest), "call", "work", "until="+seen, "--label", "the desk")...)
	w.sees("the desk: halfway, 3 of 10 … ")
	touch(t, seen)
	w.ends(0)
}
