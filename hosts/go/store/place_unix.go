//go:build unix

package store

import (
	"errors"
	"os"
	"strings"
	"syscall"
)

// place names where a process id means something: this machine since it was
// started and, on Linux, this container.
func place() string {
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // elsewhere there is none, nor is it needed
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Join([]string{host, strings.TrimSpace(string(boot)), namespace}, " ")
}

// running reports whether there is a process with the id, as far as can be told.
func running(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
