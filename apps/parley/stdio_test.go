//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// diary is what servers over stdio write down.
type diary string

func newDiary(t *testing.T) diary { return diary(filepath.Join(t.TempDir(), "notes")) }

func (d diary) env() string { return "PARLEY_TEST_NOTES=" + string(d) }

// lines are the notes, each with the process it is of.
func (d diary) lines() (notes []string, processes []int) {
	text, _ := os.ReadFile(string(d))
	for line := range strings.Lines(string(text)) {
		note, process, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.Atoi(process)
		notes, processes = append(notes, note), append(processes, n)
	}
	return notes, processes
}

// check checks what was written down, and that nothing of it runs any more.
func (d diary) check(t *testing.T, want ...string) {
	t.Helper()
	notes, processes := d.lines()
	if strings.Join(notes, " ") != strings.Join(want, " ") {
		t.Errorf("notes: got %q, want %q", notes, want)
	}
	for _, p := range processes {
		if err := syscall.Kill(p, 0); err != syscall.ESRCH {
			t.Errorf("process %d is still there: %v", p, err)
		}
	}
}

// wait waits for a note.
func (d diary) wait(t *testing.T, want string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if notes, _ := d.lines(); len(notes) > 0 && notes[len(notes)-1] == want {
			return
		}
		if time.Now().After(deadline) {
			notes, _ := d.lines()
			t.Fatalf("notes: got %q, want %q at last", notes, want)
		}
	}
}

// touch makes a file that a server waits for.
func touch(t *testing.T, name string) {
	t.Helper()
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func beginStdio(t *testing.T, d diary, args ...string) *terminal {
	t.Helper()
	return startWith(t, 100, 30, func(w *terminal) { w.cmd.Env = append(w.cmd.Env, d.env()) }, args...)
}

// TestStdioShutdown ends servers in every way: each is told to end, and none
// is left behind.
func TestStdioShutdown(t *testing.T) {
	t.Parallel()
	t.Run("result", func(t *testing.T) {
		t.Parallel()
		d := newDiary(t)
		w := beginStdio(t, d, with(stdio(latest), "prompt", "hello")...)
		w.sees("Hello.", "serving 2025-11-25")
		w.ends(0)
		d.check(t, "started", "ended")
	})
	t.Run("Ctrl-C", func(t *testing.T) {
		t.Parallel()
		for _, version := range []string{current, latest} {
			d := newDiary(t)
			w := beginStdio(t, d, with(stdio(version), "call", "wait", "--label", "the desk")...)
			w.sees("waiting for the desk")
			d.wait(t, "called")
			w.press(ctrlC)
			w.sees("parley: interrupted while the desk had the call to the tool wait", "It is in doubt", "parked as ")
			w.ends(6)
			d.check(t, "started", "called", "canceled", "ended")
		}
	})
	t.Run("looking", func(t *testing.T) {
		t.Parallel()
		for _, command := range []string{"discover", "tools"} {
			w := start(t, 80, 24, command, slowServer(t), "--label", "the desk")
			w.sees("waiting for the desk … ")
			w.press(ctrlC)
			w.sees("parley: interrupted")
			w.ends(130)
		}
		got := run(t, "", "tools", slowServer(t), "--timeout", "100ms", "--engine=native")
		got.check(t, 3, "")
		got.says(t, "within 100ms (--timeout)")
	})
	t.Run("deaf", func(t *testing.T) {
		t.Parallel()
		d := newDiary(t)
		w := beginStdio(t, d, with(stdio("deaf"), "call", "wait", "--label", "the desk")...)
		w.sees("waiting for the desk")
		w.press(ctrlC)
		w.drew("ending the desk")
		w.sees("parley: interrupted")
		w.ends(6)
		_, processes := d.lines()
		if err := syscall.Kill(processes[0], 0); err != syscall.ESRCH {
			t.Errorf("the server is still there: %v", err)
		}
	})
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		d := newDiary(t)
		w := beginStdio(t, d, with(stdio(current), "call", "greet", "--state-dir", t.TempDir())...)
		w.sees("What is your name?", "enter next")
		w.cmd.Process.Kill()
		w.cmd.Wait()
		d.wait(t, "ended") // its input ended
	})
	t.Run("dies", func(t *testing.T) {
		t.Parallel()
		got := run(t, "", with(stdio(current), "call", "die", "--label", "the desk", "--engine=native")...)
		got.check(t, 6, "")
		got.says(t, "the desk │ serving 2026-07-28", "parley: no answer from the desk: ", "the server's process ended: exit status 3\n", "It is in doubt")
	})
}

// TestStdioParked parks a call to a command and goes on with it, from another
// directory: another process of the same command takes it.
func TestStdioParked(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "server.key")
	run(t, "", "token", "new-key", keys).check(t, 0, "")
	t.Setenv("PARLEY_TEST_KEYS", keys)
	for _, engine := range []string{"wasm", "native"} {
		d, dir := newDiary(t), t.TempDir()
		t.Setenv("PARLEY_TEST_NOTES", string(d))
		got := run(t, "", with(stdio("stories"), "call", "update_work_item", "id:=7", "state=Resolved", "--state-dir", dir, "--label", "the desk", "--engine", engine,
			"--script", file(t, `{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Duplicate"}}]}`))...)
		got.check(t, 3, "")
		got.says(t, "the desk │ serving stories") // whenever it comes
		got.says(t, `no answer left for the question "duplicate"`, "parked as ")
		id := stored(t, dir)[0]
		list := run(t, "", "parked", "--state-dir", dir)
		if m := listed.FindStringSubmatch(list.stdout); m == nil || m[1] != id {
			t.Errorf("parked: got %q", list.stdout)
		}
		t.Chdir(t.TempDir())
		got = run(t, "", "resume", id, "--state-dir", dir, "--engine", engine, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
		got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
		got.says(t, "going on with the tool update_work_item for the desk")
		checkEmpty(t, dir)
		d.check(t, "started", "ended", "started", "ended")
	}
}

// TestStdioRelative goes on with a call to a command whose name says where it
// is from where the call was made.
func TestStdioRelative(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "my-server")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	got := run(t, "", "call", "greet", "--state-dir", state, "--script", file(t, `{}`), "--", "./my-server", "serve", current)
	got.check(t, 3, "")
	got.says(t, "my-server asks", "parked as ")
	t.Chdir(t.TempDir())
	got = run(t, "", "resume", stored(t, state)[0], "--state-dir", state, "--script", file(t, answersForGreet))
	got.check(t, 0, "Hello Ada of Oslo.\n")
}
