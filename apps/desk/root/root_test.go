//go:build unix

package root_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-mcp/parley/apps/desk/root"
)

func TestRoots(t *testing.T) {
	got := string(root.Result([]json.RawMessage{root.Of("/home/me/ä b/", ""), root.Of("/x/../y", "Y")}))
	want := `{"roots":[{"uri":"file:///home/me/%C3%A4%20b","name":"ä b"},{"uri":"file:///y","name":"Y"}]}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(root.Result(nil)); got != `{"roots":[]}` {
		t.Errorf("none: got %s", got)
	}
}
