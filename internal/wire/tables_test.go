package wire_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// words are what a text may be, where it is one of a few.
var words = map[string][]string{
	"ask.kind":                 {string(engine.KindElicit), string(engine.KindSample), string(engine.KindListRoots), string(engine.KindAuthorize)},
	"ask.mode":                 {string(engine.ModeForm), string(engine.ModeURL)},
	"sessionOptions.transport": {string(session.HTTP), string(session.Stdio), string(session.Requests)},
	"sessionOptions.dialect":   {"", string(engine.DialectApproved), string(engine.DialectDraft), string(engine.DialectDraftCamel), string(engine.DialectState)},
}

// The tables of wasm/ABI.md have every type and member, and no other.
func TestTables(t *testing.T) {
	d := describe(t)
	const path = "../../wasm/ABI.md"
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(was)
	write := func(name, table string) {
		from, to := "<!-- "+name+", written by go test ./internal/wire -update -->\n", "<!-- end -->"
		at := strings.Index(page, from)
		if at < 0 {
			t.Fatalf("%s has no place for %s", path, name)
		}
		at += len(from)
		end := at + strings.Index(page[at:], to)
		page = page[:at] + table + page[end:]
	}
	write("options", objectTable(d.options("newFlow"), "option"))
	write("limits", objectTable(d.within("newFlow", "limits"), "limit"))
	write("what a host can answer", objectTable(d.can(), "member"))
	write("events", typeTable(atSessions(d.kinds("event")), "what it says", false))
	write("actions", typeTable(atSessions(d.kinds("action")), "the host", true))
	write("snapshot", objectTable(d.shape("restore"), "member"))
	write("info", objectTable(d.shape("info"), "member"))
	write("session", objectTable(d.shape("sessionOptions"), "option"))
	write("events of a session", typeTable(d.kinds("sessionEvent"), "what it says", false))
	write("actions of a session", typeTable(d.kinds("sessionAction"), "the host", true))
	same(t, path, was, page)
}

// same compares what a file should have, or writes it.
func same(t *testing.T, path string, was []byte, want string) {
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(was, []byte(want)) {
		t.Errorf("%s is not what the functions of this package say: go test ./internal/wire -update", path)
	}
}

// atFlows are the types of events and actions between a session and its flows, which
// no host sees.
var atFlows = []string{"response", "part", "lost", "progress", "send", "abandon", "tell", "reply", "resend"}

// atSessions are the types of calls that hosts give and are given.
func atSessions(kinds []shape) []shape {
	return slices.DeleteFunc(kinds, func(k shape) bool { return slices.Contains(atFlows, k.name) })
}

// options are those of a call.
func (d *description) options(function string) shape { return d.within(function, "options") }

// can is what a host can answer.
func (d *description) can() shape {
	of := d.shape("can")
	return shape{"can", of.doc, of.members[0].members}
}

// object is what a host gives, under the name of its type.
type object struct {
	title string
	of    shape
}

func (d *description) objects() []object {
	limits, options, session := d.within("newFlow", "limits"), d.options("newFlow"), d.shape("sessionOptions")
	limits.doc, options.doc, session.doc = "What a server may send.", "The options of a call. Times are in milliseconds.", "The options of a session."
	objects := []object{{"Can", d.can()}, {"Limits", limits}, {"Options", options}, {"Expect", d.shape("restore").without("snapshot")}, {"SessionOptions", session}}
	for i := range objects {
		title := objects[i].title
		objects[i].of.name = strings.ToLower(title[:1]) + title[1:]
	}
	return objects
}

// text is what a member is, with its default.
func (m member) text() string {
	if m.standard == "" {
		return m.doc
	}
	return m.doc + "; " + m.standard + " if absent"
}

// within is an object among the members that a function visits, at any depth.
func (d *description) within(function, object string) shape {
	var find func([]member) []member
	find = func(all []member) []member {
		for _, m := range all {
			if m.name == object {
				return m.members
			}
			if found := find(m.members); found != nil {
				return found
			}
		}
		return nil
	}
	return shape{name: object, members: find(d.shape(function).members)}
}

// typeTable has a row a type. given says that the module writes them, so that what is
// always told is always there.
func typeTable(kinds []shape, meaning string, given bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| type | members | %s |\n|---|---|---|\n", meaning)
	for _, k := range kinds {
		var cells []string
		for _, m := range k.members {
			cell := m.term(given)
			if m.doc != "" {
				cell += ": " + m.doc
			}
			cells = append(cells, cell)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.name, strings.Join(cells, "; "), k.doc)
	}
	return b.String()
}

func objectTable(s shape, what string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | |\n|---|---|\n", what)
	for _, m := range s.members {
		fmt.Fprintf(&b, "| %s | %s |\n", m.term(true), m.text())
	}
	return b.String()
}

// term is a member with what it holds, as the page explains.
func (m member) term(given bool) string {
	name := m.name
	if m.presence == "may" || m.presence == "told" && !given {
		name += "?"
	}
	switch m.kind {
	case "Int", "Int32", "Int64", "Number":
		return "`" + name + ": int`"
	case "Millis", "Timeout":
		return "`" + name + ": ms`"
	case "Bool":
		return "`" + name + ": bool`"
	case "Texts":
		return "`" + name + ": [text]`"
	case "Headers":
		return "`" + name + ": [[name, value]]`"
	case "Object":
		return "`" + name + ": {…}`"
	case "Raw":
		return "**`" + name + "`**"
	}
	return "`" + name + "`"
}
