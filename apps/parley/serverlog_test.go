//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServerLog shows what a server logs without tearing a dialog, or keeps it
// in a file.
func TestServerLog(t *testing.T) {
	t.Parallel()
	w := start(t, 100, 40, with(stdio("stories"), "call", "get_weather", "location=Oslo", "--label", "the desk")...)
	w.sees("the desk │ serving stories", "Which units should the weather in Oslo be in?", "> Metric")
	w.press(enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("Oslo: 18 °C")
	w.ends(0)

	// What comes while a question is on the screen waits, and there is an end
	// to how much.
	w = start(t, 60, 230, with(stdio(latest), "call", "greet", "chatty=yes", "--label", "the desk")...)
	w.sees("What is your name?", "enter next")
	time.Sleep(800 * time.Millisecond)
	if screen := w.look(); strings.Contains(screen, "line 0") {
		t.Errorf("the log is in the question:\n%s", screen)
	}
	w.press("Ada", enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("name: Ada", "\nthe desk │ line 0\n", "\nthe desk │ line 199\n(100 more lines were not kept)\n", "What is your town?", "enter next")
	w.press(ctrlC)
	w.ends(130)

	name := filepath.Join(t.TempDir(), "server.log")
	for range 2 {
		got := run(t, "", with(stdio(latest), "prompt", "hello", "--server-log", name)...)
		got.check(t, 0, "user:\nHello.\n")
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

	got = run(t, "", with(stdio(current), "call", "work", "--log-level", "info", "--trace")...)
	got.check(t, 0, "done\n")
	got.says(t, "│ warning (db): look out␛[2J\n")
	got.says(t, "← leg 1  progress  halfway, 3 of 10\n")
	got = run(t, "", with(stdio(current), "call", "work")...)
	got.check(t, 0, "done\n")
	if strings.Contains(got.stderr, "look out") {
		t.Errorf("logs what was not asked for: %s", got.stderr)
	}
	w = start(t, 100, 40, with(stdio(latest), "call", "work", "--label", "the desk")...)
	w.sees("the desk: halfway, 3 of 10 … ")
	w.ends(0)
}
