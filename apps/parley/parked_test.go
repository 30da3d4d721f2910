//go:build unix

package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
)

// watched is a server whose rounds are written down: what was asked, and what
// was answered.
type watched struct {
	url      string
	mu       sync.Mutex
	asked    []string
	answered []string
	legs     int
}

func watch(t *testing.T) *watched {
	t.Helper()
	w := new(watched)
	handler := storytest.Handler(t, "-json")
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/connect/") {
			handler.ServeHTTP(out, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		recorded := httptest.NewRecorder()
		handler.ServeHTTP(recorded, r)
		var request struct {
			Params struct{ InputResponses map[string]json.RawMessage }
		}
		var response struct {
			Result struct{ InputRequests map[string]json.RawMessage }
		}
		json.Unmarshal(body, &request)
		json.Unmarshal(recorded.Body.Bytes(), &response)
		w.mu.Lock()
		w.legs++
		for key := range request.Params.InputResponses {
			w.answered = append(w.answered, key)
		}
		for key := range response.Result.InputRequests {
			w.asked = append(w.asked, key)
		}
		w.mu.Unlock()
		for name, values := range recorded.Header() {
			out.Header()[name] = values
		}
		out.WriteHeader(recorded.Code)
		out.Write(recorded.Body.Bytes())
	}))
	t.Cleanup(s.Close)
	w.url = s.URL
	return w
}

func (w *watched) check(t *testing.T, legs int, asked, answered []string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.legs != legs || !slices.Equal(w.asked, asked) || !slices.Equal(w.answered, answered) {
		t.Errorf("got %d legs, asked %q, answered %q; want %d, %q, %q", w.legs, w.asked, w.answered, legs, asked, answered)
	}
}

// stored are the IDs of the calls in a state directory.
func stored(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.call", "*.call"))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got mode %v, want 0600", file, info.Mode())
		}
		id, _, _ := strings.Cut(filepath.Base(filepath.Dir(file)), ".")
		ids = append(ids, id)
	}
	return slices.Compact(ids)
}

// checkEmpty checks that nothing but the key and the index of calls is left.
func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	left, _ := os.ReadDir(dir)
	for _, file := range left {
		if file.Name() != "snapshot.key" && file.Name() != ".index" {
			t.Errorf("left in the state directory: %v", file)
		}
	}
}

// half answers the first question of update_work_item, so that the second one
// is open.
func half(t *testing.T, url, dir string, flags ...string) *terminal {
	t.Helper()
	w := start(t, 100, 24, append([]string{"call", url, "update_work_item", "id:=4711", "state=Resolved", "--state-dir", dir, "--label", "the desk"}, flags...)...)
	w.sees("> Fixed")
	w.press(down, down)
	w.sees("> Duplicate")
	w.press(enter)
	w.sees("> Send")
	w.press(enter)
	w.sees("question 1 of round 2", "Original work item", "field 1 of 2")
	return w
}

// finish answers the second question of a call that is resumed.
func finish(w *terminal) {
	w.t.Helper()
	w.sees("going on with the tool update_work_item for the desk", "the desk asks", "Original work item")
	if screen := w.look(); strings.Contains(screen, "How was work item") || strings.Contains(screen, "Fixed") {
		w.t.Errorf("a question that was answered is asked again:\n%s", screen)
	}
	w.press("4242", enter)
	w.sees("field 2 of 2")
	w.press(enter)
	w.sees("• Original work item: 4242", "> Send")
	w.press(enter)
	w.sees("Work item 4711 is now Resolved as a duplicate of 4242.")
	w.ends(0)
}

var (
	askedOnce = []string{"resolution", "duplicate"}
	listed    = regexp.MustCompile(`^([a-z0-9]{10})  \d+[sm]  the desk  tools/call  tool update_work_item  1 question open\n$`)
)

