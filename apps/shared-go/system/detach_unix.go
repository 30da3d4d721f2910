//go:build unix

package system

import (
	"os/exec"
	"syscall"
)

// Detach has a command that is not started yet run in a session of its own.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
