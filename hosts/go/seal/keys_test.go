package seal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

func TestGenerateKey(t *testing.T) {
	seen := map[string]bool{}
	for _, suite := range []byte{codec.SuiteXChaCha, codec.SuiteAgeCompact, codec.SuiteAgeFile, codec.SuiteXChaCha} {
		line := newKeys(t, suite)
		ring, err := codec.ParseKeyRing(line)
		check(t, err)
		if got := ring.Active().Suite(); got != suite {
			t.Errorf("suite: got %x, want %x", got, suite)
		}
		seen[string(line)] = true
	}
	if len(seen) != 4 {
		t.Errorf("four keys are %d different ones", len(seen))
	}
	if _, err := seal.GenerateKey(0x12); !errors.Is(err, refusal.Key) {
		t.Errorf("unknown suite: got %v, want %v", err, refusal.Key)
	}
}

func TestProcessRing(t *testing.T) {
	a, err := seal.NewProcessRing()
	check(t, err)
	b, err := seal.NewProcessRing()
	check(t, err)
	if a.Active().ID() == b.Active().ID() {
		t.Error("two process-local rings have the same key")
	}
}

// TestRotationSteps takes a file with comments through the three steps.
func TestRotationSteps(t *testing.T) {
	first := newKeys(t, codec.SuiteXChaCha)
	file := append([]byte("# of the weather service\n\n"), bytes.TrimSuffix(first, []byte("\n"))...) // no line feed at the end
	old := ids(t, file)[0]

	accepted, added, err := seal.AcceptKey(file, codec.SuiteXChaCha)
	check(t, err)
	if got, want := ids(t, accepted), []codec.KeyID{old, added}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("accepted: got %x, want %x", got, want)
	}
	if _, err := seal.DropKey(accepted, old); err == nil || !strings.Contains(err.Error(), "mints") {
		t.Errorf("dropping the active key: got %v", err)
	}
	active, err := seal.ActivateKey(accepted, added)
	check(t, err)
	if got, want := ids(t, active), []codec.KeyID{added, old}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("activated: got %x, want %x", got, want)
	}
	if again, err := seal.ActivateKey(active, added); err != nil || !bytes.Equal(again, active) {
		t.Errorf("activating the active key changes the file: %v", err)
	}
	dropped, err := seal.DropKey(active, old)
	check(t, err)
	if got, want := ids(t, dropped), []codec.KeyID{added}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("dropped: got %x, want %x", got, want)
	}
	if !bytes.HasPrefix(dropped, []byte("# of the weather service\n\n")) || bytes.Contains(dropped, bytes.TrimSpace(first)) {
		t.Error("the comment is gone, or the dropped key is still there")
	}
	if _, err := seal.DropKey(dropped, old); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no key %x", old)) {
		t.Errorf("dropping a key that is not there: got %v", err)
	}
	if _, _, err := seal.AcceptKey([]byte("parley-key/1 11 !\n"), codec.SuiteXChaCha); !errors.Is(err, refusal.Key) {
		t.Errorf("a file with a mistake: got %v", err)
	}
}

func ids(t testing.TB, file []byte) (all []codec.KeyID) {
	t.Helper()
	ring, err := codec.ParseKeyRing(file)
	check(t, err)
	for _, key := range ring.Keys() {
		all = append(all, key.ID())
	}
	return all
}

func TestKeyFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "keys")
	if _, err := seal.LoadKeyFile(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v, want %v", err, fs.ErrNotExist)
	}
	a, b := newKeys(t, codec.SuiteXChaCha), newKeys(t, codec.SuiteXChaCha)
	check(t, seal.CreateKeyFile(name, a))
	if err := seal.CreateKeyFile(name, b); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating what is there: got %v, want %v", err, fs.ErrExist)
	}
	wantKey(t, name, a)
	check(t, seal.WriteKeyFile(name, b))
	wantKey(t, name, b)
	if err := seal.WriteKeyFile(name, []byte("# nothing\n")); !errors.Is(err, refusal.Key) {
		t.Errorf("writing what is no key file: got %v", err)
	}
	wantKey(t, name, b)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(name)
		check(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("mode: got %v, want 0600", info.Mode())
		}
		link := filepath.Join(dir, "link")
		check(t, os.Symlink("keys", link))
		check(t, seal.WriteKeyFile(link, a))
		wantKey(t, name, a)
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link is no link any more: %v", err)
		}
	}
	long := append(bytes.Repeat([]byte("#\n"), codec.MaxKeyFile/2), a...)
	check(t, os.WriteFile(name, long, 0o600))
	if _, err := seal.ReadKeyFile(name); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Errorf("a long file: got %v", err)
	}
	if left := len(entries(t, dir)); left > 2 {
		t.Errorf("%d files are left, want the keys and the link", left)
	}
}

func TestKeyFileModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are access lists here")
	}
	name := filepath.Join(t.TempDir(), "keys")
	check(t, seal.WriteKeyFile(name, newKeys(t, codec.SuiteXChaCha)))
	for mode, ok := range map[fs.FileMode]bool{0o600: true, 0o400: true, 0o700: true, 0o640: false, 0o604: false, 0o620: false, 0o601: false, 0o644: false} {
		check(t, os.Chmod(name, mode))
		_, err := seal.LoadKeyFile(name)
		if ok && err != nil || !ok && (err == nil || !strings.Contains(err.Error(), "chmod 600 "+name)) {
			t.Errorf("mode %v: got %v", mode, err)
		}
	}
}

// No mistake in a key file makes an error that shows what is in it.
func TestKeyFileErrorsShowNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	line := string(newKeys(t, codec.SuiteXChaCha))
	for what, text := range map[string]string{
		"twice": line + line, "cut": line[:len(line)-9], "padded": strings.TrimSpace(line) + "=\n", "suite": strings.Replace(line, " 11 ", " 99 ", 1), "bare": line[16:],
	} {
		check(t, os.WriteFile(name, []byte(text), 0o600))
		_, err := seal.LoadKeyFile(name)
		if err == nil || strings.Contains(err.Error(), line[20:30]) {
			t.Errorf("%s: got %v", what, err)
		}
		if !errors.Is(err, refusal.Key) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want the file's name and %v", what, err, refusal.Key)
		}
	}
}

// Of processes that race to make a file one wins, and all get its key.
func TestCreateKeyFileRaces(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	var all sync.WaitGroup
	var mu sync.Mutex
	made := 0
	seen := map[codec.KeyID]bool{}
	for range 16 {
		line := newKeys(t, codec.SuiteXChaCha)
		all.Go(func() {
			err := seal.CreateKeyFile(name, line)
			ring, errLoad := seal.LoadKeyFile(name)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
			if errLoad != nil {
				t.Error(errLoad)
				return
			}
			seen[ring.Active().ID()] = true
		})
	}
	all.Wait()
	if made != 1 || len(seen) != 1 {
		t.Errorf("made %d times, %d keys seen; want 1 and 1", made, len(seen))
	}
}

// Updates that race lose none of each other's keys; a reader never meets half a
// file.
func TestUpdateKeyFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	check(t, seal.WriteKeyFile(name, newKeys(t, codec.SuiteXChaCha)))
	const writers, each = 4, 5
	stop := make(chan struct{})
	reader := make(chan error, 1)
	go func() {
		for {
			if _, err := seal.LoadKeyFile(name); err != nil {
				reader <- err
				return
			}
			select {
			case <-stop:
				reader <- nil
				return
			default:
			}
		}
	}()
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for done := 0; done < each; {
				err := seal.UpdateKeyFile(name, func(text []byte) ([]byte, error) {
					changed, _, err := seal.AcceptKey(text, codec.SuiteXChaCha)
					return changed, err
				})
				switch {
				case err == nil:
					done++
				case !strings.Contains(err.Error(), "somebody else is changing"):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	close(stop)
	check(t, <-reader)
	text, err := seal.ReadKeyFile(name)
	check(t, err)
	if got := len(ids(t, text)); got != 1+writers*each {
		t.Errorf("got %d keys, want %d", got, 1+writers*each)
	}
	refused := errors.New("no")
	if err := seal.UpdateKeyFile(name, func([]byte) ([]byte, error) { return nil, refused }); !errors.Is(err, refused) {
		t.Errorf("got %v, want %v", err, refused)
	}
	if got := entries(t, filepath.Dir(name)); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}

func wantKey(t testing.TB, name string, line []byte) {
	t.Helper()
	ring, err := seal.LoadKeyFile(name)
	check(t, err)
	if got, want := ring.Active().ID(), ids(t, line)[0]; got != want {
		t.Errorf("%s holds key %x, want %x", name, got, want)
	}
}

func entries(t testing.TB, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	check(t, err)
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

func newKeys(t testing.TB, suite byte) []byte {
	t.Helper()
	keys, err := seal.GenerateKey(suite)
	check(t, err)
	return keys
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