// TestKill kills the program while the second question is open. Nothing is
// lost, and nothing is asked or answered twice.
func TestKill(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"wasm", "native"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			server, dir := watch(t), filepath.Join(t.TempDir(), "state")
			w := half(t, server.url, dir, "--engine", engine)
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("state directory: got %v %v, want 0700", info.Mode(), err)
			}
			if got := run(t, "", "parked", "--state-dir", dir); !strings.Contains(got.stdout, "taken: somebody else is at it") {
				t.Errorf("parked: got %q", got.stdout)
			}
			w.cmd.Process.Signal(syscall.SIGKILL)
			w.cmd.Wait()

			list := run(t, "", "parked", "--state-dir", dir)
			m := listed.FindStringSubmatch(list.stdout)
			if m == nil || list.code != 0 {
				t.Fatalf("parked: got %d %q %q", list.code, list.stdout, list.stderr)
			}
			if got := stored(t, dir); !slices.Equal(got, m[1:]) {
				t.Errorf("stored: got %q, want %q", got, m[1:])
			}
			finish(start(t, 100, 24, "resume", m[1], "--state-dir", dir, "--engine", engine))
			server.check(t, 3, askedOnce, askedOnce)
			checkEmpty(t, dir)
		})
	}
}

// TestHangUp is what happens when the terminal's window is closed.
func TestHangUp(t *testing.T) {
	t.Parallel()
	server, dir := watch(t), t.TempDir()
	w := half(t, server.url, dir)
	w.cmd.Process.Signal(syscall.SIGHUP)
	w.sees("parked as ")
	w.ends(5)
	finish(start(t, 100, 24, "resume", stored(t, dir)[0], "--state-dir", dir))
	server.check(t, 3, askedOnce, askedOnce)
}

func TestPark(t *testing.T) {
	t.Parallel()
	type step struct{ keys, sees string }
	for name, steps := range map[string][]step{"menu": {{escape, "> Continue answering"}, {up + up, "> Park"}, {enter, "→ parked"}}, "Ctrl-C": {{ctrlC, "→ parked"}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, dir := watch(t), t.TempDir()
			w := half(t, server.url, dir)
			for _, s := range steps {
				w.press(s.keys)
				w.sees(s.sees)
			}
			w.ends(5)
			ids := stored(t, dir)
			if len(ids) != 1 {
				t.Fatalf("stored: got %q", ids)
			}
			w.seesFlat("parked as " + ids[0] + ": resume it with  parley resume " + ids[0] + " --state-dir " + dir)
			first := start(t, 100, 24, "resume", ids[0], "--state-dir", dir)
			first.sees("Original work item")
			second := run(t, "", "resume", ids[0], "--state-dir", dir)
			second.check(t, 3, "")
			second.says(t, "parley: somebody else is at this call right now")
			third := run(t, "", "discard", ids[0], "--state-dir", dir)
			third.check(t, 3, "")
			third.says(t, "somebody else is at this call")
			finish(first)
			server.check(t, 3, askedOnce, askedOnce)
			checkEmpty(t, dir)
		})
	}
}

