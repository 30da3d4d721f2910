//go:build unix

package main_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEarlierDialog asks in a terminal what a server waits for: the call cannot
// be parked, which is said before it matters.
func TestEarlierDialog(t *testing.T) {
	t.Parallel()
	const notice = "the desk waits for this answer, as servers before protocol 2026-07-28 do, so the call cannot be parked now. You can answer, decline or dismiss it; Ctrl-C leaves the call in doubt."
	for name, way := range earlierWays(t) {
		begin := func(t *testing.T, d diary, flags ...string) (*terminal, string) {
			dir := t.TempDir()
			args := append([]string{"greet", "--label", "the desk", "--state-dir", dir, "--server-log", "/dev/null"}, flags...)
			w := beginStdio(t, d, with(way, "call", args...)...)
			w.seesFlat("What is your name?", "enter next", notice)
			return w, dir
		}
		t.Run(name+"/answer", func(t *testing.T) {
			t.Parallel()
			w, dir := begin(t, newDiary(t))
			w.press("Ada", enter)
			w.sees("> Send", "Decline: tell the server no")
			if screen := w.look(); strings.Contains(screen, "Park") || strings.Contains(screen, "p park") {
				t.Errorf("offers to park:\n%s", screen)
			}
			w.press("p", enter)
			w.sees("What is your town?", "enter next")
			w.press("Oslo", enter)
			w.sees("> Send", "town: Oslo")
			w.press(enter)
			w.sees("Hello Ada of Oslo.")
			if screen := w.look(); strings.Count(screen, "waits for this answer") != 1 {
				t.Errorf("said more than once:\n%s", screen)
			}
			w.ends(0)
			checkEmpty(t, dir)
		})
		type step struct{ keys, sees string }
		for what, steps := range map[string][]step{"Ctrl-C": {{ctrlC, ""}}, "stop": {{escape, "> Continue answering"}, {up, "> Stop"}, {enter, ""}}} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				d := newDiary(t)
				w, dir := begin(t, d)
				for _, s := range steps {
					w.press(s.keys)
					w.sees(s.sees)
				}
				if what == "stop" {
					w.seesFlat("the desk had it by then: it may have done part of its work. Nothing is kept.")
					w.ends(4)
					checkEmpty(t, dir)
				} else {
					w.seesFlat("parley: interrupted while the desk had the call to the tool greet", "It is in doubt", "parked as "+stored(t, dir)[0])
					w.ends(6)
				}
				if name == "stdio" {
					d.check(t, "started", "canceled", "ended")
				}
			})
		}
		t.Run(name+"/signal", func(t *testing.T) {
			t.Parallel()
			w, dir := begin(t, newDiary(t))
			w.cmd.Process.Signal(syscall.SIGTERM)
			w.seesFlat("parley: interrupted", "It is in doubt", "parked as "+stored(t, dir)[0])
			w.ends(6)
		})
		t.Run(name+"/killed", func(t *testing.T) {
			t.Parallel()
			w, dir := begin(t, newDiary(t))
			w.cmd.Process.Kill()
			w.cmd.Wait()
			if list := run(t, "", "parked", "--state-dir", dir); !strings.HasSuffix(list.stdout, "tool greet  in doubt\n") {
				t.Errorf("parked: got %q", list.stdout)
			}
			id := stored(t, dir)[0]
			got := run(t, "", "resume", id, "--state-dir", dir, "--engine=native")
			got.check(t, 6, "")
			got.says(t, "it was in flight when the call stopped", "It is in doubt")
			got = run(t, "", "resume", id, "--resend", "--state-dir", dir, "--script", file(t, answersForGreet))
			got.check(t, 0, "Hello Ada of Oslo.\n")
			checkEmpty(t, dir)
		})
	}
}

// earlierWays are those of the two versions before the current one.
func earlierWays(t *testing.T) map[string][]string {
	all := map[string][]string{}
	for _, version := range []string{latest, middle} {
		for name, way := range ways(t, version) {
			all[version+"/"+name] = way
		}
	}
	return all
}

// TestSignInDialog opens a page that an earlier server needs before it serves
// the call: that call can be parked, and the server may say that it is done.
func TestSignInDialog(t *testing.T) {
	t.Parallel()
	t.Run("park", func(t *testing.T) {
		t.Parallel()
		url, dir := overHTTP(t, latest), t.TempDir()
		w := start(t, 100, 30, "call", url, "sign_in", "--state-dir", dir, "--browser", "true")
		w.sees("https://peer.example/sign-in", "> Open in the browser", "Park: keep everything")
		w.press("p")
		w.sees("→ parked", "parked as ")
		w.ends(5)
		w = start(t, 100, 30, "resume", stored(t, dir)[0], "--state-dir", dir, "--browser", "true")
		w.sees("> Open in the browser")
		w.press(enter)
		w.sees("→ opened in the browser", "Are you done on the page?", "> I am done")
		w.press(enter)
		w.sees("You are in.")
		w.ends(0)
		checkEmpty(t, dir)
	})
	for name, way := range ways(t, latest) {
		t.Run("told/"+name, func(t *testing.T) {
			t.Parallel()
			done := filepath.Join(t.TempDir(), "done")
			w := start(t, 100, 30, with(way, "call", "sign_in", "tells="+done, "--browser", "true", "--label", "the desk")...)
			w.sees("> Open in the browser")
			w.press(enter)
			w.sees("Are you done on the page?")
			touch(t, done)
			w.sees("→ closed: the desk does not wait for an answer any more", "You are in.")
			w.ends(0)
		})
	}
	t.Run("decline", func(t *testing.T) {
		t.Parallel()
		w := start(t, 100, 30, "call", overHTTP(t, latest), "sign_in", "--state-dir", t.TempDir())
		w.sees("> Open in the browser")
		w.press(down, down, enter)
		w.sees("→ declined", "did not agree to open a url")
		w.ends(3)
	})
}
