//go:build unix

package system_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/system"
)

func TestRoots(t *testing.T) {
	got := string(system.Roots([]json.RawMessage{system.Root("/home/me/ä b/", ""), system.Root("/x/../y", "Y")}))
	want := `{"roots":[{"uri":"file:///home/me/%C3%A4%20b","name":"ä b"},{"uri":"file:///y","name":"Y"}]}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(system.Roots(nil)); got != `{"roots":[]}` {
		t.Errorf("none: got %s", got)
	}
}
