package parley_test

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
	parley "github.com/parley-mcp/parley/hosts/go"
)

const snapshot = `{"parley":"the person's answer and the server's state"}`

func sealedStore(t *testing.T) (*parley.FileStore, *parley.KeyFileBox) {
	t.Helper()
	s := newStore(t)
	box := &parley.KeyFileBox{Name: filepath.Join(t.TempDir(), "snapshot.key"), Create: true}
	s.Seal, s.Open = parley.SealSnapshots(box)
	return s, box
}

func TestSealSnapshots(t *testing.T) {
	s, box := sealedStore(t)
	must(t, s.Put("a", []byte(snapshot)))
	on, err := os.ReadFile(filepath.Join(s.Dir, "a.1.call"))
	must(t, err)
	if len(on) != len(snapshot)+45 || bytes.Contains(on, []byte("person")) || on[0] != codec.SuiteXChaCha {
		t.Errorf("on disk: got %d bytes, %q", len(on), on)
	}
	must(t, take(t, s, "a", snapshot).Release())
	if info, err := os.Stat(box.Name); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the key: got %v, %v", info.Mode(), err)
	}

	must(t, os.WriteFile(filepath.Join(s.Dir, "b.1.call"), on, 0o600))
	_, _, err = s.Take("b")
	wantErr(t, "another call's file", err, codec.ErrForged)
	on[60] ^= 1
	must(t, os.WriteFile(filepath.Join(s.Dir, "c.1.call"), on, 0o600))
	_, _, err = s.Take("c")
	wantErr(t, "a changed file", err, codec.ErrForged)
	must(t, os.WriteFile(filepath.Join(s.Dir, "d.1.call"), []byte(snapshot), 0o600))
	_, _, err = s.Take("d")
	wantErr(t, "a file that was never sealed", err, parley.ErrUnsealed)

	must(t, os.Remove(box.Name))
	_, _, err = s.Take("a")
	wantErr(t, "without the key", err, fs.ErrNotExist)
	must(t, s.Put("e", []byte(snapshot))) // under a new key
	_, _, err = s.Take("a")
	wantErr(t, "with another key", err, codec.ErrUnknownKey)
	must(t, take(t, s, "e", snapshot).Release())

	strict := &parley.KeyFileBox{Name: filepath.Join(t.TempDir(), "none")}
	s.Seal, s.Open = parley.SealSnapshots(strict)
	wantErr(t, "a key that is not to be made", s.Put("f", []byte(snapshot)), fs.ErrNotExist)
}

// A box follows its key file through a rotation, and one made by the file's
// text gives the same bytes.
func TestKeyFileBox(t *testing.T) {
	box := &parley.KeyFileBox{Name: filepath.Join(t.TempDir(), "keys"), Create: true}
	under := []byte("parley-snapshot/1a")
	sealed, err := box.SealBytes([]byte(snapshot), under)
	check(t, err)
	var old, added codec.KeyID
	check(t, parley.UpdateKeyFile(box.Name, func(text []byte) (changed []byte, err error) {
		old = ids(t, text)[0]
		if changed, added, err = parley.AcceptKey(text, codec.SuiteXChaCha); err != nil {
			return nil, err
		}
		return parley.ActivateKey(changed, added)
	}))
	if opened, err := box.OpenBytes(sealed, under); err != nil || string(opened) != snapshot {
		t.Errorf("after a rotation: got %q, %v", opened, err)
	}
	again, err := box.SealBytes([]byte(snapshot), under)
	check(t, err)
	if got := codec.KeyID(again[1:5]); got != added {
		t.Errorf("sealed with %x, want %x", got, added)
	}
	check(t, parley.UpdateKeyFile(box.Name, func(text []byte) ([]byte, error) { return parley.DropKey(text, old) }))
	if _, err := box.OpenBytes(sealed, under); !errors.Is(err, codec.ErrUnknownKey) {
		t.Errorf("with a dropped key: got %v, want %v", err, codec.ErrUnknownKey)
	}
	check(t, os.Chmod(box.Name, 0o644))
	if _, err := box.SealBytes(nil, under); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("with a key that others may read: got %v", err)
	}
}

// The first use of a key from many goroutines at once makes one key.
func TestKeyFileBoxRaces(t *testing.T) {
	box := &parley.KeyFileBox{Name: filepath.Join(t.TempDir(), "keys"), Create: true}
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
