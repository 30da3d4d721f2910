package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Box seals what a store keeps: [github.com/parley-mcp/parley/codec.Box], or
// [github.com/parley-mcp/parley/hosts/go/seal.KeyFileBox].
type Box interface {
	SealBytes(plaintext, context []byte) ([]byte, error)
	OpenBytes(box, context []byte) ([]byte, error)
}

// Files is a [Store] in a directory: a sealed file for each account, which only
// its owner may read (0600), named by a hash. Several processes may share it.
type Files struct {
	Dir string // made if it is not there
	Box Box
}

const (
	sealedSuffix = ".account"
	lockSuffix   = ".lock"
	maxFile      = 1 << 20               // bytes
	lockPause    = 20 * time.Millisecond // between tries: other processes cannot be listened to
)

// sealed is what is in a file.
type sealed struct {
	Key   string `json:"key"`
	Value []byte `json:"value"`
}

// Load implements [Store].
func (s *Files) Load(_ context.Context, key string) ([]byte, error) {
	entry, err := s.open(fileName(key))
	if err != nil || entry == nil {
		return nil, err
	}
	return entry.Value, nil
}

func (s *Files) open(name string) (*sealed, error) {
	path := filepath.Join(s.Dir, name+sealedSuffix)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return nil, fmt.Errorf("%s is no account", path)
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return nil, fmt.Errorf("%s can be used by others (mode %04o): run  chmod 600 %s", path, info.Mode().Perm(), path)
	}
	box, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := s.Box.OpenBytes(box, sealContext(name))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened with this key: %w", path, err)
	}
	defer clear(text)
	entry := new(sealed)
	if err := json.Unmarshal(text, entry); err != nil || fileName(entry.Key) != name {
		return nil, fmt.Errorf("%s is no account", path)
	}
	return entry, nil
}

// Save implements [Store]. The file is replaced in one step.
func (s *Files) Save(_ context.Context, key string, value []byte) error {
	name := fileName(key)
	path := filepath.Join(s.Dir, name+sealedSuffix)
	if value == nil {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil { // the key may be kept there, too
		return err
	}
	text, err := json.Marshal(sealed{key, value})
	if err != nil {
		return err
	}
	defer clear(text)
	box, err := s.Box.SealBytes(text, sealContext(name))
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.Dir, ".account-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(box)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Keys implements [Store].
func (s *Files) Keys(context.Context) ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), sealedSuffix)
		if !ok {
			continue
		}
		entry, err := s.open(name)
		if err != nil {
			return nil, err
		}
		if entry != nil {
			keys = append(keys, entry.Key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// Lock implements [Store] with a lock of the operating system, which ends with
// its process. Its file stays: removing it would let two in.
func (s *Files) Lock(ctx context.Context, key string) (func(), error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(s.Dir, fileName(key)+lockSuffix), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return func() { lock.Close() }, nil
}

// fileName tells nobody which servers somebody uses.
func fileName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

func sealContext(name string) []byte { return []byte("parley-account/1 " + name) }
