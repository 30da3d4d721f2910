//go:build unix

package console

import (
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// muteKeys keeps the terminal from showing what is typed, so that it does not
// get between the lines, and returns what undoes it. A program in the
// background must not do that: it would be stopped.
func muteKeys(terminal uintptr) (undo func()) {
	nothing := func() {}
	if group, err := unix.IoctlGetInt(int(terminal), unix.TIOCGPGRP); err != nil || group != unix.Getpgrp() {
		return nothing
	}
	before, err := term.GetState(terminal)
	if err != nil {
		return nothing
	}
	muted := *before
	muted.Lflag &^= unix.ECHO
	if term.SetState(terminal, &muted) != nil {
		return nothing
	}
	return func() { term.SetState(terminal, before) }
}
