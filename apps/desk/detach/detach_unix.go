//go:build unix

package detach

import (
	"os/exec"
	"syscall"
)

// Command has a command that is not started yet run in a session of its own.
func Command(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
