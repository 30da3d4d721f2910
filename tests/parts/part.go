package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// part is a folder with a test.sh.
type part struct {
	name    string   // the folder, from the root of the repository
	needs   []string // beside Go, Node and npm
	seconds int      // how long it takes, about
}

// find returns the parts below root, by name.
func find(root string) ([]part, error) {
	var parts []part
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path != root:
			return nil // another process removed it
		case err != nil:
			return err
		case entry.IsDir() && path != root && (entry.Name() == "node_modules" || entry.Name()[0] == '.'):
			return fs.SkipDir
		case entry.Name() != "test.sh":
			return nil
		}
		p, err := read(path)
		if err != nil {
			return err
		}
		p.name, err = filepath.Rel(root, filepath.Dir(path))
		parts = append(parts, p)
		return err
	})
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, err
}

var (
	needsLine   = regexp.MustCompile(`(?m)^# needs: *(.*)$`)
	secondsLine = regexp.MustCompile(`(?m)^# seconds: *(\d+)$`)
)

// read returns what a test.sh says of itself.
func read(path string) (part, error) {
	text, err := os.ReadFile(path)
	p := part{seconds: 10}
	if line := needsLine.FindSubmatch(text); line != nil {
		for _, need := range strings.Fields(string(line[1])) {
			if need != "go" && need != "node" && need != "npm" {
				p.needs = append(p.needs, need)
			}
		}
	}
	if line := secondsLine.FindSubmatch(text); line != nil {
		p.seconds, _ = strconv.Atoi(string(line[1]))
	}
	return p, err
}

// split separates what Go, Node and npm can test from what needs more.
func split(parts []part) (quick, more []part) {
	for _, p := range parts {
		if len(p.needs) == 0 {
			quick = append(quick, p)
		} else {
			more = append(more, p)
		}
	}
	return quick, more
}

// choose returns the parts that the arguments of "test" ask for, each once. Parts
// in tests are known without that folder too, as "race".
func choose(parts []part, args []string) ([]part, error) {
	switch {
	case len(args) == 0:
		quick, _ := split(parts)
		return quick, nil
	case len(args) == 1 && args[0] == "all":
		return parts, nil
	}
	var chosen []part
	for _, arg := range args {
		name := strings.TrimSuffix(strings.TrimSuffix(arg, "/"), "/test.sh")
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == name || p.name == "tests/"+name })
		if i < 0 {
			return nil, fmt.Errorf("no part is called %s (./build.sh parts lists them)", name)
		}
		if !slices.Contains(names(chosen), parts[i].name) {
			chosen = append(chosen, parts[i])
		}
	}
	return chosen, nil
}

func names(parts []part) []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}
