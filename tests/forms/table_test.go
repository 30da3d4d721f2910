package forms_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

// row is what was seen of a server.
type row struct {
	server   server
	offers   []offer
	problems []*form.Problem // of each type, nil if the person was asked
	answers  []*answer
	again    int // answers that were not allowed, so that the form was asked with again
	visited  bool

	count    map[string]int // what the table says
	limits   map[string]int // answers that the SDK does not take, whatever the form says
	reasons  map[string]int // why flat forms were refused
	stricter map[string]int // what Check says of answers that validators take
}

// settle counts, and reports what must not be.
func (r *row) settle(t *testing.T) {
	r.count, r.limits, r.reasons, r.stricter = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for i, o := range r.offers {
		p := r.problems[i]
		r.count[o.Kind]++
		switch {
		case o.Kind != "flat" && p == nil:
			t.Errorf("type %d is %s, and a person was asked: %s", i, o.Kind, o.Schema)
		case o.Kind == "secret" && p.Code != form.Secret:
			t.Errorf("type %d asks for a secret, and is refused for another reason, %v: %s", i, p, o.Schema)
		case o.Kind == "flat" && p == nil:
			r.count["accepted"]++
		case o.Kind == "flat":
			r.count["refused"]++
			r.reasons[nameless(p)]++
			t.Logf("type %d is refused: %v: %s", i, p, o.Schema)
		}
		if o.Kind == "flat" && o.Refuses != "" {
			r.count["not the SDK's way"]++
		}
	}
	r.count["again"] = r.again
	if flat := r.count["flat"]; r.count["accepted"]*100 < flat*wanted {
		t.Errorf("%d of %d flat forms reach the person, want %d of a hundred", r.count["accepted"], flat, wanted)
	}
	for _, a := range r.answers {
		r.settleAnswer(t, a)
	}
}

func (r *row) settleAnswer(t *testing.T, a *answer) {
	what := fmt.Sprintf("type %d: %s\n  of %s", a.of, a.content, a.schema)
	valid := len(a.judged[0])+len(a.judged[1]) == 0
	if a.posted {
		r.count["posted"]++
		switch {
		case a.taken:
			r.count["taken"]++
		case a.limit != "":
			r.limits[a.limit]++
		case r.server.late && r.offers[a.of].Refuses != "":
			r.limits["anything for a form that it refuses, which it says once that is filled in"]++
		case a.excused(a.said):
			r.count["not taken, unchecked"]++
			if *list {
				t.Logf("not taken, and unchecked: %s\n  by %s", what, a.said)
			}
		default:
			t.Errorf("not taken: %s\n  by %s", what, a.said)
		}
	} else {
		r.count["varied"]++
	}
	switch {
	case a.problem == nil && valid:
		if a.posted {
			r.count["posted, valid"]++
		}
	case a.problem == nil && a.allExcused():
		r.count["invalid, unchecked"]++
		if *list && a.posted {
			t.Logf("posted, not valid, and unchecked: %s\n  by jsonschema %v, ajv %v", what, a.judged[0], a.judged[1])
		}
	case a.problem == nil:
		t.Errorf("not valid: %s\n  by jsonschema %v, ajv %v", what, a.judged[0], a.judged[1])
	case valid:
		r.stricter[nameless(a.problem)]++
		if *list {
			t.Logf("refused, and valid: %s\n  by %v", what, a.problem)
		}
	default:
		r.count["refused rightly"]++
	}
}

// excused is whether a refusal may be for what only the server checks: it names a field of which that is true, or none at all.
func (a *answer) excused(said string) bool {
	named := func(field string) bool {
		return regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(field) + `(\W|$)`).MatchString(said)
	}
	return slices.Contains(a.unchecked, "") || slices.ContainsFunc(a.unchecked, named) ||
		len(a.unchecked) > 0 && !slices.ContainsFunc(a.fields, named)
}

// allExcused is whether what the validators say is for nothing else.
func (a *answer) allExcused() bool {
	for _, judge := range a.judged {
		for _, found := range judge {
			if !slices.Contains(a.unchecked, found[0]) {
				return false
			}
		}
	}
	return true
}

var quotedName = regexp.MustCompile(`^"(?:[^"\\]|\\.)*" |\b\d+(?:\.\d+)?\b`)

