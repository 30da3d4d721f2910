//go:build unix

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// place names where a process id means something: this machine since it was
// started and, on Linux, this container. It fails where that can be told at
// another time.
func place() (string, error) {
	host, _ := os.Hostname()
	boot, err := boot()
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Join([]string{host, boot, namespace}, " "), err
}

// boot names the time since this machine was started. Elsewhere than on Linux it
// has no name, nor is one needed.
func boot() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "", err
	}
	return strings.TrimSpace(string(id)), nil
}

// running reports whether there is a process with the id, as far as can be told.
func running(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// noSpace reports whether an error says that the disk, or a quota of it, is full.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ours reports why a directory is no place for calls: somebody else could put
// files there, or take them away.
func ours(dir string, info fs.FileInfo) error {
	owner, ok := info.Sys().(*syscall.Stat_t)
	switch me := os.Geteuid(); {
	case ok && int(owner.Uid) != me && owner.Uid != 0:
		return fmt.Errorf("store: %s belongs to another user (uid %d, and this is %d), who could forge or remove calls: use a directory of your own", dir, owner.Uid, me)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("store: %s can be written by others (mode %04o), who could forge or remove calls: run  chmod go-w %s", dir, info.Mode().Perm(), dir)
	}
	return nil
}
