//go:build unix

package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
)

// resolve starts the call that asks how a work item was resolved.
func resolve(t *testing.T, flags ...string) *terminal {
	t.Helper()
	w := start(t, 80, 24, append([]string{"call", server(t), "update_work_item", "id:=4711", "state=Resolved"}, flags...)...)
	w.sees("How was work item 4711 resolved?", "> Fixed", "esc decline, dismiss")
	return w
}

func TestWorkItem(t *testing.T) {
	t.Parallel()
	w := resolve(t, "--label", "the desk")
	w.sees("the desk asks\nfor the tool update_work_item · question 1 of round 1\n│ How was")
	w.press(down, down)
	w.sees("> Duplicate")
	w.press(enter)
	w.sees("Send this to the desk?", "• Resolution: Duplicate", "> Send")
	w.press(enter)
	w.sees("question 1 of round 2", "Original work item", "a whole number, at least 1", "field 1 of 2")
	w.press(enter)
	w.sees("Original work item must be filled in")
	w.press("4x")
	w.sees("> 4x", "Original work item must be a whole number like 42") // while it is typed
	w.press(erase)
	w.sawGo("must be")
	w.press(erase, "0")
	w.sees("Original work item must be at least 1")
	w.press(enter) // in vain
	w.sees("field 1 of 2")
	w.press(erase, "4242")
	w.sawGo("must be")
	w.press(enter)
	w.sees("Comment", "optional · at most 200 characters")
	w.press(shiftTab)
	w.sees("Original work item", "> 4242")
	w.press(enter)
	w.sees("┃ >\n", "field 2 of 2")
	w.press("Same crash", enter)
	w.sees("• Original work item: 4242", "• Comment: Same crash")
	w.press(up, enter) // change the comment
	w.sees("> Same crash")
	w.press("!", enter)
	w.sees("• Comment: Same crash!")
	w.press(enter)
	w.sees(`Work item 4711 is now Resolved as a duplicate of 4242. Comment: "Same crash!".`,
		"→ answered\n  Resolution: Duplicate\n", "→ answered\n  Original work item: 4242\n  Comment: Same crash!\n")
	w.sawGo("Send this")
	w.ends(0)
}

func TestRefusals(t *testing.T) {
	const menu = "> Continue answering"
	type step struct{ keys, sees string }
	tests := map[string]struct {
		steps []step
		code  int
		want  string
	}{
		"decline": {[]step{{escape, menu}, {down, "> Decline"}, {enter, "→ declined"}}, 0, "unchanged: the user declined to give a resolution."},
		"dismiss": {[]step{{escape, menu}, {down + down, "> Dismiss"}, {enter, "→ dismissed"}}, 0, "unchanged: the user cancelled."},
		"stop":    {[]step{{escape, menu}, {up, "> Stop"}, {enter, "→ stopped"}}, 4, "parley: you stopped the call to the tool update_work_item"},
		"park":    {[]step{{escape, menu}, {up + up, "> Park"}, {enter, "→ parked"}}, 5, ": resume it with  parley resume "},
		"p":       {[]step{{"p", "→ parked"}}, 5, ": resume it with  parley resume "},
		"Ctrl-C":  {[]step{{ctrlC, "→ parked"}}, 5, "parked as "},

		"decline in the review": {[]step{{enter, "> Send"}, {down, "> Decline"}, {enter, "→ declined"}}, 0, "unchanged"},
		"Ctrl-C in the menu":    {[]step{{escape, menu}, {ctrlC, "→ parked"}}, 5, "parked as "},
		"p in the review":       {[]step{{enter, "> Send"}, {"p", "→ parked"}}, 5, "parked as "},
		"menu and back":         {[]step{{escape, menu}, {escape, "> Fixed"}, {escape, menu}, {enter, "> Fixed"}, {enter, "> Send"}, {enter, ""}}, 0, "is now Resolved as Fixed."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := resolve(t)
			for _, s := range tt.steps {
				w.press(s.keys)
				w.sees(s.sees)
			}
			w.sees(tt.want)
			w.ends(tt.code)
		})
	}
}

// TestSignal ends the program while a question is open.
func TestSignal(t *testing.T) {
	t.Parallel()
	w := resolve(t)
	w.cmd.Process.Signal(syscall.SIGTERM)
	w.sees("parked as ")
	w.sawGo("> Fixed")
	w.ends(5)

	w = resolve(t, "--no-save", "--label", "x")
	w.press("p") // means nothing here
	w.press(ctrlC)
	w.sees("parley: interrupted: the call to the tool update_work_item was not finished")
	w.ends(130)
}

