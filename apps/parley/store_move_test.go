//go:build unix

package main_test

import (
	"strings"
	"testing"
)

// TestStoreMove moves a parked call, which then is resumed where it is.
func TestStoreMove(t *testing.T) {
	t.Parallel()
	server, dir, there := watch(t), t.TempDir(), "file:"+t.TempDir()
	run(t, "", "call", server.url, "update_work_item", "id:=7", "state=Resolved", "--state-dir", dir,
		"--script", file(t, `{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Duplicate"}}]}`)).check(t, 3, "")
	id := stored(t, dir)[0]
	for _, want := range []string{"moved: 1", "moved: 0"} {
		got := run(t, "", "store", "move", "file:"+dir, there, "--state-dir", dir)
		got.check(t, 0, "")
		got.says(t, want)
	}
	checkEmpty(t, dir)
	if got := run(t, "", "parked", "--state-dir", dir, "--store", there); !strings.HasPrefix(got.stdout, id) {
		t.Errorf("parked there: got %q, want %s", got.stdout, id)
	}
	got := run(t, "", "resume", "--state-dir", dir, "--store", there, id, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
	got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
	server.check(t, 3, askedOnce, askedOnce)
}
