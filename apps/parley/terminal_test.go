//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// The keys that have no character.
const (
	enter    = "\r"
	escape   = "\x1b"
	up       = "\x1b[A"
	down     = "\x1b[B"
	shiftTab = "\x1b[Z"
	pageUp   = "\x1b[5~"
	pageDown = "\x1b[6~"
	home     = "\x1b[H"
	end      = "\x1b[F"
	ctrlC    = "\x03"
	erase    = "\x7f"
)

// patience is how long something may take. It is no measure of anything:
// machines that test are busy.
const patience = 2 * time.Minute

// terminal is a person at a terminal in which the program runs.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	pty    *os.File
	mu     sync.Mutex
	screen *screen
	raw    strings.Builder // all that the program wrote
}

func start(t *testing.T, width, height int, args ...string) *terminal {
	t.Helper()
	return startWith(t, width, height, func(*terminal) {}, args...)
}

func startWith(t *testing.T, width, height int, prepare func(*terminal), args ...string) *terminal {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	pty.Setsize(master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
	w := &terminal{t: t, pty: master, screen: newScreen(width, height), cmd: exec.Command(program, args...)}
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = slave, slave, slave
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	w.cmd.Env = append(environ(), "TERM=xterm-256color")
	prepare(w)
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go w.read()
	t.Cleanup(func() {
		w.cmd.Process.Kill()
		slave.Close()
		master.Close()
	})
	return w
}

// environ is the environment without what decides about colours.
func environ() []string {
	var kept []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "TERM", "COLORTERM", "TERM_PROGRAM", "TMUX", "STY", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "SSH_TTY":
		default:
			kept = append(kept, v)
		}
	}
	return kept
}

func (w *terminal) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := w.pty.Read(buffer)
		if err != nil {
			return
		}
		w.mu.Lock()
		w.screen.Write(buffer[:n])
		w.raw.Write(buffer[:n])
		w.mu.Unlock()
	}
}

func (w *terminal) look() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.screen.String()
}

// sees waits until all the texts stand on the screen.
func (w *terminal) sees(texts ...string) {
	w.t.Helper()
	w.wait(func(screen string) string {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return "the screen lacks " + text
			}
		}
		return ""
	})
}

// seesFlat is sees for texts too long for a line: it looks for them without
// spaces, line breaks and the bars at the start of a line.
func (w *terminal) seesFlat(texts ...string) {
	w.t.Helper()
	flat := strings.NewReplacer("\n", "", " ", "", "│", "", "┃", "")
	w.wait(func(screen string) string {
		for _, text := range texts {
			if !strings.Contains(flat.Replace(screen), flat.Replace(text)) {
				return "the screen lacks " + text
			}
		}
		return ""
	})
}

// sawGo waits until a text is gone.
func (w *terminal) sawGo(text string) {
	w.t.Helper()
	w.wait(func(screen string) string {
		if strings.Contains(screen, text) {
			return "the screen still has " + text
		}
		return ""
	})
}

func (w *terminal) wait(missing func(screen string) string) {
	w.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		screen := w.look()
		lack := missing(screen)
		if lack == "" {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%s:\n%s", lack, screen)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// drew waits until a text has been on the screen, even if it is gone: a line
// that shows for a while only.
func (w *terminal) drew(text string) {
	w.t.Helper()
	w.wait(func(string) string {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !strings.Contains(w.raw.String(), text) {
			return "the screen never had " + text
		}
		return ""
	})
}

// press types keys, after a moment to read: what is typed sooner does not
// count.
func (w *terminal) press(keys ...string) {
	w.t.Helper()
	time.Sleep(120 * time.Millisecond)
	for _, key := range keys {
		if _, err := w.pty.Write([]byte(key)); err != nil {
			w.t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// ends waits for the program and checks that it left the terminal as it was.
func (w *terminal) ends(code int) {
	w.t.Helper()
	over := make(chan struct{})
	go func() { w.cmd.Wait(); close(over) }()
	select {
	case <-over:
	case <-time.After(patience):
		w.t.Fatalf("the program does not end:\n%s", w.look())
	}
	if got := w.cmd.ProcessState.ExitCode(); got != code {
		w.t.Errorf("exit: got %d, want %d\n%s", got, code, w.look())
	}
	// A terminal that is as it was shows what is typed.
	w.pty.Write([]byte("echo?"))
	w.sees("echo?")
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.screen.hiddenCursor || w.screen.bracketed {
		w.t.Errorf("left behind: hidden cursor %v, bracketed paste %v", w.screen.hiddenCursor, w.screen.bracketed)
	}
	if len(w.screen.unknown) > 0 {
		w.t.Errorf("sequences this terminal does not know: %s", w.screen.unknown)
	}
}
