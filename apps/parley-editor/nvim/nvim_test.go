//go:build unix

package nvim_test

import (
	"fmt"
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

const duplicate = `update_work_item {"id":4711,"state":"Resolved"}`

// TestForm fills in forms: choices, numbers, texts; what is wrong is told and
// corrected; nothing is sent before it was reviewed.
func TestForm(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, duplicate)
	w.Sees("Work items asks", "for the tool update_work_item, round 1", "┃ How was work item 4711 resolved?", "Resolution *: (left out)", "<Parley: 1 waiting for you>")
	to(w, "[ Send")
	w.Sees("  ! Resolution must be filled in")
	to(w, "Resolution")
	w.Sees("3: Duplicate")
	w.Type("3")
	w.Press("Enter")
	w.Sees("Resolution *: Duplicate")
	to(w, "[ Send")
	w.Sees("┃ Which other work item does 4711 duplicate?", "round 2", "at most 200 characters")
	to(w, "Original")
	w.Sees("\nOriginal work item:")
	w.Type("-3")
	w.Press("Enter")
	w.Sees("Original work item must be at least 1. Original work item: -3")
	w.Press("C-u")
	w.Type("4242")
	w.Press("Enter")
	w.Sees("Original work item *: 4242")
	to(w, "Comment")
	w.Sees("\nComment:")
	w.Type("Same crash")
	w.Press("Enter")
	w.Sees("Comment: Same crash")
	to(w, "[ Send")
	w.Sees(`Work item 4711 is now Resolved as a duplicate of 4242. Comment: "Same crash".`, "<>")
}

// TestArguments chooses a server and a tool and fills in its arguments.
func TestArguments(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	w.Type(":ParleyCall")
	w.Press("Enter")
	w.Sees("1: Work items")
	w.Type("1")
	w.Press("Enter")
	w.Sees("Tools of Work items", "get_weather: Get the weather")
	w.Type("4")
	w.Press("Enter")
	w.Sees("Call get_weather of Work items", "location *: (left out)")
	to(w, "location")
	w.Sees("\nlocation:")
	w.Type("Oslo")
	w.Press("Enter")
	w.Sees("location *: Oslo")
	to(w, "[ Call")
	w.Sees("Which units should the weather in Oslo be in?")
	to(w, "[ Decline")
	w.Sees("Oslo: 18 °C, light rain, wind 15 km/h.")
}

// TestMarks fills in a form with a boolean, a number with bounds and marks.
func TestMarks(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, `provision_vm {"size":"small"}`)
	w.Sees("[ ] ", "Data disks")
	to(w, "I accept")
	w.Sees("1: No")
	w.Type("2")
	w.Press("Enter")
	w.Sees(": Yes")
	w.Type("/Test")
	w.Press("Enter", "Enter")
	w.Sees("[x] Test")
	w.Type("/Devel")
	w.Press("Enter", "Enter")
	w.Sees("[x] Development", "Tags: Development, Test")
	to(w, "[ Send")
	w.Sees("Provisioned a small machine", "and tags dev, test for")
}

// TestRefusals declines, dismisses and stops.
func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	for _, tt := range []struct{ action, want string }{
		{"[ Decline", "Oslo: 18 °C"},
		{"[ Dismiss", "The user cancelled: no weather for Bergen."},
		{"[ Stop", "Parley: you stopped the call"},
	} {
		location := "Oslo"
		if strings.Contains(tt.want, "Bergen") {
			location = "Bergen"
		}
		call(w, fmt.Sprintf(`get_weather {"location":%q}`, location))
		w.Sees("Which units", "[ Stop this call ]")
		to(w, tt.action)
		w.Sees(tt.want, "<>")
	}
}

// TestPage opens a page after consent, and not again by itself.
func TestPage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.start()
	call(w, "connect_account {}")
	w.Sees("Work items asks to open a page", "┃ Confirm on our page", "http://127.0.0.1:", "host: 127.0.0.1", "This page is on your own computer.")
	if _, err := os.Stat(d.opened); err == nil {
		t.Error("a page was opened before anybody agreed")
	}
	to(w, "[ Open in")
	w.Sees("the same again: it still waits", "[ I am done: check again ]")
	text, err := os.ReadFile(d.opened)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(string(text))
	if err := os.Remove(d.opened); err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(address, "", nil) // the page's button
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	to(w, "[ I am done")
	w.Sees("Your calendar account is connected.")
	if _, err := os.Stat(d.opened); err == nil {
		t.Error("the page was opened again by itself")
	}
}

