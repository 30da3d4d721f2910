package api_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// layers are the library's folders from the bottom up. A package imports packages of its own layer and of those below it:
// what decides knows nothing of what carries it.
var layers = [][]string{
	{"rawjson", "sentence"},
	{"internal/canon", "internal/codecwire", "internal/fields", "engine/internal/message"},
	{"codec", "engine/audit", "engine/fault", "engine/form"},
	{"engine"}, // with engine/internal
	{"engine/session"},
	{"internal/wire"},
	{"wasm"},
	{"hosts/go"},
	{"apps", "examples"},
}

// testkit is for tests alone, whatever their layer.
const testkit = "internal/testkit"

func TestImportsPointDown(t *testing.T) {
	list := exec.Command("go", "list", "-f", "{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}\n{{end}}", "./...", "./apps/...", "./examples/...")
	list.Dir, list.Stderr = "../..", os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	arrows := 0
	for line := range strings.Lines(string(out)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		from, fromOurs := strings.CutPrefix(from, library+"/")
		to, toOurs := strings.CutPrefix(to, library+"/")
		if !fromOurs || !toOurs || within(from, testkit) {
			continue
		}
		arrows++
		switch {
		case within(to, testkit):
			t.Errorf("%s imports %s, which only tests may", from, to)
		case layerOf(from) < 0:
			t.Errorf("%s is in no layer: give its folder one", from)
		case layerOf(to) < 0:
			t.Errorf("%s is in no layer: give its folder one", to)
		case layerOf(to) > layerOf(from):
			t.Errorf("%s imports %s, which is above it", from, to)
		}
	}
	if arrows < 100 {
		t.Errorf("go list knows only %d imports of ours", arrows)
	}
}

// layerOf is the layer of the innermost folder that has one, -1 if none has.
func layerOf(path string) int {
	layer, longest := -1, 0
	for i, folders := range layers {
		for _, folder := range folders {
			if within(path, folder) && len(folder) > longest {
				layer, longest = i, len(folder)
			}
		}
	}
	return layer
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }
