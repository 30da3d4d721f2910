package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// play runs all parts of a folder, and returns them and what was printed, with
// every time replaced by "T".
func play(t *testing.T, r *runner, scripts map[string]string) (tasks []*task, out string) {
	t.Helper()
	var printed strings.Builder
	r.root, r.out = write(t, scripts), &printed
	tasks = newTasks(findIn(t, r.root))
	if err := r.play(tasks); err != nil {
		t.Fatal(err)
	}
	return tasks, untimed(printed.String())
}

var aTime = regexp.MustCompile(` *\d+\.\d s`)

func untimed(text string) string { return aTime.ReplaceAllString(text, " T") }

// TestResults has parts that end in every way.
func TestResults(t *testing.T) {
	tests := map[string]struct {
		script  string
		mustRun bool
		want    string // printed
		failed  bool
	}{
		"passes":       {script: `echo $1`, want: "   setup\n-- a, after T\n== a PASS T, T of a processor\n   run\n"},
		"fails":        {script: `[ $1 = setup ] || { echo bad >&2; exit 3; }`, want: "-- a, after T\n== a FAIL T, T of a processor\n   bad\n", failed: true},
		"set-up fails": {script: `echo $1; exit 1`, want: "== a FAIL T, T of a processor\n   setup\n", failed: true},
		"set-up skips": {script: `echo no gcc; exit 77`, want: "== a SKIP T, T of a processor\n   no gcc\n"},
		"skips":        {script: `[ $1 = setup ] || exit 77`, want: "-- a, after T\n== a SKIP T, T of a processor\n"},
		"skips in CI":  {script: `exit 77`, mustRun: true, want: "== a SKIP T, T of a processor\n", failed: true},
		"is killed":    {script: `kill -9 $$`, want: "== a FAIL T, T of a processor\n", failed: true},
		"packages":     {script: `[ $1 = setup ] || printf 'ok p\n? q [no test files]\n\nend'`, want: "-- a, after T\n== a PASS T, T of a processor\n   ok p\n   \n   end\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tasks, out := play(t, &runner{jobs: 1, mustRun: tt.mustRun}, map[string]string{"a": tt.script})
			if out = regexp.MustCompile(`a {9,}`).ReplaceAllString(out, "a "); out != tt.want {
				t.Errorf("printed:\n%s\nwant:\n%s", out, tt.want)
			}
			if tasks[0].failed != tt.failed {
				t.Errorf("failed is %v, want %v", tasks[0].failed, tt.failed)
			}
		})
	}
}

// TestNotStarted has a test.sh that is no program.
func TestNotStarted(t *testing.T) {
	var out strings.Builder
	r := &runner{root: write(t, map[string]string{"a": ""}), jobs: 1, out: &out}
	os.Chmod(filepath.Join(r.root, "a/test.sh"), 0o644)
	tasks := newTasks(findIn(t, r.root))
	if err := r.play(tasks); err != nil || !tasks[0].failed || !strings.Contains(out.String(), "permission denied") {
		t.Errorf("got %v, and printed:\n%s", err, &out)
	}
}

