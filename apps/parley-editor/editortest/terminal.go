//go:build unix

package editortest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Terminal is an editor that runs in a terminal of tmux, which is a program of
// its own and knows what every escape sequence does.
type Terminal struct {
	t      testing.TB
	socket string
}

const (
	width  = 110 // columns
	height = 40  // lines
)

// patience is how long something may take to show. It is no measure of
// anything: machines that test are busy.
const patience = 3 * time.Minute

// Start runs a command in a terminal.
func Start(t testing.TB, command ...string) *Terminal {
	t.Helper()
	Need(t, "tmux")
	dir, err := os.MkdirTemp("", "tmux-") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	w := &Terminal{t: t, socket: filepath.Join(dir, "s")}
	t.Cleanup(func() {
		w.tmux("kill-server")
		os.RemoveAll(dir)
	})
	args := []string{"-u", "-f", os.DevNull, "-S", w.socket, "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "exec env LC_ALL=C.UTF-8"}
	for _, word := range command {
		args[len(args)-1] += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	if out, err := exec.Command("tmux", args...).CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	return w
}

func (w *Terminal) tmux(args ...string) (string, error) {
	out, err := exec.Command("tmux", append([]string{"-u", "-S", w.socket}, args...)...).CombinedOutput()
	return string(out), err
}

// Screen is what stands on the screen, without what spaces end a line.
func (w *Terminal) Screen() string {
	out, _ := w.tmux("capture-pane", "-p")
	return out
}

// Sees waits until all the texts stand on the screen.
func (w *Terminal) Sees(texts ...string) {
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

// SeesFlat is Sees for texts that are too long for a line: it looks for them
// without line breaks, spaces and what borders and bars are drawn with.
func (w *Terminal) SeesFlat(texts ...string) {
	w.t.Helper()
	flat := strings.NewReplacer("\n", "", " ", "", "│", "", "┃", "", "~", "", "\\", "")
	w.wait(func(screen string) string {
		for _, text := range texts {
			if !strings.Contains(flat.Replace(screen), flat.Replace(text)) {
				return "the screen lacks " + text
			}
		}
		return ""
	})
}

// SawGo waits until a text is gone.
func (w *Terminal) SawGo(text string) {
	w.t.Helper()
	w.wait(func(screen string) string {
		if strings.Contains(screen, text) {
			return "the screen still has " + text
		}
		return ""
	})
}

func (w *Terminal) wait(missing func(screen string) string) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(30 * time.Millisecond) {
		screen := w.Screen()
		lack := missing(screen)
		if lack == "" {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%s:\n%s", lack, screen)
		}
	}
}

// Type types a text.
func (w *Terminal) Type(text string) { w.send("-l", "--", text) }

// Press presses keys, by their names in tmux: Enter, Tab, Escape, C-g, M-x.
func (w *Terminal) Press(keys ...string) { w.send(keys...) }

func (w *Terminal) send(keys ...string) {
	w.t.Helper()
	if out, err := w.tmux(append([]string{"send-keys"}, keys...)...); err != nil {
		w.t.Fatalf("tmux send-keys: %v\n%s\n%s", err, out, w.Screen())
	}
}

// Kill ends the editor as kill -9 does, and the terminal with it.
func (w *Terminal) Kill() {
	w.t.Helper()
	out, err := w.tmux("display-message", "-p", "#{pane_pid}")
	pid, numberErr := strconv.Atoi(strings.TrimSpace(out))
	if err != nil || numberErr != nil {
		w.t.Fatalf("the editor's process: %v %v\n%s", err, numberErr, out)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		w.t.Fatalf("killing the editor: %v", err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, err := w.tmux("has-session"); err != nil {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatal("the editor does not end")
		}
	}
}
