//go:build unix

package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/internal/storytest"
)

const (
	consent = `{"key":"confirm","action":"accept","content":{"confirm":true}}`
	login   = `{"key":"login-1","action":"accept","content":{"user":"ada"}}`

	provisioned = "Provisioned web-1 for 48 EUR a month. ada may log in with a key."
)

// taskServer is the story server, whose task has steps as long as that, and
// which methods it was sent.
type taskServer struct {
	url     string
	mu      sync.Mutex
	methods []string
	held    string // what it says of a task, whatever that is at
}

// The steps as the task says them.
const (
	step1 = "Reserving an address: step 1 of 5"
	step2 = "Creating disks: step 2 of 5"
	step5 = "Checking that it answers: step 5 of 5"
)

func serveTasks(t *testing.T, step time.Duration) *taskServer {
	t.Helper()
	s := new(taskServer)
	handler := storytest.Handler(t, "-step", step.String())
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := r.Header.Get("Mcp-Method")
		s.mu.Lock()
		s.methods = append(s.methods, method)
		held := s.held
		s.mu.Unlock()
		if held == "" || method != "tasks/get" {
			handler.ServeHTTP(w, r)
			return
		}
		var request struct {
			ID     json.RawMessage
			Params struct{ TaskID string }
		}
		json.NewDecoder(r.Body).Decode(&request)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","taskId":%q,"status":"working","statusMessage":%q,
			"createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":100}}`, request.ID, request.Params.TaskID, held)
	}))
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

// hold has the server say this of a task until it is to say how that really
// stands, "": a person on a slow machine sees what the test waits for.
func (s *taskServer) hold(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = message
}

func (s *taskServer) count(method string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.methods {
		if m == method {
			n++
		}
	}
	return n
}

// provision starts the call, and its task, and waits until it shows the first
// step.
func provision(t *testing.T, s *taskServer, flags ...string) *terminal {
	t.Helper()
	w := start(t, 80, 24, append([]string{"call", s.url, "provision", "name=web-1", "--label", "the desk"}, flags...)...)
	w.sees("web-1 costs 48 EUR a month. Provision it?", "I accept the monthly cost")
	w.press(up)
	w.sees("> Yes")
	w.press(enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("→ answered", "the desk: "+step1+" … ")
	return w
}

const offer = "The task continues at the desk."

// TestTask goes through a task at a terminal: the line that waits says how it
// stands, between the polls too, and in the middle it asks.
func TestTask(t *testing.T) {
	t.Parallel()
	s := serveTasks(t, 50*time.Millisecond)
	s.hold(step1)
	w := provision(t, s)
	s.hold(step2)
	w.sees("the desk: " + step2 + " … ")
	w.sawGo(step2 + " … 0s") // between the polls it goes on, too
	s.hold("")
	w.sees("web-1 is installed. Who may log in?", "question 1 of round 2", "User name")
	w.sawGo("step 2 of 5")
	w.press("ada", enter)
	w.sees("With a password, too", "> No")
	w.press(enter)
	w.sees("> Send", "• User name: ada")
	s.hold(step5)
	w.press(enter)
	w.sees("the desk: " + step5 + " … ")
	s.hold("")
	w.sees(provisioned)
	w.sawGo("step 5 of 5")
	w.ends(0)
	if n := s.count("tasks/cancel"); n != 0 {
		t.Errorf("tasks/cancel: got %d, want none", n)
	}
}

// TestTaskInterrupted presses Ctrl-C while a task runs, which may mean two
// things.
func TestTaskInterrupted(t *testing.T) {
	t.Parallel()
	const parked = ": resume it with  parley resume "
	type step struct{ keys, sees string }
	stop := []step{{up, "> Stop"}, {enter, "→ stopped"}}
	tests := map[string]struct {
		flags []string
		steps []step // in the dialog, after Ctrl-C
		code  int
		says  string
		told  int // the server, to cancel the task
		kept  bool
	}{
		"park":              {nil, []step{{down, "> Park"}, {enter, "→ parked"}}, 5, "The task continues at the desk meanwhile.", 0, true},
		"p":                 {nil, []step{{"p", "→ parked"}}, 5, parked, 0, true},
		"Ctrl-C once more":  {nil, []step{{ctrlC, "→ parked"}}, 5, parked, 0, true},
		"stop":              {nil, stop, 4, "you stopped the call to the tool provision, and the desk was asked to cancel its task", 1, false},
		"wait on, and stop": {nil, append([]step{{enter, step1 + " … "}, {ctrlC, "> Wait on"}}, stop...), 4, "", 1, false},
		"nothing saved":     {[]string{"--no-save"}, stop, 4, "", 1, false},
		"not saved, Ctrl-C": {[]string{"--no-save"}, []step{{ctrlC, "parley: interrupted"}}, 130, "", 1, false},
		"the native engine": {[]string{"--engine", "native"}, []step{{"p", "→ parked"}}, 5, parked, 0, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := serveTasks(t, time.Hour), t.TempDir()
			w := provision(t, s, append(tt.flags, "--state-dir", dir)...)
			w.press(ctrlC)
			w.seesFlat(offer, "> Wait on")
			if offers := strings.Contains(w.look(), "> Wait on\n┃   Park"); offers == slices.Contains(tt.flags, "--no-save") {
				t.Errorf("offers to park: got %v\n%s", offers, w.look())
			}
			for _, s := range tt.steps {
				w.press(s.keys)
				w.sees(s.sees)
			}
			w.seesFlat(tt.says)
			w.ends(tt.code)
			if got := s.count("tasks/cancel"); got != tt.told {
				t.Errorf("tasks/cancel: got %d, want %d", got, tt.told)
			}
			if got := len(stored(t, dir)) == 1; got != tt.kept {
				t.Errorf("kept: got %v, want %v", got, tt.kept)
			}
		})
	}
}

// TestTaskSignalled ends the program while a task runs: nobody has said that the
// task is to be cancelled.
func TestTaskSignalled(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		s, dir := serveTasks(t, time.Hour), t.TempDir()
		w := provision(t, s, "--state-dir", dir)
		w.cmd.Process.Signal(signal)
		w.sees("parked as ", "The task continues at the desk meanwhile.")
		w.ends(5)
		if got := run(t, "", "parked", "--state-dir", dir).stdout; !strings.HasSuffix(got, "tool provision  a task at work\n") {
			t.Errorf("%v: parked: got %q", signal, got)
		}
		for _, seen := range []string{"the desk: " + step1 + " … ", "going on with the tool provision"} { // the second before anything was sent, or just after
			w = start(t, 80, 24, "resume", stored(t, dir)[0], "--state-dir", dir)
			w.sees(seen)
			w.cmd.Process.Signal(signal)
			w.sees("parked as ", "The task continues at the desk meanwhile.")
			w.ends(5)
		}
		if got := s.count("tasks/cancel"); got != 0 {
			t.Errorf("%v: tasks/cancel: got %d, want none", signal, got)
		}
	}
}

// TestTaskAsksSignalled ends the program while the task asks something.
func TestTaskAsksSignalled(t *testing.T) {
	t.Parallel()
	s, dir := serveTasks(t, 50*time.Millisecond), t.TempDir()
	s.hold(step1)
	w := provision(t, s, "--state-dir", dir)
	s.hold("")
	w.sees("web-1 is installed. Who may log in?", "User name")
	w.cmd.Process.Signal(syscall.SIGTERM)
	w.sees("parked as ", "The task continues at the desk meanwhile.")
	w.ends(5)
	if screen := w.look(); strings.Contains(screen, "closed:") {
		t.Errorf("the question was closed for another reason than the signal:\n%s", screen)
	}
	if got := s.count("tasks/cancel"); got != 0 {
		t.Errorf("tasks/cancel: got %d, want none", got)
	}
	got := run(t, "", "resume", stored(t, dir)[0], "--state-dir", dir, "--script", file(t, `{"answers":[`+login+`]}`))
	got.check(t, 0, provisioned+"\n")
}

// TestTaskGoesOn has the task ask while the dialog of Ctrl-C is open, which goes
// away then.
func TestTaskGoesOn(t *testing.T) {
	t.Parallel()
	s := serveTasks(t, 50*time.Millisecond)
	s.hold(step1)
	w := provision(t, s)
	w.press(ctrlC)
	w.seesFlat(offer)
	s.hold("")
	w.sees("web-1 is installed. Who may log in?", "User name")
	w.sawGo(offer)
	w.press(escape)
	w.sees("> Continue answering")
	w.press(down, enter) // decline
	w.sees("Provisioned web-1 for 48 EUR a month. Nobody may log in yet.")
	w.ends(0)
}

// TestTaskElsewhere leaves a call in the middle of its task and finishes it in
// another process. The server is one, too.
func TestTaskElsewhere(t *testing.T) {
	t.Parallel()
	url := storytest.Start(t, "-step", "200ms")
	script := func(answers ...string) []string {
		return []string{"--script", file(t, `{"answers":[`+strings.Join(answers, ",")+`]}`)}
	}
	for _, engines := range [][2]string{{"wasm", "native"}, {"native", "wasm"}} {
		dir := t.TempDir()
		kept := []string{"--state-dir", dir}
		// The first has no answer to what the task asks in the middle.
		got := run(t, "", slices.Concat([]string{"call", url, "provision", "name=web-1", "--engine", engines[0]}, kept, script(consent))...)
		got.check(t, 3, "")
		got.says(t, `has no answer left for the question "login-1"`, "parked as ", "The task continues at ")
		ids := stored(t, dir)
		if len(ids) != 1 {
			t.Fatalf("kept: got %q, want one call", ids)
		}
		got = run(t, "", slices.Concat([]string{"resume", ids[0], "--engine", engines[1]}, kept, script(login))...)
		got.check(t, 0, provisioned+"\n")
		got.says(t, "going on with the tool provision", "web-1 is installed. Who may log in?", "→ answered")
		checkEmpty(t, dir)
	}

	// One that is killed while it waits goes on, too.
	dir, s := t.TempDir(), serveTasks(t, 50*time.Millisecond)
	s.hold(step2)
	cmd := exec.Command(program, slices.Concat([]string{"call", s.url, "provision", "name=web-1", "--trace", "--state-dir", dir}, script(consent, login))...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(stderr); lines.Scan() && !strings.Contains(lines.Text(), step2); {
	}
	cmd.Process.Signal(os.Kill)
	cmd.Wait()
	s.hold("")
	got := run(t, "", slices.Concat([]string{"resume", stored(t, dir)[0], "--state-dir", dir}, script(login))...)
	got.check(t, 0, provisioned+"\n")
	checkEmpty(t, dir)
}

// TestTaskEnds has servers whose tasks come to nothing.
func TestTaskEnds(t *testing.T) {
	t.Parallel()
	const made = `"result":{"resultType":"task","taskId":"t-1","status":"working","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":100}`
	tests := map[string]struct {
		poll string
		want string
	}{
		"failed": {`"result":{"resultType":"complete","taskId":"t-1","status":"failed","error":{"code":-32000,"message":"no\u001b[2Jdisk"}}`,
			"parley: the task at the desk ended with error -32000: no␛[2Jdisk\n"},
		"cancelled": {`"result":{"resultType":"complete","taskId":"t-1","status":"cancelled","statusMessage":"x"}`,
			"parley: the task at the desk came to nothing: the task was cancelled\n"},
		"forgotten": {`"error":{"code":-32602,"message":"who?"}`, "parley: the task at the desk ended with error -32602: who?\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _ := rawServer(t, made, tt.poll)
			dir := t.TempDir()
			got := run(t, "", "call", url, "work", "--label", "the desk", "--state-dir", dir)
			got.check(t, 3, "")
			got.says(t, tt.want)
			checkEmpty(t, dir)
		})
	}
}
