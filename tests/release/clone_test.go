package release_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestClone makes a module beside a clone and takes the clone by the lines of README.md, as they stand there. Its program imports a package of every
// module that is published beside the apps.
func TestClone(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("(?s)```sh\n(go mod edit -replace .*?)```").FindAllSubmatch(readme, -1)
	if len(lines) != 1 {
		t.Fatalf("README.md has %d blocks of lines that take the clone, want 1", len(lines))
	}
	beside := t.TempDir()
	if err := os.Symlink(root, filepath.Join(beside, "parley")); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(beside, "own")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	var program strings.Builder
	program.WriteString("package main\n\nimport (\n")
	for _, module := range modules(t, root) {
		if module == library {
			module += "/hosts/go" // its root holds no package
		}
		program.WriteString("\t_ \"" + module + "\"\n")
	}
	program.WriteString(")\n\nfunc main() { println(\"built\") }\n")
	if err := os.WriteFile(filepath.Join(own, "main.go"), []byte(program.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	command(t, own, environment, "go", "mod", "init", "example.com/own")
	command(t, own, environment, "sh", "-ec", string(lines[0][1]))
	command(t, own, environment, "go", "build", ".")
}

// modules are those that users require: go.work gives them this checkout for as long as they are not published.
func modules(t *testing.T, root string) (paths []string) {
	t.Helper()
	edit := exec.CommandContext(t.Context(), "go", "work", "edit", "-json")
	edit.Dir = root
	out, err := edit.Output()
	if err != nil {
		t.Fatalf("go work edit: %v", err)
	}
	var work struct {
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal(out, &work); err != nil {
		t.Fatal(err)
	}
	for _, replaced := range work.Replace {
		paths = append(paths, replaced.Old.Path)
	}
	if len(paths) < 4 {
		t.Fatalf("go.work replaces %q, want the library and the modules beside it", paths)
	}
	return paths
}
