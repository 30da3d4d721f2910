package seal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/internal/durable"
)

// LoadKeyFile reads a key file (see [codec.ParseKeyRing]), with the conditions
// of [ReadKeyFile].
func LoadKeyFile(name string) (*codec.KeyRing, error) {
	text, err := ReadKeyFile(name)
	if err != nil {
		return nil, err
	}
	defer clear(text)
	ring, err := codec.ParseKeyRing(text)
	if err != nil {
		return nil, fmt.Errorf("seal: %s: %w", name, err)
	}
	return ring, nil
}

// ReadKeyFile reads the text of a key file, for package sandbox. It is a
// secret; wipe it. It fails for a file that anybody but its owner may read or
// write, if the system can tell, and for one of more than [codec.MaxKeyFile]
// bytes. A pipe will do.
func ReadKeyFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("seal: opening the key file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("seal: opening the key file: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("seal: the key file %s can be used by others (mode %04o): run  chmod 600 %s", name, info.Mode().Perm(), name)
	}
	text := make([]byte, codec.MaxKeyFile+1) // at once: a buffer that grows leaves keys behind
	n, err := io.ReadFull(f, text)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return text[:n], nil
	case err == nil:
		err = fmt.Errorf("it has more than %d bytes", codec.MaxKeyFile)
	}
	clear(text)
	return nil, fmt.Errorf("seal: reading the key file %s: %w", name, err)
}

// WriteKeyFile replaces a key file, or makes it: all of it or nothing, and
// readable by its owner only (0600). A file that is replaced keeps its owner,
// and a symbolic link to it stays. It fails for a text that is no key file.
func WriteKeyFile(name string, text []byte) error {
	return placeKeyFile(name, text, func(temp, name string) error {
		if info, err := os.Stat(name); err == nil {
			if err := keepOwner(temp, info); err != nil {
				return err
			}
		}
		return os.Rename(temp, name)
	})
}

// CreateKeyFile is [WriteKeyFile] where there is no such file yet, and fails
// with [fs.ErrExist] where there is one: if several processes race, one wins
// and the others find its whole file.
func CreateKeyFile(name string, text []byte) error {
	return placeKeyFile(name, text, func(temp, name string) error {
		err := os.Link(temp, name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return errors.Join(err, os.Remove(temp))
		}
		// There are no links on this file system.
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return errors.Join(err, os.Remove(temp))
		}
		return errors.Join(f.Close(), os.Rename(temp, name))
	})
}

// placeKeyFile writes a temporary file beside name, for place to move.
func placeKeyFile(name string, text []byte, place func(temp, name string) error) error {
	if _, err := codec.ParseKeyRing(text); err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".parley-key-*") // 0600
	if err != nil {
		return fmt.Errorf("seal: writing the key file: %w", err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = place(f.Name(), name)
	}
	if err == nil {
		err = durable.SyncDir(filepath.Dir(name))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("seal: writing the key file %s: %w", name, err)
	}
	return nil
}

// UpdateKeyFile replaces a key file with what edit makes of it, in one step
// that no other UpdateKeyFile can interrupt. While it runs there is a file
// NAME.lock; if a process dies in the middle, that file stays, and the error
// says so. What edit is given and returns is wiped.
func UpdateKeyFile(name string, edit func(text []byte) ([]byte, error)) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	lock := name + ".lock"
	f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("seal: somebody else is changing the key file %s: if nobody is, remove %s", name, lock)
	case err != nil:
		return fmt.Errorf("seal: changing the key file: %w", err)
	}
	defer os.Remove(lock)
	if err := f.Close(); err != nil {
		return fmt.Errorf("seal: changing the key file: %w", err)
	}
	text, err := ReadKeyFile(name)
	if err != nil {
		return err
	}
	defer clear(text)
	changed, err := edit(text)
	if err != nil {
		return err
	}
	defer clear(changed)
	return WriteKeyFile(name, changed)
}
