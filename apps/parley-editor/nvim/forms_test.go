//go:build unix

package nvim_test

import (
	"testing"

	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

// TestForms fills in what servers ask for beyond the specification's subset.
func TestForms(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.url = editortest.Asking(t, `{"type":"object","required":["cost","mails","sure","unit"],"minProperties":1,"properties":{
		"id":{"type":"string","title":"Number","default":"A-1","readOnly":true},
		"cost":{"anyOf":[{"type":"number"},{"type":"string"}],"title":"Cost"},
		"size":{"anyOf":[{"type":"integer"},{"const":"auto"}],"title":"Size"},
		"mails":{"type":"array","title":"Mails","items":{"type":"string","format":"email"},"minItems":2},
		"sure":{"const":true,"title":"I agree"},
		"unit":{"type":["string","null"],"title":"Unit"},
		"step":{"type":"integer","title":"Step","multipleOf":5,"default":10,"examples":[15]},
		"code":{"type":"string","title":"Code","pattern":"^[A-Z]+$","not":{"const":"X"},"deprecated":true},
		"pick":{"enum":[1,"1"],"title":"Pick"}}}`)
	w := d.start()
	call(w, "x {}")
	w.Sees("┃ Number: A-1", "Cost *: (left out)", "I agree *: (left out)", "Unit: (left empty)", "may be left empty", "Step: 10", "optional, a whole number, a multiple of 5, such as 15",
		"optional, deprecated, the server checks more: not, the pattern “^[A-Z]+$”", "Of the whole answer, the server checks more: minProperties")

	to(w, "Cost") // the type comes first
	w.Sees("1: a number", "2: text")
	w.Type("2")
	w.Press("Enter")
	w.Sees("\nCost:")
	w.Type("007")
	w.Press("Enter")
	w.Sees("Cost *: 007", "│  text ")

	to(w, "Size")
	w.Sees("1: a whole number", "2: “auto”", "3: (leave it out)")
	w.Type("2")
	w.Press("Enter")
	w.Sees("Size: auto")

	to(w, "Mails")
	w.Sees("\nMails, one more (none to end):")
	w.Type("a")
	w.Press("Enter")
	w.SeesFlat("Mails must have values that fit: each must be an email address")
	w.Type("@b.example")
	w.Press("Enter")
	w.Sees("  - a@b.example", "  ! Mails must be at least 2 values", "\nMails, one more (none to end):")
	w.Type("c@d.example")
	w.Press("Enter")
	w.Sees("  - c@d.example")
	w.Type("e@f.example")
	w.Press("Enter")
	w.Sees("Mails *: a@b.example, c@d.example, e@f.example")
	w.Press("Enter")
	w.SawGo("one more (none")
	to(w, "  - e@f")
	w.Sees("1: Change it", "2: Take it out")
	w.Type("1")
	w.Press("Enter")
	w.Sees("\nMails: e@f.example")
	w.Press("C-u")
	w.Type("g@h.example")
	w.Press("Enter")
	w.Sees("Mails *: a@b.example, c@d.example, g@h.example")
	to(w, "  - c@d")
	w.Sees("2: Take it out")
	w.Type("2")
	w.Press("Enter")
	w.Sees("Mails *: a@b.example, g@h.example")

	to(w, "I agree") // nothing is chosen before
	w.Sees("1: yes")
	w.Type("1")
	w.Press("Enter")
	w.Sees("I agree *: yes")

	to(w, "Step")
	w.Sees("\nStep: 10")
	w.Press("C-u")
	w.Type("7")
	w.Press("Enter")
	w.Sees("Step must be a multiple of 5. Step: 7")
	w.Press("Escape") // C-c may interrupt what the next key does
	w.SawGo("must be a multiple")
	to(w, "  [leave it out: the")
	w.Sees("Step: (left out: the server may use its default)")

	to(w, "Pick")
	w.Sees("1: 1", `2: "1"`, "3: (leave it out)")
	w.Type("2")
	w.Press("Enter")
	w.Sees(`Pick: "1"`)
	to(w, "[ Send")
	w.SeesFlat(`{"cost":"007","size":"auto","mails":["a@b.example","g@h.example"],"sure":true,"unit":null,"pick":"1"}`)
}
