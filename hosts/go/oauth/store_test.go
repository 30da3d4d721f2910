package oauth_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

func stores(t *testing.T) map[string]oauth.Store {
	return map[string]oauth.Store{"memory": &oauth.Memory{}, "files": files(t.TempDir())}
}

func TestStores(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if got, err := s.Load(ctx, "account a"); got != nil || err != nil {
				t.Errorf("Load of nothing: got %q, %v", got, err)
			}
			if err := s.Save(ctx, "account a", nil); err != nil {
				t.Errorf("removing nothing: %v", err)
			}
			for _, key := range []string{"client b", "account a"} {
				if err := s.Save(ctx, key, []byte("old")); err != nil {
					t.Fatal(err)
				}
				if err := s.Save(ctx, key, []byte(key+"\x00")); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := s.Load(ctx, "client b"); string(got) != "client b\x00" || err != nil {
				t.Errorf("Load: got %q, %v", got, err)
			}
			if got, err := s.Keys(ctx); err != nil || !slices.Equal(got, []string{"account a", "client b"}) {
				t.Errorf("Keys: got %q, %v", got, err)
			}
			if err := s.Save(ctx, "account a", nil); err != nil {
				t.Fatal(err)
			}
			if got, _ := s.Keys(ctx); len(got) != 1 {
				t.Errorf("Keys after removing one: got %q", got)
			}
		})
	}
}

// TestLock lets one in at a time, and gives up with the context.
func TestLock(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			unlock, err := s.Lock(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := s.Lock(ended, "a"); !errors.Is(err, context.Canceled) {
				t.Errorf("Lock while another has it: got %v, want Canceled", err)
			}
			other, err := s.Lock(t.Context(), "b")
			if err != nil {
				t.Fatalf("the lock of another key: %v", err)
			}
			other()
			got := make(chan error, 1)
			go func() {
				again, err := s.Lock(t.Context(), "a")
				if err == nil {
					again()
				}
				got <- err
			}()
			unlock()
			if err := <-got; err != nil {
				t.Errorf("Lock once it is free: %v", err)
			}
		})
	}
}

// TestFiles hides what is in them, and whose they are.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	w := newWorld(t)
	o := w.options()
	o.Store = files(dir)
	authorize(t, w.signIn(o), challenged(401))
	names, err := filepath.Glob(filepath.Join(dir, "accounts", "*.account"))
	if err != nil || len(names) != 2 {
		t.Fatalf("got %d files, want an account and a client", len(names))
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("mode %04o, want 0600", info.Mode().Perm())
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w.checkText("a file", string(text))
		if bytes.Contains(text, []byte("example.com")) || strings.Contains(name, "example.com") {
			t.Error("a file says which server somebody uses")
		}
	}
	// A file in another's place does not open, nor one that others can read.
	text, _ := os.ReadFile(names[0])
	os.WriteFile(names[1], text, 0o600)
	if _, err := o.Store.Keys(t.Context()); err == nil {
		t.Error("a file opens in another's place")
	}
	if runtime.GOOS != "windows" {
		os.Chmod(names[0], 0o644)
		os.Remove(names[1])
		if _, err := o.Store.Keys(t.Context()); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a file that others can read: got %v", err)
		}
	}
}

// TestStoreFails says so, in words, and sends nothing.
func TestStoreFails(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Store = broken{}
	s := w.signIn(o)
	if value, err := s.Authorization(t.Context()); !errors.Is(err, oauth.ErrStore) || value != "" {
		t.Errorf("Authorization: got %v, want ErrStore", err)
	}
	if _, err := s.Authorize(t.Context(), challenged(401)); !errors.Is(err, oauth.ErrStore) || len(w.visits("")) != 0 {
		t.Errorf("Authorize: got %v, want ErrStore", err)
	}
}

type broken struct{ oauth.Store }

func (broken) Load(context.Context, string) ([]byte, error) { return nil, errors.New("disk full") }
