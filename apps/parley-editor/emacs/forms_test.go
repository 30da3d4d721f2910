//go:build unix

package emacs_test

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
	w.Press("M-:")
	w.Sees("\nEval:")
	enter(w, `(parley-call (car parley-servers) "x" "{}")`)
	w.Sees("┃ Number: A-1", "Cost *: (left out)", "I agree *: (left out)", "Unit: (left empty)", "may be left empty", "Step: 10", "optional, a whole number, a multiple of 5, such as 15",
		"optional, deprecated, the server checks more: not, the pattern “^[A-Z]+$”", "Of the whole answer, the server checks more: minProperties")

	w.Sees("\nCost:") // the type comes first
	enter(w, "text")
	w.SawGo("\nCost: text")
	w.Sees("\nCost:")
	enter(w, "007")
	w.Sees("\nSize:")
	enter(w, "“auto”")
	w.Sees("Size: auto", "\nMails, one more (none to end):", "Cost *: 007", "\n  text\n")
	w.Type("a")
	w.SeesFlat("[Mails must have values that fit: each must be an email address")
	w.Press("Enter") // in vain
	w.SeesFlat("address like name@example.com. Mails, one more (none to end): a")
	enter(w, "@b.example")
	w.SawGo("@b.example")
	w.Sees("\nMails, one more (none to end):")
	w.Press("Enter")
	w.SeesFlat("Mails must be at least 2 values. Mails (default a@b.example, add or take out):")
	enter(w, "Add a value")
	w.Sees("\nMails, one more (none to end):")
	enter(w, "c@d.example")
	w.SawGo("c@d.example")
	enter(w, "e@f.example")
	w.SawGo("e@f.example")
	w.Press("Enter")
	w.SeesFlat("\nMails (default a@b.example, c@d.example, e@f.example, add or take out):")
	enter(w, "Take out 2: c@d.example")
	w.Sees("\nMails (default a@b.example, e@f.example, add or take out):")
	w.Press("Enter")
	w.Sees("\nI agree:", "Mails *: a@b.example, e@f.example")
	w.Press("Enter") // nothing is chosen before
	w.Sees("\nI agree:")
	enter(w, "yes")
	w.Sees("\nUnit:", "I agree *: yes")
	w.Press("Enter")
	w.Sees("\nStep (default 10, C-c C-k clears it):")
	enter(w, "7")
	w.SeesFlat("Step must be a multiple of 5. Step (default 10, C-c C-k clears it): 7")
	w.Press("C-c", "C-k")
	w.Sees("\nCode:", "Step: (left out: the server may use its default)")
	w.Press("Enter")
	w.Sees("\nPick:")
	enter(w, `"1"`)
	w.Sees(`Pick: "1"`, "\nSend this to Work items?")
	enter(w, "Change Cost")
	w.Sees("\nCost (default text):")
	w.Press("Enter")
	w.Sees("\nCost (default 007):")
	w.Press("Enter")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.SeesFlat(`{"cost":"007","size":"auto","mails":["a@b.example","e@f.example"],"sure":true,"unit":null,"pick":"1"}`)
}
