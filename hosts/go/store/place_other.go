//go:build !unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// place names where a process id means something.
func place() (string, error) {
	host, _ := os.Hostname()
	return host, nil
}

// boot names the time since this machine was started, which has no name here.
func boot() (string, error) { return "", nil }

// running cannot be told here: a lease lasts until it expires.
func running(int) bool { return true }

// noSpace reports whether an error says that the disk is full: the two codes
// that Windows has for it.
func noSpace(err error) bool {
	var code syscall.Errno
	return errors.As(err, &code) && (code == 39 || code == 112)
}

// ours cannot be told here: permissions are access lists.
func ours(string, fs.FileInfo) error { return nil }