// TestParkedScript goes on with a script where another one ended.
func TestParkedScript(t *testing.T) {
	t.Parallel()
	server, dir := watch(t), t.TempDir()
	got := run(t, "", "call", server.url, "update_work_item", "id:=7", "state=Resolved", "--state-dir", dir,
		"--script", file(t, `{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Duplicate"}}]}`))
	got.check(t, 3, "")
	got.says(t, `no answer left for the question "duplicate"`, "parked as ")
	id := stored(t, dir)[0]
	got = run(t, "", "resume", "--state-dir", dir, id, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
	got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
	server.check(t, 3, askedOnce, askedOnce)
	checkEmpty(t, dir)

	got = run(t, "", "resume", "--state-dir", dir, id)
	got.check(t, 3, "")
	got.says(t, "there is no parked call "+id)
	run(t, "", "parked", "--state-dir", dir).says(t, "nothing is parked")
}

// TestInDoubt loses the answer to a tool call.
func TestInDoubt(t *testing.T) {
	t.Parallel()
	const ask = `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`
	answers := file(t, `{"answers":[{"key":"k","action":"accept","content":{}}]}`)
	for _, engine := range []string{"wasm", "native"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var legs atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var request struct{ ID json.RawMessage }
				json.NewDecoder(r.Body).Decode(&request)
				message := ask
				switch n := legs.Add(1); {
				case n == 2:
					panic(http.ErrAbortHandler)
				case n > 2:
					message = done
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, message)
			}))
			defer s.Close()
			got := run(t, "", "call", s.URL, "x", "--state-dir", dir, "--script", answers, "--engine", engine)
			got.check(t, 6, "")
			got.says(t, "no answer from", "It is in doubt: the tool was called", "it may have run or not", "parked as ", "this sends it again, and the tool may run twice:  parley resume ")
			id := stored(t, dir)[0]
			if list := run(t, "", "parked", "--state-dir", dir); !strings.HasSuffix(list.stdout, "tool x  in doubt\n") {
				t.Errorf("parked: got %q", list.stdout)
			}
			got = run(t, "", "resume", id, "--state-dir", dir, "--engine", engine)
			got.check(t, 6, "")
			got.says(t, "it was in flight when the call stopped", "It is in doubt", "parked as ")
			if n := legs.Load(); n != 2 {
				t.Errorf("legs: got %d, want 2", n)
			}
			got = run(t, "", "resume", id, "--state-dir", dir, "--engine", engine, "--resend")
			got.check(t, 0, "ok\n")
			checkEmpty(t, dir)
		})
	}
}

// TestInterruptedLeg interrupts a call while the server has the answers.
func TestInterruptedLeg(t *testing.T) {
	t.Parallel()
	const ask = `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}`
	var legs atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ ID json.RawMessage }
		json.NewDecoder(r.Body).Decode(&request)
		if legs.Add(1) == 2 {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, ask)
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	w := start(t, 80, 24, "call", s.URL, "x", "--state-dir", dir)
	w.sees("> Yes")
	w.press(enter)
	w.sees("waiting for")
	w.press(ctrlC)
	w.seesFlat("parley: interrupted while ", "It is in doubt", "parked as "+stored(t, dir)[0], "--resend")
	w.ends(6)
}

func TestParkedUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	odd := filepath.Join(dir, "odd.call")
	if err := errors.Join(os.Mkdir(odd, 0o700), os.WriteFile(filepath.Join(odd, "1.call"), []byte("{}"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if got := run(t, "", "parked", "--state-dir", dir); !strings.Contains(got.stdout, "odd  ") || !strings.Contains(got.stdout, "unreadable: it is not sealed") {
		t.Errorf("parked: got %q", got.stdout)
	}
	got := run(t, "", "resume", "odd", "--state-dir", dir)
	got.check(t, 3, "")
	got.says(t, "call odd cannot be resumed: it is not sealed", "parley token rotate --snapshots")
	run(t, "", "token", "rotate", "--snapshots", "--state-dir", dir).check(t, 0, "")
	got = run(t, "", "resume", "odd", "--state-dir", dir)
	got.check(t, 3, "")
	got.says(t, "call odd cannot be resumed: the file is not one that this version of Parley wrote")
	got = run(t, "", "discard", "odd", "--state-dir", dir)
	got.check(t, 0, "")
	got.says(t, "discarded odd")
	checkEmpty(t, dir)
	got = run(t, "", "call", server(t), "get_weather", "location=Oslo", "--state-dir", "demo.json")
	got.check(t, 2, "")
	got.says(t, "--state-dir: ")
	got = run(t, "", "resume")
	got.check(t, 2, "")
	got.says(t, "resume needs the ID of one parked call")
	got = run(t, "", "resume", "a", "--no-save")
	got.check(t, 2, "")
}
