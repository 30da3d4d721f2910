//go:build unix

package seal

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another, which it will replace: an
// administrator who rotates a server's keys must not take them away from it.
func keepOwner(name string, of fs.FileInfo) error {
	owner, ok := of.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == os.Geteuid() {
		return nil
	}
	return os.Chown(name, int(owner.Uid), int(owner.Gid))
}
