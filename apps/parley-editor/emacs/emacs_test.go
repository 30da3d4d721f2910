//go:build unix

package emacs_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/tasktest"
	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

// TestForm fills in forms: choices, numbers, texts; what is wrong shows while it
// is typed and is corrected; nothing is sent before it was reviewed.
func TestForm(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	callDuplicate(w)
	w.Sees("Work items asks", "for the tool update_work_item, round 1", "┃ How was work item 4711 resolved?", "Parley: 1 waiting for you", "\nResolution:")
	w.Press("C-g") // to the review
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("  ! Resolution must be filled in")
	enter(w, "Change Resolution")
	w.Sees("\nResolution:")
	enter(w, "Duplicate")
	w.Sees("Resolution *: Duplicate", "\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("┃ Which other work item does 4711 duplicate?", "round 2", "\nOriginal work item:")
	w.Type("-3")
	w.Sees("Original work item: -3 [Original work item must be at least 1]")
	w.Press("Enter")
	w.Sees("\nOriginal work item must be at least 1. Original work item: -3")
	w.Press("C-a", "C-k")
	enter(w, "4242")
	w.Sees("\nComment:")
	enter(w, "Same crash")
	w.Sees("Original work item *: 4242", "Comment: Same crash", "\nSend this to Work items?")
	enter(w, "Send")
	w.Sees(`Work item 4711 is now Resolved as a duplicate of 4242. Comment: "Same crash".`, "<>")
}

// TestMarks fills in a form with a boolean, a number with bounds and marks.
func TestMarks(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, "provision_vm", "size", "small")
	w.Sees("\nregion (default westeurope, C-c C-k clears it):")
	w.Press("Enter")
	w.Sees("\nI accept the monthly cost (default No):")
	enter(w, "Yes")
	w.Sees("\nData disks (default 1, C-c C-k clears it):")
	enter(w, "2")
	w.Sees("\nTags (default none, mark or unmark):")
	enter(w, "[ ] Test")
	w.Sees("\nTags (default Test, mark or unmark):")
	enter(w, "Done")
	w.Sees("Tags: Test", "\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("Provisioned a small machine", "2 data disk(s) and tags test")
}

// TestDefaults takes the defaults of every kind of field by RET, and then does
// something else with each of them.
func TestDefaults(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.url = editortest.Asking(t, `{"type":"object","required":["who","ok"],"properties":{
		"who":{"type":"string","default":"me"},
		"note":{"type":"string","default":"`+strings.Repeat("long ", 20)+`\nand two lines"},
		"day":{"type":"string","format":"date","default":"2026-10-01"},
		"cents":{"type":"integer","default":4200},
		"rate":{"type":"number","default":1.50},
		"ok":{"type":"boolean","default":false},
		"how":{"type":"string","enum":["cash","card"],"default":"card"},
		"tags":{"type":"array","items":{"type":"string","enum":["red","green","blue"]},"default":["green","blue"]}}}`)
	begin := func() *editortest.Terminal {
		w := d.start()
		w.Press("M-:")
		w.Sees("\nEval:")
		enter(w, `(parley-call (car parley-servers) "pay" "{}")`)
		return w
	}
	w := begin()
	for _, prompt := range []string{
		"who (default me):", "note (default " + strings.Repeat("long ", 7) + "long…, C-c C-k clears it):", "day (default 2026-10-01, C-c C-k clears it):",
		"cents (default 4200, C-c C-k clears it):", "rate (default 1.50, C-c C-k clears it):", "ok (default No):", "how (default card):", "tags (default green, blue, mark or unmark):",
	} {
		w.Sees("\n" + prompt)
		w.Press("Enter")
	}
	w.Sees("who *: me", "cents: 4200", "ok *: No", "how: card", "tags: green, blue", "\nSend this to Work items?")
	enter(w, "Send")
	w.SeesFlat(`"who":"me"`, `long\nand two lines","day":"2026-10-01","cents":4200,"rate":1.50,"ok":false,"how":"card","tags":["green","blue"]`)

	w = begin()
	w.Sees("\nwho (default me):")
	w.Press("M-n") // brings the default, to be changed
	w.Sees("\nwho (default me): me")
	w.Press("C-e")
	enter(w, "lody")
	w.Sees("\nnote (default ")
	w.Press("C-c", "C-k")
	w.Sees("\nday (default ")
	w.Type("soon")
	w.Press("Enter")
	w.SeesFlat("\nday must be a date", "day (default 2026-10-01, C-c C-k clears it): soon") // and what was typed stays
	w.Press("C-a", "C-k", "Enter")
	w.Sees("\ncents (default ")
	w.Press("C-c", "C-k")
	w.Sees("\nrate (default ")
	w.Press("Enter")
	w.Sees("\nok (default ")
	enter(w, "Yes")
	w.Sees("\nhow (default ")
	enter(w, "(leave it out: the server may use its default)")
	w.Sees("\ntags (default green, blue, ")
	enter(w, "[x] green")
	w.Sees("\ntags (default blue, ")
	w.Press("Enter")
	w.Sees("who *: melody", "note: (left out: the server may use its default)", "day: 2026-10-01", "cents: (left out: the server may use its default)", "ok *: Yes", "how: (left out: the server may use its default)", "tags: blue", "\nSend this to Work items?")
	enter(w, "Change who")
	w.Sees("\nwho (default melody):") // what is there now
	w.Press("Enter")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.SeesFlat(`"who":"melody","day":"2026-10-01","rate":1.50,"ok":true,"tags":["blue"]`)
}

// TestRefusals declines, dismisses and stops.
func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	for _, tt := range []struct{ location, action, want string }{
		{"Oslo", "Decline", "Oslo: 18 °C"},
		{"Bergen", "Dismiss", "The user cancelled: no weather for Bergen."},
		{"Rome", "Stop", "you stopped the call"},
	} {
		call(w, "get_weather", "location", tt.location)
		w.Sees("weather in "+tt.location, "\nUnits (default Metric (°C, km/h)):")
		w.Press("C-g")
		w.Sees("\nSend this to Work items?")
		w.Type(tt.action)
		w.Press("Tab", "Enter")
		w.Sees(tt.want, "<>")
	}
}

