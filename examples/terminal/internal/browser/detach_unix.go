//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// detach keeps the terminal's Ctrl-C and end from reaching the command.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