// TestDumbTerminal cannot move the cursor, so nobody can be asked.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	w := startWith(t, 80, 24, func(w *terminal) { w.cmd.Env = append(w.cmd.Env, "TERM=dumb") }, "call", server(t), "get_weather", "location=Oslo")
	w.sees("nobody is here to answer")
	w.ends(3)
}

// TestFields goes through a boolean, an integer with a default and a choice of
// several, in a narrow terminal.
func TestFields(t *testing.T) {
	t.Parallel()
	w := start(t, 40, 24, "call", server(t), "provision_vm", "size=small")
	w.sees("I accept the monthly cost", "> No", "field 1 of 3")
	w.press(up)
	w.sees("> Yes")
	w.press(enter)
	w.sees("Data disks", "optional · a whole number, 1 to 8", "> 1")
	w.press(erase, "2", enter)
	w.sees("Tags", "> [ ] Development", "optional · at most 3 of them")
	w.press(down, " ")
	w.sees("> [x] Test")
	w.press(enter)
	w.sees("• I accept the monthly cost: yes", "• Data disks: 2", "• Tags: Test")
	w.press(enter)
	w.sees("  Tags: Test\n\nProvisioned", "and tags test")
	w.ends(0)
}

func TestSampling(t *testing.T) {
	t.Parallel()
	model := sampleCommand()
	w := start(t, 80, 24, "call", server(t), "summarise", "text=one two", "--sample-cmd", model, "--sample-model", "counter")
	w.sees("asks for a model's answer", "│ one two", "Give this to counter?", "> Yes", "  Stop this call")
	w.press(enter)
	w.sees("counter says:\n│ 5 words.", "Send this to ", "> Send", "  Ask counter again")
	w.press(down, enter)
	w.sees("│ 5 words.\ncounter says:\n│ 5 words.", "> Send")
	w.press(enter)
	w.sees("→ answered by counter\n\n5 words.")
	w.ends(0)

	w = start(t, 80, 24, "call", server(t), "summarise", "text=one two", "--sample-cmd", model)
	w.sees("Give this to ", "Park: keep everything", "p park")
	w.press(up, enter)
	w.sees("→ stopped", "parley: you stopped the call")
	w.ends(4)
}

// TestWaiting interrupts a call that waits for a server.
func TestWaiting(t *testing.T) {
	t.Parallel()
	url := slowServer(t)
	w := start(t, 80, 24, "call", url, "x")
	w.sees("waiting for " + label(url) + " … ")
	w.press("typed", enter) // does not show
	w.sawGo("… 0s")
	if screen := w.look(); strings.Contains(screen, "typed") || strings.Contains(screen, "\n") {
		t.Errorf("what is typed shows:\n%s", screen)
	}
	w.press(ctrlC)
	w.seesFlat("parley: interrupted while ", "It is in doubt", "parked as ")
	w.sawGo("waiting for")
	w.ends(6)
}

func TestBusy(t *testing.T) {
	t.Parallel()
	handler := storytest.Handler(t)
	var legs atomic.Int32
	seen := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if legs.Add(1) == 3 {
			select {
			case <-seen:
			case <-r.Context().Done():
			}
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	w := start(t, 80, 24, "call", s.URL, "busy_report", "waits:=4")
	w.sees(label(s.URL) + " is busy, trying again (2)")
	close(seen)
	w.sees("The report is ready after 4 wait(s).")
	w.sawGo("is busy")
	w.ends(0)
}

// TestPipedArguments reads the arguments from standard input and the answers
// from the terminal.
func TestPipedArguments(t *testing.T) {
	t.Parallel()
	arguments, err := os.Open(file(t, `{"location":"Oslo"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer arguments.Close()
	w := startWith(t, 80, 24, func(w *terminal) { w.cmd.Stdin = arguments }, "call", server(t), "get_weather", "-")
	w.sees("Which units should the weather in Oslo be in?", "> Metric")
	w.press(enter)
	w.sees("Send this")
	w.press(enter)
	w.sees("Oslo: 18 °C")
	w.ends(0)
}

// TestColours checks that NO_COLOR is respected, whatever its value.
func TestColours(t *testing.T) {
	t.Parallel()
	for _, noColor := range []string{"", "yes"} {
		w := startWith(t, 80, 24, func(w *terminal) { w.cmd.Env = append(w.cmd.Env, "NO_COLOR="+noColor) },
			"call", server(t), "get_weather", "location=Oslo")
		w.sees("> Metric")
		w.press(escape)
		w.sees("> Continue")
		w.mu.Lock()
		raw := w.raw.String()
		w.mu.Unlock()
		if got, want := strings.Contains(raw, "\x1b[36m"), noColor == ""; got != want {
			t.Errorf("NO_COLOR=%s: colours: got %v, want %v", noColor, got, want)
		}
		w.press(ctrlC)
		w.ends(5)
	}
}
