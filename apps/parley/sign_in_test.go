//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/authtest"
	"github.com/parley-mcp/parley/apps/internal/storytest"
)

// visitCommand is a browser whose person clicks what there is to click.
func visitCommand() string { return "'" + os.Args[0] + "' visit" }

// protected is the story server behind an authorization server.
func protected(t *testing.T) *authtest.Server {
	t.Helper()
	return authtest.New(t, storytest.Handler(t, "-step", "50ms"))
}

// visiting has BROWSER name the browser.
func visiting(w *terminal) {
	w.cmd.Env = append(w.cmd.Env, "BROWSER="+os.Args[0]+" visit")
}

// TestFromNothing goes from nothing to the result, asks once, and does so in both
// engines. The next call asks nobody.
func TestFromNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"wasm", "native"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			server, dir := protected(t), t.TempDir()
			w := startWith(t, 100, 40, visiting, "call", server.URL, "update_work_item", "id:=4711", "state=Resolved", "--state-dir", dir, "--engine", engine)
			w.sees(label(server.URL)+" wants you to sign in", "for the tool update_work_item", "it asks for: call",
				"Sign in to "+label(server.URL)+"?", "> Sign in", "  Not now", "  Park", "  Stop this call")
			if server.Count("/authorize") > 0 || server.Count("/register") > 0 {
				t.Error("something was sent before the person said yes")
			}
			w.press(enter)
			w.sees("you sign in at: "+label(server.URL), "Open its page?", "> Open in the browser", "  I will open it myself", "  Not now")
			if server.Count("/authorize") > 0 {
				t.Error("the browser was opened before the person said yes")
			}
			w.press(enter)
			w.sees("→ opened in the browser", "→ signed in at "+label(server.URL), "How was work item 4711 resolved?", "> Fixed")
			w.press(enter)
			w.sees("> Send")
			w.press(enter)
			w.sees("Work item 4711 is now Resolved")
			w.ends(0)
			if got := server.Count("tools/call update_work_item"); got != 2 {
				t.Errorf("legs that the tool saw: got %d, want 2", got)
			}
			got := run(t, "", "call", server.URL, "summarise", "text=x", "--sample-cmd", sampleCommand(), "--sample-yes", "--state-dir", dir, "--engine", engine)
			if got.code != 0 || strings.Contains(got.stderr, "sign") {
				t.Errorf("the next call: got exit %d\n%s", got.code, got.stderr)
			}
			if got := server.Count("/authorize"); got != 1 {
				t.Errorf("visits: got %d, want 1", got)
			}
			w.mu.Lock()
			server.Leaks(t, "the screen", w.raw.String()+got.stderr+got.stdout)
			w.mu.Unlock()
			server.Leaks(t, "a file", files(t, dir))
		})
	}
}

// files is what all files of a directory hold.
func files(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var text []byte
			text, err = os.ReadFile(path)
			b.WriteString(path + "\n" + string(text) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