// TestModel has a model answer, with consent before and after, and shares a
// folder.
func TestModel(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.model = "Colosseum, Forum, Pantheon."
	w := d.start()
	call(w, `plan_trip {"destination":"Rome"}`)
	w.Sees("Work items asks for the folders it may work on", "[ Share 1 folder ]")
	to(w, "[ Share 1")
	w.Sees("asks for a model's answer", "┃ Name three things to see in Rome", "[ Give this to a-model ]")
	to(w, "[ Give")
	w.Sees("a-model says:", "┃ Colosseum, Forum, Pantheon.", "[ Send this to Work items ]")
	to(w, "[ Send this")
	w.Sees("When do you want to go to Rome", "Days: 3", "Pace: Take it easy")
	to(w, "First day")
	w.Sees("\nFirst day:")
	w.Type("tomorrow")
	w.Press("Enter")
	w.Sees("First day must be a date")
	w.Press("C-u")
	w.Type("2026-10-01")
	w.Press("Enter")
	w.Sees("First day *: 2026-10-01")
	to(w, "[ Send")
	w.Sees("3 relaxed days in Rome from 2026-10-01", "Colosseum, Forum")
}

// TestParked parks a call, kills Neovim with kill -9 in the middle of another
// question of it, and finishes it in a third one.
func TestParked(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.start()
	call(w, duplicate)
	w.Sees("Resolution *:")
	to(w, "[ Park")
	w.Sees("Parley: parked as ", "<>")
	w.Kill()

	w = d.start()
	w.Type(":ParleyParked")
	w.Press("Enter")
	w.Sees("Work items  the tool update_work_item  1 question open")
	to(w, "[ Resume")
	w.Sees("Resolution *:")
	to(w, "Resolution")
	w.Sees("3: Duplicate")
	w.Type("3")
	w.Press("Enter")
	w.Sees("Resolution *: Duplicate")
	to(w, "[ Send")
	w.Sees("Original work item *:")
	w.Kill()

	w = d.start()
	w.Type(":ParleyResume")
	w.Press("Enter")
	w.Sees("round 2", "Original work item *:") // and not what was answered
	to(w, "Original")
	w.Sees("\nOriginal work item:")
	w.Type("4242")
	w.Press("Enter")
	w.Sees("Original work item *: 4242")
	to(w, "[ Send")
	w.Sees("Work item 4711 is now Resolved as a duplicate of 4242.")
	w.Type(":ParleyParked")
	w.Press("Enter")
	w.Sees("Parley: nothing is parked")
}

// TestAgain starts a call over that its server has forgotten: what was answered is
// filled in, and sent when the person says so.
func TestAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	url, forgetful := editortest.ForgetfulServer(t)
	d.url = url
	w := d.start()
	call(w, "pay {}")
	w.Sees("who *: me", "tip: Yes")
	to(w, "cents")
	w.Sees("\ncents:")
	w.Type("4200")
	w.Press("Enter")
	w.Sees("cents: 4200")
	to(w, "[ Send")
	w.SeesFlat("what call?", ":ParleyResume starts it over")
	w.Press("Enter") // the message is long
	forgetful.Store(false)
	w.Type(":ParleyResume")
	w.Press("Enter")
	w.Sees("The server does not know this call any more.", "2: Start over, with your answers filled in")
	w.Type("2")
	w.Press("Enter")
	w.Sees("filled in as you answered before", "who *: me", "cents: 4200", "how: (left out)")
	to(w, "[ Send")
	w.SeesFlat(`"cents":4200`)
}

// TestDiscard lets a parked call go.
func TestDiscard(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, duplicate)
	w.Sees("[ Park: keep everything and resume later ]")
	to(w, "[ Park")
	w.Sees("parked as ")
	w.Type(":ParleyDiscard")
	w.Press("Enter")
	w.Sees("2: Discard it")
	w.Type("2")
	w.Press("Enter")
	w.Sees("Parley: discarded ")
}

