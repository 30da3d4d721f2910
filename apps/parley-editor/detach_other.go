//go:build !unix

package main

import "os/exec"

// detach does nothing here.
func detach(*exec.Cmd) {}
