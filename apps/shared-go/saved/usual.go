package saved

import (
	"os"
	"path/filepath"
	"runtime"
)

// UsualDir is where programs keep calls and accounts unless they are told
// another place. It follows the XDG Base Directory Specification, which wants
// absolute paths.
func UsualDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "parley"), nil
	}
	if runtime.GOOS == "windows" {
		dir, err := os.UserCacheDir() // %LocalAppData%
		return filepath.Join(dir, "parley"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "parley"), err
}
