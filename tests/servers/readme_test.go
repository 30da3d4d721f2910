package servers_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// row is what was seen of a server.
type row struct {
	server   server
	listed   listing
	passed   map[string]int // calls, by route
	asked    map[string]int // questions of calls that went well in the Go host, by kind
	complete bool
}

const head = `# servers

Published servers, and small ones on other people's SDKs, used as their users use them: by ` + "`parley`" + ` and by the Go host. This page is generated:
` + "`go test ./servers -update`" + ` in ` + "`tests`" + ` writes it from what was seen, with the versions of the lock files.
` + "`table_test.go` and `published_test.go`" + ` have every server, call and expectation.

The first servers are published programs. The others are small, written as the documentation of their SDK shows, and all have the same:
tools that return a text, return structured content, fail, ask for a form, the client's model or its folders, and report progress and log;
a resource, a template of resources, and a prompt with arguments.

"Asked" is what was asked and answered. In the last two columns the lists, with all their pages, count as one call; ` + "`parley`" + ` lists tools
only. A stateless server keeps no sessions.

| server | version | over | speaks | tools | prompts | resources | templates | asked | ` + "`parley`" + ` | Go host |
|---|---|---|---|---|---|---|---|---|---|---|
`

func (r row) String() string {
	s := r.server
	counts := func(route string) string { return fmt.Sprintf("%d of %d", r.passed[route], 1+len(s.calls)) }
	var asked []string
	for _, kind := range []string{"form", "page", "sampling", "roots"} {
		if r.asked[kind] > 0 {
			asked = append(asked, fmt.Sprintf("%s %d", kind, r.asked[kind]))
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %d | %d | %d | %d | %s | %s | %s |\n", s.name, s.version(), s.transport(), s.speaks,
		len(r.listed.tools), len(r.listed.prompts), len(r.listed.resources), len(r.listed.templates), strings.Join(asked, ", "),
		counts(byCLI), counts(byLibrary))
}

// called is what a server's calls are.
func (s server) called() string {
	var parts []string
	for _, kind := range []struct{ verb, what string }{{"call", "tools"}, {"prompt", "prompts"}, {"read", "resources"}} {
		var names []string
		for _, c := range s.calls {
			if verb, target := c.target(); verb == kind.verb && !slices.Contains(names, "`"+target+"`") && !c.refused {
				names = append(names, "`"+target+"`")
			}
		}
		if len(names) > 0 {
			parts = append(parts, kind.what+" "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// calledList is what is called of each server; those on SDKs have the same.
func calledList() string {
	var b strings.Builder
	var told []string
	for _, s := range servers {
		name := s.name
		if s.sdk {
			name = "on SDKs"
		}
		if !slices.Contains(told, name) {
			told = append(told, name)
			b.WriteString(wrap("- " + name + ": " + s.called()))
		}
	}
	for _, s := range servers {
		if s.without != "" {
			b.WriteString(wrap("- " + s.String() + " without " + s.without))
		}
	}
	return b.String()
}

// wrap breaks an item of a list into lines.
func wrap(item string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Split(item, " ") {
		switch {
		case i == 0:
		case column+len(word) > 150:
			b.WriteString("\n ")
			column = 1
			fallthrough
		default:
			b.WriteString(" ")
		}
		b.WriteString(word)
		column += 1 + len(word)
	}
	return b.String() + "\n"
}

// checkReadme compares the page with what was seen, if everything was.
func checkReadme(t *testing.T, seen []*row) {
	t.Helper()
	if t.Failed() || slices.ContainsFunc(seen, func(r *row) bool { return !r.complete }) {
		t.Log("README.md is not compared: not every server was used, or a call failed")
		return
	}
	var b strings.Builder
	b.WriteString(head)
	for _, r := range seen {
		b.WriteString(r.String())
	}
	b.WriteString("\n## What is called\n\n" + calledList())
	if *update {
		if err := os.WriteFile("README.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile("README.md"); err != nil || string(page) != b.String() {
		t.Errorf("README.md is not what was seen (%v): go test -update writes it", err)
	}
}
