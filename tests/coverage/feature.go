package coverage

import (
	"fmt"
	"strings"
)

// versions are the columns' first dimension, in the order of the tables.
var versions = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// hosts are the columns.
var hosts = []struct{ name, title string }{
	{"go", "Go"}, {"node", "JavaScript, Node"}, {"page", "Browser page"}, {"terminal", "Terminal"}, {"bridge", "Bridge"}, {"plugin", "Plug-in"},
}

// feature is a row in the table of each version.
type feature struct {
	name  string
	cells map[string]*row // by version
}

// row is what proves a feature in one version.
type row struct {
	none   string // why there is nothing to prove
	proofs []proof
}

// proof is one line of features.txt.
type proof struct {
	column string
	rest   string
	line   int
}

// file is features.txt.
type file struct {
	defaults map[string][]proof // by version
	features []*feature
}

// parse reads features.txt.
func parse(text string) (*file, error) {
	f := &file{defaults: map[string][]proof{}}
	var last *feature
	var at []string // the versions that proofs are for
	for i, line := range strings.Split(text, "\n") {
		words := strings.TrimSpace(line)
		fail := func(what string) error { return fmt.Errorf("features.txt:%d: %s: %s", i+1, what, words) }
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case words == "" || strings.HasPrefix(words, "#"):
		case indent == 0:
			last, at = &feature{words, map[string]*row{}}, nil
			if words != "default" {
				f.features = append(f.features, last)
			}
		case indent == 2 && last != nil:
			list, none, _ := strings.Cut(words, ": none, ")
			at = strings.Split(list, ", ")
			for _, v := range at {
				if !isVersion(v) || last.cells[v] != nil {
					return nil, fail("no version, or one that was there")
				}
				last.cells[v] = &row{none: none}
			}
		case indent == 4 && at != nil:
			column, rest, ok := strings.Cut(words, " ")
			if rest = strings.TrimSpace(rest); !ok || rest == "" {
				return nil, fail("no proof")
			}
			for _, v := range at {
				p := proof{column, rest, i + 1}
				if last.name == "default" {
					f.defaults[v] = append(f.defaults[v], p)
				} else {
					last.cells[v].proofs = append(last.cells[v].proofs, p)
				}
			}
		default:
			return nil, fail("not understood")
		}
	}
	for _, one := range f.features {
		for _, v := range versions {
			if one.cells[v] == nil {
				return nil, fmt.Errorf("features.txt: %s says nothing of %s", one.name, v)
			}
		}
	}
	return f, nil
}

func isVersion(v string) bool {
	for _, known := range versions {
		if v == known {
			return true
		}
	}
	return false
}
