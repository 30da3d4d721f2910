package coverage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// source finds what proofs name, below the root of the repository.
type source struct {
	root  string
	suite *suite
	texts map[string]string
}

func (s *source) text(path string) (string, error) {
	if text, ok := s.texts[path]; ok {
		return text, nil
	}
	text, err := os.ReadFile(filepath.Join(s.root, path))
	s.texts[path] = string(text)
	return string(text), err
}

// replay is a test that plays scripts, as the cells have it.
type replay struct{ word, test string }

// The tests that replay the corpus, by column.
var (
	replaysSessions = map[string]replay{
		"go":   {"sessions", "hosts/go/corpus_session_test.go TestSessionCorpus"},
		"node": {"sessions", "hosts/js/test/suites/corpus.js corpus of sessions, on the engine"},
		"page": {"sessions", "hosts/js/test/suites/corpus.js corpus of sessions, on the engine"},
	}
	replaysFlows = map[string]replay{
		"go":     {"flows", "hosts/go/corpus_test.go TestCorpus"},
		"node":   {"flows", "hosts/js/test/suites/corpus.js corpus, ${mode}, by the package's frames"},
		"page":   {"flows", "hosts/js/test/suites/corpus.js corpus, ${mode}, by the package's frames"},
		"plugin": {"flows", "tests/extism/corpus_test.go TestCorpus"},
	}
	// Its scripts are those of 2025-11-25, and its module is the one that every
	// host loads.
	replaysJune = map[string]replay{
		"go":   {"sessions", "hosts/go/corpus_june_test.go TestSessionCorpusInJune"},
		"node": {"sessions", "hosts/go/corpus_june_test.go TestSessionCorpusInJune"},
		"page": {"sessions", "hosts/go/corpus_june_test.go TestSessionCorpusInJune"},
	}
)

// What a script has in it that tests/extism skips, by the reasons given there.
var notByPlugin = regexp.MustCompile(`"type":"(speak|taskChanged)"`)

// cells are the entries of one row, by column, as Markdown: the tests of its own,
// then what is played, or why there is nothing.
func (s *source) cells(version string, proofs, defaults []proof) (map[string][]string, error) {
	cells, played := map[string][]string{}, map[string][]string{}
	var faults []error
	for i, p := range append(slices.Clone(proofs), defaults...) {
		if i >= len(proofs) && len(cells[p.column])+len(played[p.column]) > 0 {
			continue
		}
		if err := s.add(version, p, cells, played); err != nil {
			faults = append(faults, fmt.Errorf("features.txt:%d: %w", p.line, err))
		}
	}
	for _, host := range hosts {
		if own := cells[host.name]; len(own) != 1 || !strings.HasPrefix(own[0], none) {
			cells[host.name] = append(own, played[host.name]...)
		}
		if len(cells[host.name]) == 0 {
			faults = append(faults, fmt.Errorf("nothing proves it for %s", host.title))
		}
	}
	return cells, errors.Join(faults...)
}

// none begins a cell that says why there is no test.
const none = "– "

func (s *source) add(version string, p proof, cells, played map[string][]string) error {
	switch p.column {
	case "scripts", "flows":
		return s.addScripts(version, p, cells, played)
	case "suite":
		for _, name := range strings.Fields(p.rest) {
			if !s.suite.runs(version, name) {
				return fmt.Errorf("tests/conformance/client does not run %s at %s", name, version)
			}
			for _, column := range []string{"go", "node"} {
				played[column] = append(played[column], "suite: [`"+name+"`](../conformance/client/README.md)")
			}
		}
	default:
		if !isHost(p.column) {
			return fmt.Errorf("there is no column %s", p.column)
		}
		text, err := s.test(p.rest)
		cells[p.column] = append(cells[p.column], text)
		return err
	}
	return nil
}

