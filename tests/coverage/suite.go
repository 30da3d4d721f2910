package coverage

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// suite is the official conformance suite as tests/conformance runs it. Each
// run.sh fails if the suite has a scenario that its lists do not name.
type suite struct{ client, server []scenario }

// scenario is a line of the lists: one that is run with the number of checks it
// makes, or one that is left out with the reason.
type scenario struct{ version, name, checks, reason string }

// readSuite reads the lists.
func readSuite(root string) (*suite, error) {
	client, err := readLists(filepath.Join(root, "tests/conformance/client/run.sh"))
	if err != nil {
		return nil, err
	}
	server, err := readLists(filepath.Join(root, "tests/conformance/server/run.sh"))
	return &suite{client, server}, err
}

var (
	runsList = regexp.MustCompile(`(?s)\nruns='\n(.*?)'\n`)
	leftList = regexp.MustCompile(`(?s)\nleft_out='\n(.*?)'\n`)
)

func readLists(path string) (list []scenario, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	runs, left := runsList.FindSubmatch(text), leftList.FindSubmatch(text)
	if runs == nil || left == nil {
		return nil, fmt.Errorf("%s has not both lists", path)
	}
	for line := range strings.Lines(string(runs[1])) {
		words := strings.Fields(line)
		if len(words) > 1 && (isVersion(words[0]) || words[0] == "extension") {
			list = append(list, scenario{version: words[0], name: words[1], checks: words[2]})
		} else {
			list = append(list, scenario{version: versionOf(words[0]), name: words[0], checks: words[1]})
		}
	}
	reason := ""
	for line := range strings.Lines(string(left[1])) {
		name, why, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if why != "the same" {
			reason = why
		}
		list = append(list, scenario{version: versionOf(name), name: name, reason: reason})
	}
	return list, nil
}

// versionOf is where a scenario belongs whose line does not say it.
func versionOf(name string) string {
	for _, extension := range []string{"tasks-", "sep-2640-", "auth/dpop", "auth/wif"} {
		if strings.HasPrefix(name, extension) {
			return "extension"
		}
	}
	return "2026-07-28"
}

// runs reports whether the client's run.sh runs a scenario.
func (s *suite) runs(version, name string) bool {
	for _, one := range s.client {
		if one.version == version && one.name == name && one.reason == "" {
			return true
		}
	}
	return false
}

// table is all scenarios of 2026-07-28 and of extensions, as Markdown.
func (s *suite) table() string {
	var b strings.Builder
	b.WriteString("| scenario | of | against | checks |\n|---|---|---|---|\n")
	passed, left := 0, 0
	for _, side := range []struct {
		against string
		list    []scenario
	}{{"client, Go and Node", s.client}, {"server", s.server}} {
		for _, one := range side.list {
			if one.version != "2026-07-28" && one.version != "extension" {
				continue
			}
			result := one.checks + " of " + one.checks
			switch {
			case one.reason != "":
				result = "– not run: " + one.reason
				left++
			case one.checks == "skipped":
				result = "– the suite itself skips it: it does not listen yet"
				left++
			default:
				passed++
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", one.name, one.version, side.against, result)
		}
	}
	return fmt.Sprintf("%d scenarios pass, every check of them; %d are not run.\n\n", passed, left) + b.String()
}
