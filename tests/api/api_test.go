// Package api_test compares what the library exports with what is recorded.
package api_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const library = "github.com/parley-mcp/parley"

var update = flag.Bool("update", false, "record what the library exports now")

// A change of the public surface is seen where it is reviewed: as a change of
// testdata. From the first publication on nothing may be taken away.
func TestRecorded(t *testing.T) {
	packages := load(t)
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !slices.ContainsFunc(packages, func(p *types.Package) bool { return recordOf(p) == file }) {
			t.Errorf("%s is of a package that is gone", file)
		}
	}
	for _, p := range packages {
		t.Run(p.Name(), func(t *testing.T) {
			now := exported(p)
			if *update {
				if err := os.WriteFile(recordOf(p), []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(recordOf(p))
			if err != nil {
				t.Fatal(err)
			}
			recorded := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			for _, line := range recorded {
				if !slices.Contains(now, line) {
					t.Errorf("gone: %s", line)
				}
			}
			for _, line := range now {
				if !slices.Contains(recorded, line) {
					t.Errorf("new: %s", line)
				}
			}
			if t.Failed() {
				t.Logf("If the change is meant, record it: go test ./api -update (in tests). Once a version is published, lines may only be added.")
			}
		})
	}
}

// Few names are easier to learn than many.
func TestFewNames(t *testing.T) {
	most := map[string]int{"engine": 60, "codec": 50, "hosts/go": 40}
	for _, p := range load(t) {
		bound, bounded := most[strings.TrimPrefix(p.Path(), library+"/")]
		delete(most, strings.TrimPrefix(p.Path(), library+"/"))
		names := 0
		for _, name := range p.Scope().Names() {
			if token.IsExported(name) {
				names++
			}
		}
		if bounded && names > bound {
			t.Errorf("%s has %d exported names, more than %d", p.Path(), names, bound)
		}
	}
	for path := range most {
		t.Errorf("there is no package %s", path)
	}
}

// recordOf is the file that has what a package exports, a line each.
func recordOf(p *types.Package) string {
	path := strings.TrimPrefix(p.Path(), library+"/")
	return filepath.Join("testdata", strings.ReplaceAll(path, "/", "_")+".txt")
}

// load reads the library's public packages, those of its tests among them, as
// the compiler knows them.
func load(t *testing.T) []*types.Package {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Name}}\t{{with .Module}}{{.Path}}{{end}}", library+"/...")
	list.Dir, list.Stderr = "../..", os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	data, public := map[string]string{}, []string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		path, name, module := fields[0], fields[2], fields[3]
		data[path] = fields[1]
		ours := module == library || module == library+"/hosts/go/oauth" || module == library+"/hosts/go/store/postgres" || module == library+"/hosts/go/store/redis"
		plugin := strings.HasPrefix(path, library+"/wasm/extism/") // the plug-in's parts, which its tests in another module import
		if ours && name != "main" && !plugin && !slices.Contains(strings.Split(path, "/"), "internal") {
			public = append(public, path)
		}
	}
	read := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(data[path]) })
	var packages []*types.Package
	for _, path := range public {
		p, err := read.Import(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		packages = append(packages, p)
	}
	return packages
}

// exported are a package's names with their types, and those of the members of
// its types.
func exported(p *types.Package) (lines []string) {
	own := types.RelativeTo(p)
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			lines = append(lines, fmt.Sprintf("const %s %s = %s", name, types.TypeString(object.Type(), own), object.Val()))
		case *types.TypeName:
			lines = append(lines, typeLines(object, own)...)
		default:
			lines = append(lines, types.ObjectString(object, own))
		}
	}
	return lines
}

func typeLines(object *types.TypeName, own types.Qualifier) []string {
	name := object.Name()
	if object.IsAlias() {
		return []string{"type " + name + " = " + types.TypeString(types.Unalias(object.Type()), own)}
	}
	lines := []string{"type " + name + " " + kind(object.Type().Underlying(), own)}
	if structure, ok := object.Type().Underlying().(*types.Struct); ok {
		for field := range structure.Fields() {
			if field.Exported() {
				lines = append(lines, fmt.Sprintf("field %s.%s %s", name, field.Name(), types.TypeString(field.Type(), own)))
			}
		}
	}
	methods := types.NewMethodSet(types.NewPointer(object.Type()))
	if types.IsInterface(object.Type()) {
		methods = types.NewMethodSet(object.Type())
	}
	for selection := range methods.Methods() {
		if selection.Obj().Exported() {
			signature := types.TypeString(selection.Type(), own)
			lines = append(lines, fmt.Sprintf("method %s.%s%s", name, selection.Obj().Name(), strings.TrimPrefix(signature, "func")))
		}
	}
	slices.SortStableFunc(lines[1:], func(a, b string) int { return cmp.Compare(a, b) })
	return lines
}

// kind is what a type is, without its members.
func kind(of types.Type, own types.Qualifier) string {
	switch of.(type) {
	case *types.Struct:
		return "struct"
	case *types.Interface:
		return "interface"
	}
	return types.TypeString(of, own)
}
