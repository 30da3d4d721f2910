package release_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Imports point one way: apps, examples, tests -> hosts -> wasm -> engine, codec.
// Go itself would let every module below ours import the library's internal
// packages, because their paths begin with its path.
func TestLayers(t *testing.T) {
	const internal = "internal/"
	tests := map[string]struct{ packages, not []string }{
		"library":  {[]string{"/engine/...", "/codec/...", "/rawjson/...", "/wasm/...", "/hosts/..."}, []string{"apps/", "examples/", "tests/"}},
		"core":     {[]string{"/engine/...", "/codec/...", "/rawjson/..."}, []string{"hosts/", "wasm", "apps/", "examples/", "tests/"}},
		"modules":  {[]string{"/wasm/..."}, []string{"hosts/"}},
		"apps":     {[]string{"/apps/..."}, []string{internal, "engine/internal/", "wasm/internal/", "examples/", "tests/"}},
		"examples": {[]string{"/examples/..."}, []string{internal, "engine/internal/", "wasm/internal/", "apps/", "tests/"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			list := []string{"list", "-f", `{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}{{range .TestImports}}{{$p}} {{.}}{{"\n"}}{{end}}{{range .XTestImports}}{{$p}} {{.}}{{"\n"}}{{end}}`}
			for _, p := range tt.packages {
				list = append(list, library+p)
			}
			out, err := exec.Command("go", list...).CombinedOutput()
			if err != nil {
				t.Fatalf("go list: %v\n%s", err, out)
			}
			for line := range strings.Lines(string(out)) {
				from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
				of, ours := strings.CutPrefix(to, library+"/")
				for _, not := range tt.not {
					if ours && strings.HasPrefix(of, not) {
						t.Errorf("%s imports %s", strings.TrimPrefix(from, library+"/"), of)
					}
				}
			}
		})
	}
}

// A server that seals, and whoever only keeps calls or reads results, links
// neither the host nor a WebAssembly runtime.
func TestServersLinkNoRuntime(t *testing.T) {
	for _, p := range []string{"/hosts/go/seal", "/hosts/go/store", "/hosts/go/store/postgres", "/hosts/go/store/redis", "/hosts/go/schema", "/hosts/go/gosdk"} {
		out, err := exec.Command("go", "list", "-deps", library+p).CombinedOutput()
		if err != nil {
			t.Fatalf("go list: %v\n%s", err, out)
		}
		for dependency := range strings.Lines(string(out)) {
			dependency = strings.TrimSpace(dependency)
			if dependency == library+"/hosts/go" || strings.Contains(dependency, "wazero") || strings.HasPrefix(dependency, library+"/wasm") {
				t.Errorf("%s links %s", p, dependency)
			}
		}
	}
}
