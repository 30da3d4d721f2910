//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// SyncDir makes a rename in a directory outlast a power failure, where the file
// system offers it.
func SyncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
