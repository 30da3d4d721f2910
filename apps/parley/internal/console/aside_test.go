package console_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
)

// TestHold keeps lines back while something is on the screen, and not without
// end.
func TestHold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "screen")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	written := func() string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	c := console.New(file, nil)
	c.Hold()
	c.Hold()
	var want strings.Builder
	for n := range 300 {
		c.Log("the desk", fmt.Sprintf("line %d", n))
		if n < 200 {
			fmt.Fprintf(&want, "the desk │ line %d\n", n)
		}
	}
	c.Release()
	if got := written(); got != "" {
		t.Errorf("held: got %q", got)
	}
	c.Release()
	want.WriteString("(100 more lines were not kept)\n")
	if got := written(); got != want.String() {
		t.Errorf("released: got %q", got)
	}
	c.Log("the desk", "later")
	if got, want := written(), want.String()+"the desk │ later\n"; got != want {
		t.Errorf("afterwards: got %q", strings.TrimPrefix(got, want))
	}
}
