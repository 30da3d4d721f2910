package account_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/parley-mcp/parley/apps/shared-go/account"
)

// TestKey keeps the key where it was at first, whatever the system has later.
func TestKey(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/none")
	none := errors.New("no keyring")
	tests := map[string]struct {
		before, later error // what the keyring says
		place         string
		lost          string // what the sentence says if the key cannot be had
	}{
		"keyring":        {nil, nil, "keyring", ""},
		"keyring locked": {nil, none, "keyring", "keyring"},
		"no keyring":     {none, none, "file", ""},
		"keyring later":  {none, nil, "file", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			mock(tt.before)
			dir := t.TempDir()
			if err := account.Store(dir).Save(t.Context(), "a", []byte("secret")); err != nil {
				t.Fatal(err)
			}
			if text, _ := os.ReadFile(filepath.Join(dir, "accounts", "key-place")); strings.TrimSpace(string(text)) != tt.place {
				t.Errorf("place: got %q, want %q", text, tt.place)
			}
			if tt.later != tt.before {
				mock(tt.later)
			}
			again := account.Store(dir)
			got, err := again.Load(t.Context(), "a")
			if tt.lost == "" {
				if err != nil || string(got) != "secret" {
					t.Errorf("loaded: got %q, %v", got, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), tt.lost) {
				t.Errorf("loaded without the key: got %q, %v", got, err)
			}
			if err := again.Save(t.Context(), "b", []byte("x")); (err == nil) != (tt.lost == "") {
				t.Errorf("saved: got %v", err)
			}
			onlyMine(t, dir)
		})
	}
}

// TestKeyLost has a keyring that forgot: no new key is made.
func TestKeyLost(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/none")
	mock(nil)
	dir := t.TempDir()
	if err := account.Store(dir).Save(t.Context(), "a", []byte("secret")); err != nil {
		t.Fatal(err)
	}
	mock(nil)
	if err := account.Store(dir).Save(t.Context(), "b", []byte("x")); err == nil || !strings.Contains(err.Error(), "sign in again") {
		t.Errorf("saved with a key that is lost: got %v", err)
	}
}

// TestNothing makes nothing where nobody signed in.
func TestNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	keys, err := account.Store(dir).Keys(t.Context())
	if err != nil || len(keys) > 0 {
		t.Errorf("got %q, %v", keys, err)
	}
	if _, err := account.Store(dir).Load(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made")
	}
}

func mock(err error) {
	if err != nil {
		keyring.MockInitWithError(err)
	} else {
		keyring.MockInit()
	}
}

// onlyMine checks that nobody else may use what is in a directory.
func onlyMine(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "accounts"), func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
