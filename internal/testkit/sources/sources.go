// Package sources tells whether the modules in wasm/ were built from the Go code
// beside them, so that a test that needs one can say so instead of failing in
// places that have nothing to do with it.
package sources

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const library = "github.com/parley-mcp/parley"

// A Record is what a module was made of. It maps each folder of the library to a
// hash of the Go code in it, and each module of others to its version.
type Record map[string]string

// Of returns the record of a main package, such as ./wasm/guest, as it is built
// with some tags: a list with commas. root is the library's folder.
func Of(root, main, tags string) (Record, error) {
	list := exec.Command("go", "list", "-deps", "-tags", "tinygo,"+tags,
		"-f", "{{with .Module}}{{.Path}} {{.Version}} {{$.Dir}}{{end}}", main)
	list.Dir, list.Stderr = root, os.Stderr
	list.Env = append(os.Environ(), "GOWORK=off", "GOOS=linux", "GOARCH=arm")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", main, err)
	}
	record := Record{}
	for line := range strings.Lines(string(out)) {
		switch f := strings.Split(strings.TrimSuffix(line, "\n"), " "); {
		case len(f) != 3: // of the standard library
		case f[0] != library:
			record[f[0]] = f[1]
		default:
			folder, err := filepath.Rel(root, f[2])
			if err != nil {
				return nil, err
			}
			if record[filepath.ToSlash(folder)], err = hash(f[2]); err != nil {
				return nil, err
			}
		}
	}
	return record, nil
}

// changed returns what is not as the record has it, sorted.
func (r Record) changed(root string) ([]string, error) {
	requirements, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r)) {
		now := r[name]
		if host, _, _ := strings.Cut(name, "/"); strings.Contains(host, ".") {
			if !bytes.Contains(requirements, []byte("\t"+name+" "+now)) {
				names = append(names, name)
			}
			continue
		}
		if now, err = hash(filepath.Join(root, filepath.FromSlash(name))); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		if now != r[name] {
			names = append(names, name)
		}
	}
	return names, nil
}

// Stale says what to do if a module is not of the sources that it would be made
// of now, by the manifest in wasm/. It is "" when all are. root is the library's
// folder; an error is about reading it.
func Stale(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "wasm", "manifest.json"))
	if err != nil {
		return "", err
	}
	var manifest struct {
		Artifacts map[string]struct{ Sources Record }
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", fmt.Errorf("wasm/manifest.json: %w", err)
	}
	folders := map[string]bool{}
	var modules []string
	for _, module := range slices.Sorted(maps.Keys(manifest.Artifacts)) {
		changed, err := manifest.Artifacts[module].Sources.changed(root)
		if err != nil {
			return "", err
		}
		if len(changed) > 0 {
			modules = append(modules, module)
		}
		for _, name := range changed {
			folders[name] = true
		}
	}
	if len(modules) == 0 {
		return "", nil
	}
	return fmt.Sprintf("%s changed: run ./build.sh wasm (wasm/%s %s built before)", strings.Join(slices.Sorted(maps.Keys(folders)), ", "),
		strings.Join(modules, ", wasm/"), map[bool]string{true: "was", false: "were"}[len(modules) == 1]), nil
}

// hash is of the Go code in a folder without its tests, and without comments
// other than directives: rewording one does not make a module stale.
func hash(folder string) (string, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, file := range files {
		name := file.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "file %s\n", name)
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(name, -1, len(text)), text, nil, scanner.ScanComments)
		for {
			_, kind, literal := s.Scan()
			if kind == token.EOF {
				break
			}
			if kind != token.COMMENT || strings.HasPrefix(literal, "//go:") {
				fmt.Fprintf(sum, "%s %q\n", kind, literal)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
