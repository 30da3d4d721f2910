package seal_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

const snapshot = `{"parley":"the person's answer and the server's state"}`

// A store whose snapshots are sealed gives back what was sealed for the very call,
// and nothing else.
func TestKeyFileBoxOfAStore(t *testing.T) {
	box := &seal.KeyFileBox{Name: filepath.Join(t.TempDir(), "snapshot.key"), Create: true}
	s := &store.Files{Dir: filepath.Join(t.TempDir(), "calls"), Box: box}
	check(t, put(t, s, "a", snapshot))
	names, err := filepath.Glob(filepath.Join(s.Dir, "a.call", "*.call"))
	if err != nil || len(names) != 1 {
		t.Fatalf("on disk: %v, %v", names, err)
	}
	on, err := os.ReadFile(names[0])
	check(t, err)
	head, sealed, _ := bytes.Cut(on, []byte("\n"))
	if len(sealed) != len(snapshot)+45 || bytes.Contains(on, []byte("person")) || sealed[0] != codec.SuiteXChaCha {
		t.Errorf("on disk: got %d bytes, %q", len(on), on)
	}
	wantTaken(t, s, "a", nil)
	if info, err := os.Stat(box.Name); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the key: got %v, %v", info.Mode(), err)
	}

	check(t, write(s, "b", on)) // another call's file
	wantTaken(t, s, "b", refusal.Forged)
	on[len(head)+30] ^= 1
	check(t, write(s, "c", on))
	wantTaken(t, s, "c", refusal.Forged)
	check(t, write(s, "d", []byte(snapshot))) // never sealed
	wantTaken(t, s, "d", store.ErrUnsealed)
	s.Unsealed = true
	wantTaken(t, s, "d", nil)

	check(t, os.Remove(box.Name))
	wantTaken(t, s, "a", fs.ErrNotExist)
	check(t, put(t, s, "e", snapshot)) // under a new key
	wantTaken(t, s, "a", refusal.UnknownKey)
	wantTaken(t, s, "e", nil)

	s.Box = &seal.KeyFileBox{Name: filepath.Join(t.TempDir(), "none")}
	if err := put(t, s, "f", snapshot); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key that is not to be made: got %v", err)
	}
}

// write makes a call's file without the store.
func write(s *store.Files, id string, data []byte) error {
	folder := filepath.Join(s.Dir, id+".call")
	return errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "1.call"), data, 0o600))
}

func put(t *testing.T, s store.Store, id, snapshot string) error {
	lease, err := s.Create(t.Context(), id)
	check(t, err)
	return errors.Join(lease.Save(t.Context(), []byte(snapshot), store.About{}), lease.Release(t.Context()))
}

func wantTaken(t *testing.T, s store.Store, id string, want error) {
	t.Helper()
	lease, got, err := s.Take(t.Context(), id)
	if !errors.Is(err, want) || want == nil && (err != nil || string(got) != snapshot) {
		t.Errorf("take %s: got %q, %v, want %v", id, got, err, want)
	}
	if err == nil {
		check(t, lease.Release(t.Context()))
	}
}

// A box follows its key file through a rotation, and one made by the file's
// text gives the same bytes.
func TestKeyFileBox(t *testing.T) {
	box := &seal.KeyFileBox{Name: filepath.Join(t.TempDir(), "keys"), Create: true}
	under := []byte("parley-snapshot/1a")
	sealed, err := box.SealBytes([]byte(snapshot), under)
	check(t, err)
	var old, added codec.KeyID
	check(t, seal.UpdateKeyFile(box.Name, func(text []byte) (changed []byte, err error) {
		old = ids(t, text)[0]
		if changed, added, err = seal.AcceptKey(text, codec.SuiteXChaCha); err != nil {
			return nil, err
		}
		return seal.ActivateKey(changed, added)
	}))
	if opened, err := box.OpenBytes(sealed, under); err != nil || string(opened) != snapshot {
		t.Errorf("after a rotation: got %q, %v", opened, err)
	}
	again, err := box.SealBytes([]byte(snapshot), under)
	check(t, err)
	if got := codec.KeyID(again[1:5]); got != added {
		t.Errorf("sealed with %x, want %x", got, added)
	}
	check(t, seal.UpdateKeyFile(box.Name, func(text []byte) ([]byte, error) { return seal.DropKey(text, old) }))
	if _, err := box.OpenBytes(sealed, under); !errors.Is(err, refusal.UnknownKey) {
		t.Errorf("with a dropped key: got %v, want %v", err, refusal.UnknownKey)
	}
	check(t, os.Chmod(box.Name, 0o644))
	if _, err := box.SealBytes(nil, under); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("with a key that others may read: got %v", err)
	}
}

// The first use of a key from many goroutines at once makes one key.
func TestKeyFileBoxRaces(t *testing.T) {
	box := &seal.KeyFileBox{Name: filepath.Join(t.TempDir(), "keys"), Create: true}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			sealed, err := box.SealBytes([]byte(snapshot), nil)
			if err != nil {
				t.Error(err)
				return
			}
			if opened, err := box.OpenBytes(sealed, nil); err != nil || string(opened) != snapshot {
				t.Errorf("got %q, %v", opened, err)
			}
		})
	}
	all.Wait()
}
