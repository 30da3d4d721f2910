// Package editortest is what tests of parley-editor and of its editor plug-ins
// share: the built program, and an editor on a terminal whose keys are pressed
// and whose screen is read.
package editortest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/authtest"
	"github.com/parley-mcp/parley/apps/internal/storytest"
)

// programs are what is built, once for all tests of a package.
var programs struct {
	once sync.Once
	dir  string // empty if nothing was built
	err  error
}

func build() {
	programs.dir, programs.err = os.MkdirTemp("", "parley-editor-")
	if programs.err != nil {
		return
	}
	cmd := exec.Command("go", "build", "-o", programs.dir+string(filepath.Separator),
		"github.com/parley-mcp/parley/apps/parley-editor", "github.com/parley-mcp/parley/apps/parley")
	if out, err := cmd.CombinedOutput(); err != nil {
		programs.err = fmt.Errorf("building the programs: %w\n%s", err, out)
	}
}

// Main runs the tests of a package that uses [Program] or [Start]. Its own
// program is the browser that BROWSER names.
func Main(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "visit" { // it is the browser
		if err := authtest.Visit(os.Args[2]); err != nil {
			panic(err)
		}
		return
	}
	os.Setenv("BROWSER", os.Args[0]+" visit")
	code := m.Run()
	if programs.dir != "" {
		os.RemoveAll(programs.dir)
	}
	storytest.Clean()
	os.Exit(code)
}

// Program is the path of parley-editor.
func Program(t testing.TB) string { return built(t, "parley-editor") }

// Parley is the path of parley, whose parked calls are of the same make.
func Parley(t testing.TB) string { return built(t, "parley") }

func built(t testing.TB, name string) string {
	t.Helper()
	programs.once.Do(build)
	if programs.err != nil {
		t.Fatal(programs.err)
	}
	return filepath.Join(programs.dir, name)
}

// KeyFile makes a key file.
func KeyFile(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command(Program(t), "--new-key", name).CombinedOutput(); err != nil {
		t.Fatalf("parley-editor --new-key: %v\n%s", err, out)
	}
	return name
}

// Need skips the test where one of these programs is not on the PATH; with
// CI=true that is an error.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("there is no %s on the PATH", program)
		}
		t.Skipf("there is no %s on the PATH: apps/parley-editor/editortest/setup.sh installs it", program)
	}
}

// Quote is a text as a string of Lua and of Emacs Lisp.
func Quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// File writes a file of the test's and returns its path.
func File(t testing.TB, name, format string, args ...any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, fmt.Appendf(nil, format, args...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
