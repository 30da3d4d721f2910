//go:build !unix

package system

import "os/exec"

// Detach does nothing here.
func Detach(*exec.Cmd) {}
