package engine_test

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

// The core decides, the host does: nothing in it may reach for the world, and
// what makes a TinyGo module large stays out.
var forbiddenImports = []string{
	"net", "os", "sync", "context", "math/rand", "crypto/rand", "fmt", "encoding/json", "reflect", "errors", "log", "runtime", "syscall", "unsafe",
}

// enginetest is for tests and not part of the core.
var notCore = []string{"enginetest"}

func TestCoreIsPure(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || slices.Contains(notCore, path)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		checkPure(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("only %d files were checked", files)
	}
}

func checkPure(t *testing.T, path string) {
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
