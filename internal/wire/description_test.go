package wire_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// shape is a type of event or action, or another object, as the functions that visit
// its members describe it.
type shape struct {
	name, doc string
	members   []member
}

type member struct {
	name, doc string
	kind      string // the function that visits it, such as Int; Headers, Said or Object, of which members are
	presence  string // may, must or told
	standard  string // the default of a number, "" if it has none
	of        string // the function that visits an object
	members   []member
}

// description is what the functions of this package and of engine.Options say.
type description struct {
	t      *testing.T
	fset   *token.FileSet
	funcs  map[string]*ast.FuncDecl
	notes  map[string]string // what stands behind a line, by its place
	consts map[string]string
}

// visitors are the types that have functions which visit members.
var visitors = map[string]bool{"*walk": true, "*Options": true, "*Limits": true}

func describe(t *testing.T) *description {
	d := &description{t, token.NewFileSet(), map[string]*ast.FuncDecl{}, map[string]string{}, map[string]string{}}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "../../engine/options.go", "../../engine/pacing.go") {
		if !strings.HasSuffix(name, "_test.go") {
			d.read(name)
		}
	}
	return d
}

func (d *description) read(name string) {
	file, err := parser.ParseFile(d.fset, name, nil, parser.ParseComments)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, group := range file.Comments {
		d.notes[d.line(group)] = strings.TrimSpace(strings.ReplaceAll(group.Text(), "\n", " "))
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv != nil && visitors[types.ExprString(decl.Recv.List[0].Type)] {
				d.funcs[decl.Name.Name] = decl
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.CONST && len(value.Values) == 1 {
					d.consts[value.Names[0].Name] = types.ExprString(value.Values[0])
				}
			}
		}
	}
}

func (d *description) line(n ast.Node) string {
	at := d.fset.Position(n.Pos())
	return at.Filename + ":" + strconv.Itoa(at.Line)
}

// shape is what a function visits.
func (d *description) shape(function string) shape {
	decl := d.funcs[function]
	if decl == nil {
		d.t.Fatalf("there is no function %s", function)
	}
	doc := strings.TrimSpace(strings.ReplaceAll(decl.Doc.Text(), "\n", " "))
	return shape{function, doc, d.members(decl.Body)}
}

// kinds are the types that a function tells apart by name.
func (d *description) kinds(function string) (kinds []shape) {
	ast.Inspect(d.funcs[function].Body, func(n ast.Node) bool {
		clause, ok := n.(*ast.CaseClause)
		if !ok || len(clause.List) != 1 {
			return true
		}
		kind := shape{name: text(clause.List[0].(*ast.CallExpr).Args[0]), doc: d.notes[d.line(clause)]}
		ast.Inspect(clause, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "get" {
				of := d.shape(call.Args[1].(*ast.SelectorExpr).Sel.Name)
				kind.doc, kind.members = of.doc, of.members
			}
			return true
		})
		if kind.doc == "" {
			d.t.Errorf("no comment says what %s means", kind.name)
		}
		kinds = append(kinds, kind)
		return false
	})
	return kinds
}

// members are those that a block visits, in order.
func (d *description) members(block *ast.BlockStmt) (members []member) {
	into := &members
	ast.Inspect(block, func(n ast.Node) bool {
		if branch, ok := n.(*ast.IfStmt); ok && types.ExprString(branch.Cond) == "w.Flat()" { // of snapshots
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if m, ok := d.member(call); ok {
			*into = append(*into, m)
			if m.kind == "Object" { // what follows is within it
				into = &(*into)[len(*into)-1].members
			}
			return false
		}
		switch called := name(call.Fun); called {
		case "Leave":
			into = &members
		case "said":
			*into = append(*into, member{name: text(call.Args[1]), doc: d.notes[d.line(call)], kind: "Said", presence: presence(call.Args[2])})
		case "reason":
			*into = append(*into, member{name: "reason", doc: "for the person who reads the error, without secrets", kind: "Reason", presence: presence(call.Args[0])})
		case "headers":
			*into = append(*into, member{name: "headers", doc: d.notes[d.line(call)], kind: "Headers", presence: presence(call.Args[0])})
		case "can", "error":
			of := d.shape(called)
			object := of.members[0]
			if object.doc, object.of = d.notes[d.line(call)], called; object.doc == "" {
				object.doc = of.doc
			}
			*into = append(*into, object)
		case "filter", "ask", "Fields", "numbers", "fields", "members":
			*into = append(*into, d.members(d.funcs[called].Body)...)
		default:
			return true
		}
		return false
	})
	return members
}

// member is the one that a call visits, if it visits one.
func (d *description) member(call *ast.CallExpr) (m member, ok bool) {
	m = member{kind: name(call.Fun), presence: "may", doc: d.notes[d.line(call)]}
	switch m.kind {
	case "Int", "Int32", "Int64", "Bool", "Text", "Raw", "Millis":
		m.presence = presence(call.Args[1])
	case "Number", "Timeout":
		m.standard = d.value(call.Args[3])
	case "Texts":
	case "Nested":
		m.kind = "Object"
	default:
		return m, false
	}
	first := call.Args[0]
	if either, ok := first.(*ast.CallExpr); ok {
		first = either.Args[0]
	}
	if _, ok := first.(*ast.BasicLit); !ok {
		return m, false
	}
	m.name = text(first)
	return m, true
}

// value is a default; that of a time is in milliseconds.
func (d *description) value(e ast.Expr) string {
	written := types.ExprString(e)
	if of := d.consts[written]; of != "" {
		written = of
	}
	written = strings.NewReplacer("time.Second", "1000", "time.Minute", "60000", "time.Millisecond", "1").Replace(written)
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, written)
	if err != nil {
		d.t.Fatal(err)
	}
	if value.Value.String() == "0" {
		return ""
	}
	return value.Value.String()
}

// presence is that of a visit. One that depends on something is as it is for hosts.
func presence(e ast.Expr) string {
	if at := strings.ToLower(name(e)); at == "may" || at == "must" || at == "told" {
		return at
	}
	return "must"
}

func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func text(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok {
		if text, err := strconv.Unquote(lit.Value); err == nil {
			return text
		}
	}
	return ""
}
