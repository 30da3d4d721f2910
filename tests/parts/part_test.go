package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// write makes a folder of fake parts: the test.sh of each by the part's name.
func write(t *testing.T, scripts map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, script := range scripts {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name, "test.sh"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func findIn(t *testing.T, root string) []part {
	t.Helper()
	parts, err := find(root)
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

var fakes = map[string]string{
	"apps/page":                    "# Words.\n# needs: go node npm chromium redis\n# seconds: 300\n",
	"apps/kit":                     "# needs: go node npm\n",
	"tests/race":                   "# needs: gcc\n# seconds: 200\n",
	"tests/node_modules/a":         "",
	".cache/of/tests":              "",
	"tests/signin/.built/a":        "",
	"examples/in/two/folders/more": "echo '# needs: nothing, as this line is no comment'\n",
}

func TestFind(t *testing.T) {
	var got []string
	parts := findIn(t, write(t, fakes))
	for _, p := range parts {
		got = append(got, strings.Join(append([]string{p.name}, p.needs...), " "))
	}
	want := []string{"apps/kit", "apps/page chromium redis", "examples/in/two/folders/more", "tests/race gcc"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	for i, seconds := range []int{10, 300, 10, 200} {
		if parts[i].seconds != seconds {
			t.Errorf("%s takes %d s, want %d", parts[i].name, parts[i].seconds, seconds)
		}
	}
}

func TestChoose(t *testing.T) {
	parts := findIn(t, write(t, fakes))
	tests := map[string]struct{ args, want string }{
		"none":           {"", "apps/kit examples/in/two/folders/more"},
		"all":            {"all", "apps/kit apps/page examples/in/two/folders/more tests/race"},
		"a name":         {"apps/page", "apps/page"},
		"a folder":       {"apps/page/", "apps/page"},
		"a file":         {"apps/page/test.sh", "apps/page"},
		"in tests":       {"race apps/kit", "tests/race apps/kit"},
		"twice":          {"race apps/kit tests/race/", "tests/race apps/kit"},
		"unknown":        {"apps/kit apps", "no part is called apps (./build.sh parts lists them)"},
		"all and others": {"all apps/kit", "no part is called all (./build.sh parts lists them)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			chosen, err := choose(parts, strings.Fields(tt.args))
			got := strings.Join(names(chosen), " ")
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	var out strings.Builder
	list(&out, findIn(t, write(t, fakes)))
	want := `apps/kit
examples/in/two/folders/more

and with test all:
apps/page                    chromium redis
tests/race                   gcc
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", &out, want)
	}
}
