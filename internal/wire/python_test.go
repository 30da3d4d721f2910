package wire_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Python's types of options have every member, and no other.
func TestPython(t *testing.T) {
	d := describe(t)
	var b strings.Builder
	b.WriteString(`"""The options of calls and sessions.

Written by go test ./internal/wire -update, from the functions that read and write these.
"""

from __future__ import annotations

from typing import Literal, TypedDict
`)
	for _, object := range d.objects() {
		fmt.Fprintf(&b, "\n\nclass %s(TypedDict, total=False):\n    \"\"\"%s\"\"\"\n", object.title, object.of.doc)
		for _, m := range object.of.members {
			of := pythonTypes[m.kind]
			if known := words[object.of.name+"."+m.name]; known != nil {
				of = `Literal["` + strings.Join(known, `", "`) + `"]`
			}
			if m.kind == "Object" {
				of = strings.ToUpper(m.name[:1]) + m.name[1:]
			}
			fmt.Fprintf(&b, "\n    %s: %s\n", m.name, of)
			doc := m.text()
			if doc != "" {
				fmt.Fprintf(&b, "    \"\"\"%s.\"\"\"\n", strings.ToUpper(doc[:1])+strings.TrimSuffix(doc[1:], "."))
			}
		}
	}
	const path = "../../hosts/python/src/parley_mrtr/host/options.py"
	was, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	same(t, path, was, b.String())
}

// How an option is written in Python, by the function that visits it.
var pythonTypes = map[string]string{
	"Int": "int", "Int64": "int", "Number": "int", "Millis": "int", "Timeout": "int",
	"Bool": "bool", "Text": "str", "Texts": "list[str]", "Raw": "bytes | str",
}