// TestPage opens a page after consent, and not again by itself.
func TestPage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.start()
	call(w, "connect_account", "account (default calendar, C-c C-k clears it)", "")
	w.Sees("Work items asks to open a page", "┃ Confirm on our page", "http://127.0.0.1:", "host: 127.0.0.1", "This page is on your own computer.", "\nOpen this page of 127.0.0.1 in the browser? (y or n)")
	if _, err := os.Stat(d.opened); err == nil {
		t.Error("a page was opened before anybody agreed")
	}
	w.Type("y")
	w.Sees("the same again: it still waits", "\nThis page:")
	text, err := os.ReadFile(d.opened)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(d.opened); err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(strings.TrimSpace(string(text)), "", nil) // the page's button
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	w.Type("I")
	w.Press("Tab", "Enter")
	w.Sees("account is connected.")
	if _, err := os.Stat(d.opened); err == nil {
		t.Error("the page was opened again by itself")
	}
}

// TestModel has a model answer, with consent before and after, and shares a
// folder.
func TestModel(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, "plan_trip", "destination", "Rome")
	w.Sees("Work items asks for the folders it may work on", "\nTell Work items these folders?")
	enter(w, "Share them")
	w.Sees("asks for a model's answer", "┃ Name three things to see in Rome", "\nGive this to a-model?")
	enter(w, "Give this to a-model")
	w.Sees("a-model says:", "┃ Colosseum, Forum, Pantheon.", "\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("When do you want to go to Rome", "\nFirst day:")
	w.Type("tomorrow")
	w.Press("Enter")
	w.Sees("\nFirst day must be a date")
	w.Press("C-a", "C-k")
	enter(w, "2026-10-01")
	w.Sees("\nDays (default 3, C-c C-k clears it):")
	w.Press("Enter")
	w.Sees("\nPace:")
	enter(w, "Take it easy")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("3 relaxed days in Rome from 2026-10-01", "Colosseum, Forum")
}

// TestParked parks a call, kills Emacs with kill -9 in the middle of another
// question of it, and finishes it in a third one.
func TestParked(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.start()
	callDuplicate(w)
	w.Sees("\nResolution:")
	w.Press("C-g")
	w.Sees("\nSend this to Work items?")
	w.Type("Park")
	w.Press("Tab", "Enter")
	w.Sees("Parked as ", "<>")
	w.Kill()

	w = d.start()
	do(w, "parley-parked")
	w.Sees("Work items  the tool update_work_item  1 question open")
	do(w, "parley-resume")
	w.Sees("\nResume:")
	w.Press("Tab", "Enter")
	w.Sees("\nResolution:")
	enter(w, "Duplicate")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("\nOriginal work item:")
	w.Kill()

	w = d.start()
	do(w, "parley-resume")
	w.Sees("\nResume:")
	w.Press("Tab", "Enter")
	w.Sees("round 2", "\nOriginal work item:") // and not what was answered
	enter(w, "4242")
	w.Sees("\nComment:")
	w.Press("Enter")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("Work item 4711 is now Resolved as a duplicate of 4242.")
	do(w, "parley-parked")
	w.Sees("Nothing is parked")
}

// TestAgain starts a call over that its server has forgotten: what was answered is
// filled in, and sent when the person says so.
func TestAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	url, forgetful := editortest.ForgetfulServer(t)
	d.url = url
	w := d.start()
	w.Press("M-:")
	w.Sees("\nEval:")
	enter(w, `(parley-call (car parley-servers) "pay" "{}")`)
	w.Sees(">\nwho (default me):")
	w.Press("Enter")
	w.Sees(">\ncents:")
	enter(w, "4200")
	w.Sees(">\nhow:")
	w.Press("C-g")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.SeesFlat("what call?", "M-x parley-resume starts it over")
	forgetful.Store(false)
	do(w, "parley-resume")
	w.Sees("\nResume:")
	w.Press("Tab", "Enter")
	w.Sees("The server does not know this call any more.", "(y or n)")
	w.Type("y")
	w.Sees("filled in as you answered before", "who *: me", "cents: 4200", "how: (left out)", "\nSend this to Work items?")
	enter(w, "Send")
	w.SeesFlat(`"cents":4200`)
}