// TestOrder has the longest go first, one at a time.
func TestOrder(t *testing.T) {
	_, out := play(t, &runner{jobs: 1}, map[string]string{
		"a": "# seconds: 5\n", "b": "# seconds: 300\n", "c": "", "d": "# seconds: 300\nexit 77\n",
	})
	var got []string
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "-- ") {
			got = append(got, line)
		}
	}
	want := []string{"-- b, after T", "-- c, after T", "-- a, after T"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSideBySide has parts that end only if as many steps as may run at once do:
// two tests, while two others are set up. Each meets another in a pipe.
func TestSideBySide(t *testing.T) {
	const meet = `pipe() { [ -p ../$1 ] || mkfifo ../$1 2>/dev/null || :; }
	send() { pipe $1; echo >../$1; }
	wait_for() { pipe $1; read -r _ <../$1; }
`
	tasks, out := play(t, &runner{jobs: 2}, map[string]string{
		"a": "# seconds: 4\ncd a\n" + meet + "[ $1 = setup ] || { send ab; send ac; }",
		"b": "# seconds: 3\ncd b\n" + meet + "[ $1 = setup ] || { wait_for ab; send bd; }",
		"c": "# seconds: 2\ncd c\n" + meet + "[ $1 = run ] || { wait_for ac; send cd; }",
		"d": "# seconds: 1\ncd d\n" + meet + "[ $1 = run ] || { wait_for cd; wait_for bd; }",
	})
	if failed := failures(tasks); len(failed) > 0 {
		t.Errorf("%v failed:\n%s", failed, out)
	}
}

// TestReminder says what is running, while two parts wait.
func TestReminder(t *testing.T) {
	remind := make(chan time.Time)
	read, write := io.Pipe()
	r := &runner{jobs: 1, out: write, remind: remind, root: writeWithPipe(t, map[string]string{
		"a": "# seconds: 20\n[ $1 = setup ] || read -r _ <pipe",
		"b": "[ $1 = run ] || read -r _ <pipe",
	})}
	pipe, err := os.OpenFile(filepath.Join(r.root, "pipe"), os.O_RDWR, 0) // both ends: it waits for no reader
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	done := make(chan error, 1)
	go func() {
		done <- r.play(newTasks(findIn(t, r.root)))
		write.Close()
	}()
	var reminder string
	for lines := bufio.NewScanner(read); lines.Scan(); {
		switch line := untimed(lines.Text()); {
		case line == "-- a, after T":
			go func() { remind <- time.Time{} }()
		case strings.HasPrefix(line, "-- after"):
			reminder = line
			pipe.WriteString("\n\n")
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if want := "-- after T: a since T, b (set-up) since T"; reminder != want {
		t.Errorf("got %q, want %q", reminder, want)
	}
}

// TestBackground does not wait for what a part leaves in the background.
func TestBackground(t *testing.T) {
	r := &runner{jobs: 1, out: io.Discard, root: writeWithPipe(t, map[string]string{"a": "[ $1 = setup ] || read -r _ <pipe &"})}
	if err := r.play(newTasks(findIn(t, r.root))); err != nil {
		t.Error(err)
	}
	pipe, err := os.OpenFile(filepath.Join(r.root, "pipe"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	pipe.WriteString("\n")
}

// TestStop leaves no process of a part behind, not in the background either.
func TestStop(t *testing.T) {
	tests := map[string]struct {
		trap  string
		grace time.Duration
		want  string // written when the part is stopped
	}{
		"cleans up":        {"trap 'kill $!; echo cleaned up >&3; exit' INT", 20 * time.Second, "cleaned up\n"},
		"ignores a signal": {"trap '' TERM", 0, ""},
		"ignores each":     {"trap '' INT TERM", 0, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			stop := make(chan os.Signal)
			r := &runner{jobs: 1, out: io.Discard, stop: stop, grace: tt.grace}
			r.root = writeWithPipe(t, map[string]string{
				"a": "exec 3>pipe\n" + tt.trap + "\nsh -c 'echo started >&3; exec sleep 1000' &\nwait",
			})
			done := make(chan error)
			go func() { done <- r.play(newTasks(findIn(t, r.root))) }()
			pipe, err := os.Open(filepath.Join(r.root, "pipe"))
			if err != nil {
				t.Fatal(err)
			}
			defer pipe.Close()
			said := bufio.NewReader(pipe)
			if _, err := said.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			stop <- os.Interrupt
			if err := <-done; err == nil || untimed(err.Error()) != "stopped, in the middle of a (set-up) since T" {
				t.Errorf("got %v", err)
			}
			// All processes have the pipe open, so it ends with the last one.
			if rest, _ := io.ReadAll(said); string(rest) != tt.want {
				t.Errorf("the part wrote %q when it was stopped, want %q", rest, tt.want)
			}
		})
	}
}

// writeWithPipe makes fake parts, and a pipe between them and the test.
func writeWithPipe(t *testing.T, scripts map[string]string) string {
	root := write(t, scripts)
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}