// TestTwoCalls has two calls wait at the same time: their questions come one
// after the other, and what is put off is not lost.
func TestTwoCalls(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, `get_weather {"location":"Oslo"}`)
	w.Sees("weather in Oslo")
	w.Type("q")
	w.Sees("Parley: the question waits: :ParleyAnswer")
	call(w, `get_weather {"location":"Bergen"}`)
	w.Sees("weather in Bergen", "<Parley: 2 waiting for you>")
	to(w, "Units")
	w.Sees("1: Metric")
	w.Type("1")
	w.Press("Enter")
	w.Sees("Units *: Metric")
	to(w, "[ Send")
	w.Sees("Bergen: ", "<Parley: 1 waiting for you>")
	w.Type(":ParleyAnswer")
	w.Press("Enter")
	w.Sees("weather in Oslo")
	to(w, "[ Decline")
	w.Sees("Oslo: 18 °C", "<>")
}

// TestWithdrawn stops a call whose question is open: its window closes.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, `get_weather {"location":"Oslo"}`)
	w.Sees("weather in Oslo")
	w.Type(":ParleyStop")
	w.Press("Enter")
	w.SawGo("weather in Oslo")
	w.Sees("<>")
}

// TestTask parks a call that has become a task.
func TestTask(t *testing.T) {
	t.Parallel()
	w := newDesk(t).start()
	call(w, `provision {"name":"build-7"}`)
	w.Sees("I accept the monthly cost *:")
	to(w, "I accept")
	w.Sees("1: No")
	w.Type("2")
	w.Press("Enter")
	w.Sees("cost *: Yes")
	to(w, "[ Send")
	w.Sees("Parley: Work items: ", " of 5", "<Parley: 1 running>")
	w.Type(":ParleyPark")
	w.Press("Enter")
	w.Sees("Parley: parked as ")
	w.Type(":ParleyParked")
	w.Press("Enter")
	w.Sees("Work items  the tool provision")
}

// TestHostile shows a question whose every string would like to be something
// else than text.
func TestHostile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.url = editortest.HostileServer(t)
	w := d.start()
	call(w, "x {}")
	w.SeesFlat(editortest.Seen("message"), editortest.Seen("title"), editortest.Seen("about"), "the server's default has hidden characters")
	to(w, "pick")
	w.SeesFlat(editortest.Seen("one"), `("value1\u001b]0;pwned`)
	w.Type("1")
	w.Press("Enter")
	w.SawGo("1: ")
	to(w, "long: one") // a text of two lines has a window of its own
	w.Sees("write the text with :wq")
	w.Type("ccfirst")
	w.Sees("-- INSERT --")
	w.Press("Escape")
	w.SawGo("-- INSERT --") // or Escape and what is typed next are one key
	w.Type(":wq")
	w.Press("Enter")
	w.Sees("long: first⏎two")
	to(w, "[ Send")
	w.SeesFlat(editortest.Seen("result"))
	if strings.Contains(w.Screen(), "pwned by") {
		t.Errorf("an escape sequence was obeyed:\n%s", w.Screen())
	}
}

// TestHelp has Neovim index the manual, and finds every command in it.
func TestHelp(t *testing.T) {
	t.Parallel()
	editortest.Need(t, "nvim")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("doc")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("nvim", "--clean", "--headless", "-c", "helptags "+dir, "-c", "qa").CombinedOutput(); err != nil {
		t.Fatalf("helptags: %v\n%s", err, out)
	}
	tags, err := os.ReadFile(filepath.Join(dir, "tags"))
	if err != nil {
		t.Fatal(err)
	}
	commands, err := exec.Command("nvim", "--clean", "--headless", "--cmd", "set rtp^=.", "-c", "echo join(getcompletion('Parley', 'command'))", "-c", "qa").CombinedOutput()
	if err != nil || !strings.Contains(string(commands), "ParleyCall") {
		t.Fatalf("commands: %v\n%s", err, commands)
	}
	for _, command := range strings.Fields(string(commands)) {
		if !strings.Contains(string(tags), ":"+command+"\t") {
			t.Errorf("the manual lacks :%s", command)
		}
	}
}

// TestTaskSupport chooses to have a tool run as a task, where it may run either way.
func TestTaskSupport(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	server := tasktest.Serve(t, tasktest.Declared)
	d.url = server.URL
	w := d.start()
	w.Type(":ParleyCall Work items")
	w.Press("Enter")
	w.Sees("1: must", "2: may\n", "3: may (as a task)", "4: never")
	w.Type("3")
	w.Press("Enter")
	w.Sees("ran as a task")
	if got, want := server.Calls(), []string{"may as a task"}; !slices.Equal(got, want) {
		t.Errorf("calls: got %q, want %q", got, want)
	}
}