// TestDiscard lets a parked call go.
func TestDiscard(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	callDuplicate(w)
	w.Sees("\nResolution:")
	w.Press("C-g")
	w.Sees("\nSend this to Work items?")
	w.Type("Park")
	w.Press("Tab", "Enter")
	w.Sees("Parked as ")
	do(w, "parley-discard")
	w.Sees("\nDiscard:")
	w.Press("Tab", "Enter")
	w.Sees("(y or n)")
	w.Type("y")
	w.Sees("\nDiscarded ")
}

// TestTwoCalls has two calls wait at the same time: what is put off is not lost.
func TestTwoCalls(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, "get_weather", "location", "Oslo")
	w.Sees("weather in Oslo", "\nUnits (default Metric (°C, km/h)):")
	w.Press("C-g")
	w.Sees("\nSend this to Work items?")
	w.Press("C-g")
	w.Sees("The question waits: M-x parley-answer")
	call(w, "get_weather", "location", "Bergen")
	w.Sees("weather in Bergen", "Parley: 2 waiting for you", "\nUnits (default Metric (°C, km/h)):")
	w.Type("Metr")
	w.Press("Tab", "Enter")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("Bergen: ", "Parley: 1 waiting for you")
	do(w, "parley-answer")
	w.Sees("weather in Oslo", "\nSend this to Work items?")
	w.Type("Decl")
	w.Press("Tab", "Enter")
	w.Sees("Oslo: 18 °C", "<>")
}

// TestWithdrawn stops a call whose question is open: its prompt closes.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, "get_weather", "location", "Oslo")
	w.Sees("weather in Oslo", "\nUnits (default Metric (°C, km/h)):")
	w.Press("M-x") // in the middle of the prompt
	w.Sees("\nM-x")
	enter(w, "parley-stop")
	w.SawGo("\nUnits (default Metric (°C, km/h)):")
	w.SawGo("weather in Oslo")
	w.Sees("<>")
}

// TestTask parks a call that has become a task.
func TestTask(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, "provision", "name", "build-7")
	w.Sees("\nI accept the monthly cost (default No):")
	enter(w, "Yes")
	w.Sees("\nSend this to Work items?")
	enter(w, "Send")
	w.Sees("Work items: ", " of 5")
	do(w, "parley-park")
	w.Sees("Parked as ")
	do(w, "parley-parked")
	w.Sees("Work items  the tool provision")
}

// TestHostile shows a question whose every string would like to be something
// else than text.
func TestHostile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.url = editortest.HostileServer(t)
	w := d.start()
	w.Press("M-:")
	w.Sees("\nEval:")
	enter(w, `(parley-call (car parley-servers) "x" "{}")`)
	w.SeesFlat(editortest.Seen("message"), editortest.Seen("title"), editortest.Seen("about"), "the server's default has hidden characters")
	w.Press("Enter")
	w.Sees("\npick:")
	w.Press("Tab", "Tab")
	w.SeesFlat(editortest.Seen("one"), `("value1\u001b]0;pwned`)
	w.Press("C-g")
	w.Sees("\nSend this to Work items?")
	w.Type("Decl")
	w.Press("Tab", "Enter")
	w.SeesFlat(editortest.Seen("result"))
	if strings.Contains(w.Screen(), "pwned by") {
		t.Errorf("an escape sequence was obeyed:\n%s", w.Screen())
	}
}

// TestCompiles compiles the package: a warning is an error.
func TestCompiles(t *testing.T) {
	t.Parallel()
	editortest.Need(t, "emacs")
	files, err := filepath.Glob("*.el")
	if err != nil || len(files) == 0 {
		t.Fatalf("files: got %q, %v", files, err)
	}
	elsewhere := `(setq byte-compile-error-on-warn t byte-compile-dest-file-function (lambda (file) (concat ` + editortest.Quote(t.TempDir()+"/") + ` (file-name-nondirectory file) "c")))`
	args := append([]string{"-Q", "--batch", "-L", ".", "--eval", elsewhere, "-f", "batch-byte-compile"}, files...)
	if out, err := exec.Command("emacs", args...).CombinedOutput(); err != nil {
		t.Errorf("byte-compile: %v\n%s", err, out)
	}
}

// TestTaskSupport chooses to have a tool run as a task, where it may run either way.
func TestTaskSupport(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	server := tasktest.Serve(t, tasktest.Declared)
	d.url = server.URL
	w := d.start()
	do(w, "parley-call")
	w.Sees("Server (or URL):")
	enter(w, "Work items")
	w.Sees("Tool of Work items:")
	enter(w, "may (as a task)")
	w.Sees("ran as a task")
	if got, want := server.Calls(), []string{"may as a task"}; !slices.Equal(got, want) {
		t.Errorf("calls: got %q, want %q", got, want)
	}
}
