package wire_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The TypeScript types of the core have every type and member, and no other.
func TestTypeScript(t *testing.T) {
	d := describe(t)
	var b strings.Builder
	b.WriteString(`// Written by go test ./internal/wire -update, from the functions that read and write these.
import type { Bytes } from "./frame.js"
import type { Json } from "./call.js"
import type { Sentence } from "../texts/sentence.js"

/** An object of one of these types, which its member type names. */
export type Typed<Types> = { [Name in keyof Types]: { type: Name } & Types[Name] }[keyof Types]

`)
	for _, object := range d.objects() {
		b.WriteString(comment("", object.of.doc) + "export interface " + object.title + " {\n")
		object.of.properties(&b, "  ", optionTypes, false)
		b.WriteString("}\n\n")
	}
	info := d.shape("info")
	b.WriteString(comment("", info.doc) + "export interface Info {\n")
	info.properties(&b, "  ", answerTypes, true)
	b.WriteString("}\n\n")
	filter := d.shape("filter")
	b.WriteString(comment("", filter.doc) + "export interface SubscriptionFilter {\n")
	filter.properties(&b, "  ", answerTypes, true)
	b.WriteString("}\n")
	for _, group := range []struct {
		name, doc string
		kinds     []shape
		types     map[string]string
		given     bool
	}{
		{"Events", "The events of a call.", atSessions(d.kinds("event")), eventTypes, false},
		{"Actions", "The actions of a call.", atSessions(d.kinds("action")), answerTypes, true},
		{"SessionEvents", "The events of a session, beside those of its calls and `tick`.", d.kinds("sessionEvent"), eventTypes, false},
		{"SessionActions", "The actions of a session, beside those of its calls and `wait`.", d.kinds("sessionAction"), answerTypes, true},
	} {
		b.WriteString("\n" + comment("", group.doc) + "export interface " + group.name + " {\n")
		for _, k := range group.kinds {
			b.WriteString(comment("  ", k.doc))
			if len(k.members) == 0 {
				fmt.Fprintf(&b, "  %s: {}\n", k.name)
				continue
			}
			fmt.Fprintf(&b, "  %s: {\n", k.name)
			k.properties(&b, "    ", group.types, group.given)
			b.WriteString("  }\n")
		}
		b.WriteString("}\n")
	}
	const path = "../../hosts/js/src/engine/wire.d.ts"
	was, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	same(t, path, was, b.String())
}

// How a member is written in TypeScript, by the function that visits it.
var (
	optionTypes = typesOf(map[string]string{"Raw": "Json"})
	eventTypes  = typesOf(map[string]string{"Raw": "Bytes", "Reason": "string | Sentence"})
	answerTypes = typesOf(map[string]string{"Raw": "string"})
)

func typesOf(of map[string]string) map[string]string {
	for _, number := range []string{"Int", "Int32", "Int64", "Number", "Millis", "Timeout"} {
		of[number] = "number"
	}
	of["Bool"], of["Text"], of["Said"], of["Texts"], of["Headers"] = "boolean", "string", "string", "string[]", "[string, string][]"
	return of
}

// properties writes the members of an interface. given says that the module writes them,
// so that what is always told is always there.
func (s shape) properties(b *strings.Builder, indent string, types map[string]string, given bool) {
	for _, m := range s.members {
		of := types[m.kind]
		if known := words[s.name+"."+m.name]; known != nil {
			of = `"` + strings.Join(known, `" | "`) + `"`
		}
		if m.kind == "Object" {
			of = strings.ToUpper(m.name[:1]) + m.name[1:]
		}
		mark := "?"
		if m.presence == "must" || given && m.presence == "told" {
			mark = ""
		}
		doc := m.text()
		b.WriteString(comment(indent, doc))
		fmt.Fprintf(b, "%s%s%s: %s\n", indent, m.name, mark, of)
		if m.kind == "Said" {
			fmt.Fprintf(b, "%s/** The same, to be translated. */\n%ssentence?: Sentence\n", indent, indent)
		}
	}
}

// without is a shape without a member.
func (s shape) without(name string) shape {
	var rest []member
	for _, m := range s.members {
		if m.name != name {
			rest = append(rest, m)
		}
	}
	s.members = rest
	return s
}

func comment(indent, doc string) string {
	if doc == "" {
		return ""
	}
	return indent + "/** " + doc + " */\n"
}