func (s *source) addScripts(version string, p proof, cells, played map[string][]string) error {
	replays := replaysSessions
	switch {
	case p.column == "flows":
		replays = replaysFlows
	case version == "2025-06-18":
		replays = replaysJune
	}
	byPlugin := false
	for _, name := range strings.Fields(p.rest) {
		link, text, err := s.script(p.column, name, version)
		if err != nil {
			return err
		}
		cells["scripts"] = append(cells["scripts"], link)
		byPlugin = byPlugin || !notByPlugin.MatchString(text)
	}
	for _, host := range hosts {
		r, ok := replays[host.name]
		if !ok || host.name == "plugin" && !byPlugin {
			continue
		}
		if _, err := s.test(r.test); err != nil {
			return err
		}
		path, _, _ := strings.Cut(r.test, " ")
		played[host.name] = append(played[host.name], "["+r.word+"](../../"+path+")")
	}
	return nil
}

func isHost(name string) bool {
	for _, host := range hosts {
		if host.name == name {
			return true
		}
	}
	return false
}

// script is the link to a script and its text, which must speak the version.
func (s *source) script(kind, name, version string) (link, text string, err error) {
	folder := "engine/testdata/sessions/"
	if kind == "flows" {
		folder = "engine/testdata/flows/"
	}
	if text, err = s.text(folder + name + ".txt"); err != nil {
		return "", "", fmt.Errorf("there is no script %s", name)
	}
	spoken := version
	if version == "2025-06-18" {
		spoken = "2025-11-25" // as of which it is replayed
	}
	if version == "2025-06-18" && !s.replayedInJune(name, text) {
		return "", "", fmt.Errorf("the script %s is not replayed as of 2025-06-18", name)
	}
	earlier := strings.Contains(text, `"dialect":"2025-11-25"`)
	if kind == "flows" && earlier != (version != "2026-07-28") || kind != "flows" && !strings.Contains(text, spoken) {
		return "", "", fmt.Errorf("the script %s does not speak %s", name, version)
	}
	return "[`" + name + "`](../../" + folder + name + ".txt)", text, nil
}

var notInJune = regexp.MustCompile("notInJune = regexp.MustCompile\\(`(.*)`\\)")

// replayedInJune reports whether hosts/go replays a script of 2025-11-25 with the
// version before it.
func (s *source) replayedInJune(name, script string) bool {
	text, _ := s.text("hosts/go/corpus_june_test.go")
	found := notInJune.FindStringSubmatch(text)
	return found != nil && !regexp.MustCompile(found[1]).MatchString(name) &&
		(strings.Contains(script, `"protocolVersion":"2025-11-25`) || strings.Contains(script, `"known":"2025-11-25`))
}

var goTest = regexp.MustCompile(`^(Test|Fuzz|Example)\w*$`)

// test is a cell: a link to a test that exists, or why there is none.
func (s *source) test(words string) (string, error) {
	if reason, ok := strings.CutPrefix(words, "- "); ok {
		return none + reason, nil
	}
	path, name, ok := strings.Cut(words, " ")
	switch {
	case !ok:
		return "", fmt.Errorf("%s: no test is named", words)
	case strings.HasPrefix(path, "https://"):
		return none + "[" + name + "](" + path + ")", nil
	}
	text, err := s.text(path)
	if err != nil {
		return "", err
	}
	if !names(path, text, name) {
		return "", fmt.Errorf("%s has no test %s", path, name)
	}
	return "[" + shown(path, name) + "](../../" + path + ")", nil
}

// names reports whether a file has a test of a name.
func names(path, text, name string) bool {
	if strings.HasSuffix(path, ".go") {
		first, rest, sub := strings.Cut(name, "/")
		return goTest.MatchString(first) && strings.Contains(text, "func "+first+"(") && (!sub || strings.Contains(text, `"`+rest))
	}
	for _, quote := range []string{`"`, "`"} {
		if strings.Contains(text, "test("+quote+name+quote) || strings.Contains(text, "test("+quote+name+"$") {
			return true
		}
	}
	return false
}

func shown(path, name string) string {
	if strings.HasSuffix(path, ".go") {
		return "`" + name + "`"
	}
	return "“" + strings.ReplaceAll(name, "${mode}", "…") + "”"
}
