package sentence_test

import (
	"flag"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the catalogues")

const home = "github.com/parley-mcp/parley/"

// catalogues are who says something, and the packages that import all where it
// stands. What the engine says is not told of hosts again.
var catalogues = []struct {
	name  string
	roots []string
}{
	{"engine", []string{"wasm/guest", "wasm/extism"}},
	{"go", []string{"hosts/go", "hosts/go/gosdk"}},
}

// All templates are on record, for hosts that translate: what is new or gone is
// seen. A template is a constant of the type Text, so the compiler finds them.
func TestCatalogue(t *testing.T) {
	s := sources{files: token.NewFileSet(), packages: map[string]*types.Package{}}
	told := map[string]bool{}
	for _, c := range catalogues {
		for _, root := range c.roots {
			if _, err := s.Import(home + root); err != nil {
				t.Fatal(err)
			}
		}
		all := map[string]bool{}
		for p := range s.asts {
			if told[p] {
				continue
			}
			told[p] = true
			for template, where := range s.templates(t, p) {
				all[template] = true
				checkPlaces(t, where, template)
			}
		}
		if len(all) < 40 {
			t.Errorf("%s says only %d sentences", c.name, len(all))
		}
		file := "testdata/" + c.name + ".txt"
		got := strings.Join(slices.Sorted(maps.Keys(all)), "\n") + "\n"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != got {
			t.Errorf("%s: %v: what is said has changed: go test ./sentence -update, and translate it in apps/shared-js/german-sentences.js; got\n%s", file, err, difference(got, string(want)))
		}
	}
}

var place = regexp.MustCompile(`\{(\d)\}`)

// checkPlaces holds a template to what Say does with it.
func checkPlaces(t *testing.T, where, template string) {
	for i, found := range place.FindAllStringSubmatch(template, -1) {
		if want := string(rune('0' + i)); found[1] != want {
			t.Errorf("%s: %q: place {%s} stands where {%s} goes", where, template, found[1], want)
		}
	}
	if strings.ContainsAny(place.ReplaceAllString(template, ""), "{\n\x01\x02\x03") {
		t.Errorf("%s: %q: a brace, a line break or a mark", where, template)
	}
}

func difference(got, want string) string {
	is, was := strings.Split(got, "\n"), strings.Split(want, "\n")
	text := ""
	for _, line := range is {
		if !slices.Contains(was, line) {
			text += "+ " + line + "\n"
		}
	}
	for _, line := range was {
		if !slices.Contains(is, line) {
			text += "- " + line + "\n"
		}
	}
	return text
}

// sources reads packages of this module. Others are as if they were empty: what
// is said does not hang on them.
type sources struct {
	files    *token.FileSet
	packages map[string]*types.Package
	info     map[string]*types.Info
	asts     map[string][]*ast.File
}

func (s *sources) Import(name string) (*types.Package, error) {
	if p := s.packages[name]; p != nil {
		return p, nil
	}
	if inside, ok := strings.CutPrefix(name, home); ok {
		return s.read(inside)
	}
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	s.packages[name] = p
	return p, nil
}

func (s *sources) read(inside string) (*types.Package, error) {
	names, err := filepath.Glob("../" + inside + "/*.go")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_windows.go") {
			continue
		}
		file, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: s, Error: func(error) {}}
	p, _ := config.Check(home+inside, s.files, files, info) // empty packages make errors
	if s.info == nil {
		s.info, s.asts = map[string]*types.Info{}, map[string][]*ast.File{}
	}
	s.packages[home+inside], s.info[inside], s.asts[inside] = p, info, files
	return p, nil
}

// templates are the constants of the type Text in a package, and where each is.
func (s *sources) templates(t *testing.T, inside string) map[string]string {
	found := map[string]string{}
	for _, file := range s.asts[inside] {
		ast.Inspect(file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			is, ok := s.info[inside].Types[e]
			if !ok || is.Type == nil || is.Type.String() != home+"sentence.Text" {
				return true
			}
			where := s.files.Position(e.Pos()).String()
			if is.Value == nil {
				if _, joins := e.(*ast.BinaryExpr); joins && inside != "sentence" {
					t.Errorf("%s: sentences are not joined by +: no host could take them apart", where)
				}
				return true
			}
			if text := constant.StringVal(is.Value); strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz{") {
				found[text] = where
			}
			return false // not what it is made of
		})
	}
	return found
}
