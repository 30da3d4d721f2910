package cache_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/cache"
)

func has(t *testing.T, m *cache.Memory, key, want string) {
	t.Helper()
	got, err := m.Get(t.Context(), key)
	if err != nil || string(got) != want {
		t.Errorf("%s: got %q, %v, want %q", key, got, err, want)
	}
}

func set(t *testing.T, m *cache.Memory, key, entry string) {
	t.Helper()
	if err := m.Set(t.Context(), key, []byte(entry), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
}

func TestMemoryKeeps(t *testing.T) {
	var m cache.Memory
	has(t, &m, "a", "")
	set(t, &m, "a", "1")
	has(t, &m, "a", "1")
	set(t, &m, "a", "2")
	has(t, &m, "a", "2")
	if err := m.Set(t.Context(), "b", []byte("1"), time.Now()); err != nil {
		t.Fatal(err)
	}
	has(t, &m, "b", "")
}

func TestMemoryForgetsByPrefix(t *testing.T) {
	var m cache.Memory
	set(t, &m, "list,1", "1")
	set(t, &m, "list,2", "2")
	set(t, &m, "other", "3")
	if err := m.Forget(t.Context(), "list,"); err != nil {
		t.Fatal(err)
	}
	has(t, &m, "list,1", "")
	has(t, &m, "list,2", "")
	has(t, &m, "other", "3")
}

// What was not used for longest goes first, by number and by size.
func TestMemoryIsBounded(t *testing.T) {
	m := cache.Memory{MaxEntries: 3}
	for _, key := range []string{"a", "b", "c"} {
		set(t, &m, key, key)
	}
	has(t, &m, "a", "a")
	set(t, &m, "d", "d")
	has(t, &m, "b", "")
	has(t, &m, "a", "a")

	m = cache.Memory{MaxBytes: 100}
	for i := range 10 {
		set(t, &m, fmt.Sprint(i), strings.Repeat("x", 30))
	}
	has(t, &m, "6", "")
	has(t, &m, "7", strings.Repeat("x", 30))
	set(t, &m, "7", "") // it gives its room back
	set(t, &m, "a", strings.Repeat("x", 30))
	has(t, &m, "8", strings.Repeat("x", 30))
	set(t, &m, "b", strings.Repeat("x", 100)) // more than there is room for drops nothing
	has(t, &m, "b", "")
	has(t, &m, "8", strings.Repeat("x", 30))
}
