// Package puritytest holds the core packages to what makes them portable: they
// decide, the host does.
package puritytest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// forbiddenImports reach for the world or are what makes a TinyGo module large.
var forbiddenImports = []string{
	"net", "os", "sync", "context", "math/rand", "crypto/rand", "fmt", "encoding/json", "reflect", "errors", "log", "runtime", "syscall", "unsafe",
}

// Check checks every Go file under dir that is not a test, without the folders
// named in skip, and that there are at least atLeast of them.
func Check(t *testing.T, dir string, atLeast int, skip ...string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || slices.Contains(skip, path)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		checkFile(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < atLeast {
		t.Fatalf("only %d files of %s were checked", files, dir)
	}
}

func checkFile(t *testing.T, path string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		for _, bad := range forbiddenImports {
			if name == bad || strings.HasPrefix(name, bad+"/") {
				t.Errorf("%s imports %s", path, name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
			t.Errorf("%s: goroutines and channels are the host's", set.Position(n.Pos()))
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "panic" {
				t.Errorf("%s: the core never panics", set.Position(n.Pos()))
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "NewTimer", "Tick"}, n.Sel.Name) {
				t.Errorf("%s: time comes in as an argument", set.Position(n.Pos()))
			}
		}
		return true
	})
}