// nameless is a problem without the name of its property and without numbers.
func nameless(p *form.Problem) string {
	return quotedName.ReplaceAllStringFunc(p.Error(), func(found string) string {
		if found[0] == '"' {
			return ""
		}
		return "N"
	})
}

const head = `# forms

Which forms of SDKs reach the person, and whether servers take the answers. This page is generated: ` + "`go test ./forms -update`" + ` in ` + "`tests`" + `
writes it from what was seen.

A server on each SDK asks with 200 types as people write them, drawn by a seed: ` + "`python/models.py`, `npm/schemas.js`, `gosdk/structs.go` and `rust/build.rs`" + `.
Some are *nested* (an object, a dictionary, a list of objects, anything) and some ask for a *secret*: those must be refused, each. Of the others, which are
*flat*, Parley has to ask with 98 of 100. What the SDK's own way to ask refuses, the server asks with otherwise, and holds the answer against the type itself.

Each form is filled in three times: everything as a person types it, what is required only, and at the limits of what the form allows, after an answer
that is not allowed and must not be posted. A posted answer has to be taken by the server and valid for ` + "`jsonschema` and `ajv`" + `. There are two exceptions.
Of what only the server checks (*unchecked*: a pattern, a format of another name) Parley says so. And some SDKs do not take values that their own forms ask for.
In rounds the Python SDK 2 drops ` + "`$defs`" + ` and what else is at the root of a schema, so its server writes enumerations out. The TypeScript SDK 2 and rmcp drop ` + "`writeOnly`" + `.
` + "*Varied* are 20 more answers of each form, near the limits, which are judged and not posted: what `form.Schema.Check` takes of them has to be valid, too." + `

`

// columns are the table: a title, and what it counts.
var columns = []struct{ title, key string }{
	{"nested, refused", "nested"}, {"secret, refused", "secret"}, {"flat", "flat"}, {"of these not asked in the SDK's own way", "not the SDK's way"},
	{"reach the person", "accepted"}, {"refused", "refused"}, {"not allowed, and asked again", "again"}, {"answers posted", "posted"}, {"taken", "taken"}, {"not taken, unchecked", "not taken, unchecked"},
}

var judgedColumns = []struct{ title, key string }{
	{"posted and valid", "posted, valid"}, {"varied", "varied"}, {"refused rightly", "refused rightly"}, {"not valid, unchecked", "invalid, unchecked"},
}

func page(rows []*row) string {
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "The seed is %d.\n\n| SDK | version | types |", *seed)
	for _, c := range columns {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n|" + strings.Repeat("---|", 3+len(columns)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s |", r.server.name, r.server.version(), r.server.types)
		for _, c := range columns {
			fmt.Fprintf(&b, " %d |", r.count[c.key])
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| SDK |")
	for _, c := range judgedColumns {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n|" + strings.Repeat("---|", 1+len(judgedColumns)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.server.name)
		for _, c := range judgedColumns {
			fmt.Fprintf(&b, " %d |", r.count[c.key])
		}
		b.WriteString("\n")
	}
	section(&b, "Answers that an SDK does not take, whatever the form says", rows, func(r *row) map[string]int { return r.limits })
	section(&b, "Flat forms that are refused", rows, func(r *row) map[string]int { return r.reasons })
	section(&b, "Answers that are refused although validators take them", rows, func(r *row) map[string]int { return r.stricter })
	return b.String()
}

func section(b *strings.Builder, title string, rows []*row, of func(*row) map[string]int) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	before := b.Len()
	for _, r := range rows {
		for _, key := range slices.Sorted(maps.Keys(of(r))) {
			fmt.Fprintf(b, "- %s: %s, %d times\n", r.server.name, key, of(r)[key])
		}
	}
	if b.Len() == before {
		b.WriteString("None.\n")
	}
}

// checkReadme compares the page with what was seen, if everything was.
func checkReadme(t *testing.T, rows []*row) {
	t.Helper()
	if t.Failed() && !*update || slices.ContainsFunc(rows, func(r *row) bool { return !r.visited || r.count == nil }) {
		t.Log("README.md is not compared: not every server was used, or a form or an answer is not as it has to be")
		return
	}
	text := page(rows)
	if *update {
		if err := os.WriteFile("README.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := os.ReadFile("README.md"); err != nil || string(written) != text {
		t.Errorf("README.md is not what was seen (%v): go test ./forms -update writes it", err)
	}
}
