package coverage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const intro = `# What of MCP is in

This page is written by ` + "`go test ./coverage -update`" + ` in ` + "`tests`" + `, from [features.txt](features.txt) and the lists of
[tests/conformance](../conformance); do not edit it. A cell names the tests that prove it, or says why there is none. CI fails if a test is gone, if a
cell is empty, or if the suite has a scenario that is not here.

*Scripts* are [sessions](../../engine/testdata/sessions) and [flows](../../engine/testdata/flows) of the engine, byte by byte. "sessions" and "flows"
in a cell link to the test that replays all of them there: in Go; in Node; and in Chromium, Firefox and WebKit, with Node's suite
([hosts/js/browsers](../../hosts/js/browsers)). The Extism plug-in replays flows. As of 2025-06-18 the scripts are those of 2025-11-25 with that
version, on the engine in Go and on the module that every host loads. "suite:" is a scenario of the official conformance suite. For the bridge, the version is its server's. What other SDKs' servers were met is in
[tests/interop](../interop/README.md), servers that people run in [tests/servers](../servers/README.md), what proposals before 2026-07-28 in
[tests/proposals](../proposals).
`

// page is README.md.
func page(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "tests/coverage/features.txt"))
	if err != nil {
		return "", err
	}
	f, err := parse(string(text))
	if err != nil {
		return "", err
	}
	suite, err := readSuite(root)
	if err != nil {
		return "", err
	}
	s := &source{root: root, suite: suite, texts: map[string]string{}}
	var b strings.Builder
	var faults []error
	b.WriteString(intro)
	for _, v := range versions {
		table, err := s.table(f, v)
		faults = append(faults, err)
		b.WriteString("\n## " + v + "\n\n" + table)
	}
	b.WriteString("\n## The official conformance suite, 2026-07-28\n\n" + suite.table())
	return b.String(), errors.Join(faults...)
}

// table is what is in of one version.
func (s *source) table(f *file, version string) (string, error) {
	var b, none strings.Builder
	var faults []error
	b.WriteString("| |")
	for _, host := range hosts {
		b.WriteString(" " + host.title + " |")
	}
	b.WriteString(" scripts |\n|---|" + strings.Repeat("---|", len(hosts)+1) + "\n")
	for _, one := range f.features {
		r := one.cells[version]
		if r.none != "" {
			none.WriteString("- " + one.name + ": " + r.none + "\n")
			continue
		}
		cells, err := s.cells(version, r.proofs, f.defaults[version])
		if err != nil {
			faults = append(faults, fmt.Errorf("%s, %s: %w", one.name, version, err))
			continue
		}
		b.WriteString("| " + one.name + " |")
		for _, host := range hosts {
			b.WriteString(" " + joined(cells[host.name], 4) + " |")
		}
		b.WriteString(" " + joined(cells["scripts"], 3) + " |\n")
	}
	if none.Len() > 0 {
		b.WriteString("\nNot in this version:\n\n" + none.String())
	}
	return b.String(), errors.Join(faults...)
}

// joined is a cell, with each entry once and no more than fit.
func joined(entries []string, most int) string {
	var shown []string
	seen := map[string]bool{}
	for _, e := range entries {
		if !seen[e] {
			seen[e] = true
			shown = append(shown, strings.ReplaceAll(e, "|", `\|`))
		}
	}
	if len(shown) > most {
		return strings.Join(shown[:most], ", ") + fmt.Sprintf(" and %d more", len(shown)-most)
	}
	return strings.Join(shown, ", ")
}
