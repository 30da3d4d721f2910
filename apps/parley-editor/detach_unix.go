//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach has a command that is not started yet run in a session of its own.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
