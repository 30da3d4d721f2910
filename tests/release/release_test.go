// Package release_test is a thin rehearsal of a release: the tags are served by a
// module proxy of files, and somebody installs the apps and uses the library.
package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstall installs the apps as README.md says.
func TestInstall(t *testing.T) {
	bin := t.TempDir()
	environment := append(publish(t), "GOBIN="+bin)
	for app, usage := range map[string]string{"parley": "parley call", "parley-bridge": "parley-bridge", "parley-editor": "--state-dir"} {
		command(t, t.TempDir(), environment, "go", "install", library+"/apps/"+app+"@"+version)
		help, _ := exec.Command(filepath.Join(bin, app), "--help").CombinedOutput()
		if !strings.Contains(string(help), usage) {
			t.Errorf("%s --help shows no %q:\n%s", app, usage, help)
		}
	}
}

// A user of the library makes a module of its own. What it records beside Parley
// itself is bounded: a host needs wazero and two of Go's own modules, the engine
// nothing.
func TestUser(t *testing.T) {
	tests := map[string]struct {
		program           string
		requirements, sum int // beside Parley's own
		want              string
	}{
		"hosts/go": {"host", 3, 6, "native: 18 °C\nwazero: 18 °C\n"},
		"engine":   {"engine", 0, 0, "tools/call\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			environment, folder := publish(t), t.TempDir()
			program, err := os.ReadFile(filepath.Join("testdata", tt.program, "main.go"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "main.go"), program, 0o644); err != nil {
				t.Fatal(err)
			}
			command(t, folder, environment, "go", "mod", "init", "example.com/user")
			command(t, folder, environment, "go", "mod", "tidy")
			if got := command(t, folder, environment, "go", "run", "."); got != tt.want {
				t.Errorf("go run: got %q, want %q", got, tt.want)
			}
			mod := others(t, filepath.Join(folder, "go.mod"), func(line string) bool { return strings.Contains(line, " v") })
			sum := others(t, filepath.Join(folder, "go.sum"), func(string) bool { return true })
			t.Logf("%d requirements, %d lines of go.sum beside Parley's own", len(mod), len(sum))
			if len(mod) > tt.requirements || len(sum) > tt.sum {
				t.Errorf("more than %d requirements or %d lines of go.sum:\n%s\n%s", tt.requirements, tt.sum, strings.Join(mod, "\n"), strings.Join(sum, "\n"))
			}
		})
	}
}

// others returns a file's lines that count and are not about Parley.
func others(t *testing.T, name string, counts func(line string) bool) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); counts(line) && line != "" && !strings.Contains(line, library) {
			lines = append(lines, line)
		}
	}
	return lines
}

// command runs one and returns what it prints on standard output.
func command(t *testing.T, folder string, environment []string, words ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = folder, environment, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, stderr.String())
	}
	return stdout.String()
}
