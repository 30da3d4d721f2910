package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/internal/storytest"
	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// TestParked parks a call, goes on with it in another process, which is killed
// in the middle, and finishes it in a third.
func TestParked(t *testing.T) {
	t.Parallel()
	url, flags := storytest.Start(t), kept(t)
	e := begin(t, flags...)
	back := e.call(url, "update_work_item", duplicate)
	a := e.ask("ask/elicit")
	if !a.MayPark {
		t.Error("a call that is kept may not be parked")
	}
	e.answer(a, "park", "")
	o := e.end(back)
	if o.Status != "parked" || !o.Kept || o.Call != a.Call {
		t.Fatalf("parked: got %+v", o)
	}
	e.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := e.gone(); code != 0 {
		t.Errorf("exit: got %d", code)
	}

	e = begin(t, flags...)
	list := e.parked()
	if len(list) != 1 || list[0].Call != o.Call || list[0].Server != "the desk" || list[0].Subject != "the tool update_work_item" || list[0].Questions != 1 {
		t.Fatalf("list: got %+v", list)
	}
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, o.Call))
	e.answer(e.ask("ask/elicit"), "accept", `,"values":[{"chosen":[2]}]`)
	if a = e.ask("ask/elicit"); a.Round != 2 {
		t.Errorf("question: got %+v", a)
	}
	if r := e.do("discard", fmt.Sprintf(`{"call":%q}`, o.Call)); r.Error == nil || !strings.Contains(r.Error.Message, "somebody else is at this call") {
		t.Errorf("discard of a call under way: got %+v", r)
	}
	e.cmd.Process.Kill()
	e.gone()

	e = begin(t, flags...)
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, o.Call))
	if a = e.ask("ask/elicit"); a.Round != 2 || !strings.Contains(a.Message, "duplicate") {
		t.Errorf("question: got %+v, want that of the second round", a)
	}
	e.answer(a, "accept", `,"values":[{"text":"4242"},null]`)
	if o := e.end(back); o.Text != "Work item 4711 is now Resolved as a duplicate of 4242.\n" {
		t.Errorf("outcome: got %+v", o)
	}
	if list := e.parked(); len(list) > 0 {
		t.Errorf("list: got %+v", list)
	}
}

// TestGone has the editor end without a word, by closing its end and by a
// signal: what was asked something is kept, and given back at once.
func TestGone(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(e *editor){
		"closed": func(e *editor) { e.in.Close() },
		"signal": func(e *editor) { e.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, flags := storytest.Start(t), kept(t)
			e := begin(t, flags...)
			e.call(url, "update_work_item", duplicate)
			a := e.ask("ask/elicit")
			leave(e)
			if code := e.gone(); code != 0 {
				t.Errorf("exit: got %d, want 0: %s", code, e.log.String())
			}
			e = begin(t, flags...)
			if list := e.parked(); len(list) != 1 || list[0].Call != a.Call || list[0].InDoubt {
				t.Fatalf("list: got %+v", list)
			}
			e.must("discard", fmt.Sprintf(`{"call":%q}`, a.Call))
			if list := e.parked(); len(list) > 0 {
				t.Errorf("list: got %+v", list)
			}
		})
	}
}

// TestDisconnect disconnects a server in the middle of its calls: what it is
// about to answer still counts, and a question waits in the store.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	begun, answer := make(chan struct{}), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Params struct{ InputResponses json.RawMessage }
		}
		json.NewDecoder(r.Body).Decode(&request)
		result := `"resultType":"input_required","inputRequests":{"pay":{"method":"elicitation/create","params":{"message":"Pay?","requestedSchema":{"type":"object","properties":{}}}}}`
		if request.Params.InputResponses != nil {
			close(begun)
			<-answer
			result = `"resultType":"complete","content":[{"type":"text","text":"paid"}]`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{%s}}`, request.ID, result)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(answer) })
	e := begin(t, kept(t)...)
	asked := e.call(s.URL, "pay", "{}")
	e.ask("ask/elicit")
	flying := e.call(s.URL, "pay", "{}")
	e.answer(e.ask("ask/elicit"), "accept", `,"values":[]`)
	<-begun

	_, left := e.request("disconnect", fmt.Sprintf(`{"server":{"url":%q}}`, s.URL))
	if o := e.end(asked); o.Status != "parked" || !o.Kept || o.InDoubt {
		t.Errorf("question: got %+v", o)
	}
	if list := e.parked(); len(list) != 2 { // other requests are served meanwhile
		t.Errorf("list: got %+v", list)
	}
	select {
	case r := <-left:
		t.Fatalf("disconnected with a call in flight: %+v", r)
	case <-time.After(200 * time.Millisecond):
	}
	answer <- struct{}{}
	if o := e.end(flying); o.Text != "paid\n" {
		t.Errorf("in flight: got %+v", o)
	}
	if r := get(e, "the reply to disconnect", left); r.Error != nil {
		t.Errorf("disconnect: got %+v", r)
	}
	if list := e.parked(); len(list) != 1 || list[0].Questions != 1 {
		t.Errorf("list: got %+v", list)
	}
}

// TestTask has a call become a task, parks it while the task goes on at its
// server, and takes it up again: by park, and because the editor is gone.
func TestTask(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(e *editor, back <-chan reply, call string){
		"park": func(e *editor, back <-chan reply, call string) {
			e.must("park", fmt.Sprintf(`{"call":%q}`, call))
			if o := e.end(back); o.Status != "parked" || !o.Kept {
				e.t.Errorf("parked: got %+v", o)
			}
		},
		"gone": func(e *editor, back <-chan reply, call string) {
			e.in.Close()
			e.gone()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, flags := storytest.Start(t, "-step", "300ms"), kept(t)
			e := begin(t, flags...)
			back := e.call(url, "provision", `{"name":"build-7"}`)
			a := e.ask("ask/elicit")
			e.answer(a, "accept", `,"values":[{"chosen":[1]}]`)
			e.notified("call/progress", " of 5")
			leave(e, back, a.Call)

			e = begin(t, flags...)
			if list := e.parked(); len(list) != 1 || list[0].InDoubt {
				t.Fatalf("list: got %+v", list)
			}
			_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, a.Call))
			a = e.ask("ask/elicit")
			if !strings.Contains(a.Message, "Who may log in?") {
				t.Errorf("question: got %+v", a)
			}
			e.answer(a, "accept", `,"values":[{"text":"ada"},{"chosen":[0]}]`)
			if o := e.end(back); o.Status != "done" || !strings.Contains(o.Text, "ada") {
				t.Errorf("outcome: got %+v", o)
			}
		})
	}
}

// TestOneAtATime has two processes want the same call.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	url, flags := storytest.Start(t), kept(t)
	e, other := begin(t, flags...), begin(t, flags...)
	e.call(url, "update_work_item", duplicate)
	a := e.ask("ask/elicit")
	if list := other.parked(); len(list) != 1 || !list[0].Taken {
		t.Errorf("list: got %+v, want the call taken", list)
	}
	if r := other.do("resume", fmt.Sprintf(`{"call":%q}`, a.Call)); r.Error == nil || !strings.Contains(r.Error.Message, "somebody else is at this call") {
		t.Errorf("resume: got %+v", r)
	}
}

// TestSealed looks at what is kept: nothing in it can be read, and what was
// changed does not open.
func TestSealed(t *testing.T) {
	t.Parallel()
	url, flags := storytest.Start(t), kept(t)
	e := begin(t, flags...)
	back := e.call(url, "update_work_item", duplicate)
	e.answer(e.ask("ask/elicit"), "park", "")
	call := e.end(back).Call
	files, err := filepath.Glob(filepath.Join(flags[2], "*.call", "*.call"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files: got %q, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{url, "4711", "requestState", "the desk"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%q can be read in the file", secret)
		}
	}
	about := bytes.IndexByte(text, '\n') + 50 // what the list shows
	text[about], text[len(text)-20] = text[about]^1, text[len(text)-20]^1
	if err := os.WriteFile(files[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	if list := e.parked(); len(list) != 1 || !strings.Contains(list[0].Problem, "was changed") {
		t.Errorf("list: got %+v", list)
	}
	if r := e.do("resume", fmt.Sprintf(`{"call":%q}`, call)); r.Error == nil || !strings.Contains(r.Error.Message, "was changed") {
		t.Errorf("resume: got %+v", r)
	}
}

// TestTerminalHost has parley, at a terminal, list and finish what was parked in
// an editor.
func TestTerminalHost(t *testing.T) {
	t.Parallel()
	url, flags := storytest.Start(t), kept(t)
	e := begin(t, flags...)
	back := e.call(url, "update_work_item", duplicate)
	e.answer(e.ask("ask/elicit"), "park", "")
	call := e.end(back).Call
	script := editortest.File(t, "answers.json", `{"answers":[{"key":"resolution","action":"decline"}]}`)
	cmd := exec.Command(editortest.Parley(t), "resume", call, "--state-dir", flags[2], "--script", script, "--engine=native")
	cmd.Env = append(os.Environ(), "PARLEY_SNAPSHOT_KEY_FILE="+flags[4])
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "going on with the tool update_work_item for the desk") {
		t.Errorf("resume: got %v\n%s", err, out)
	}
	if list := e.parked(); len(list) > 0 {
		t.Errorf("list: got %+v", list)
	}
}

// TestOthersParts goes on with a call that parley in the terminal has saved, and
// leaves what the editor has no use for to it.
func TestOthersParts(t *testing.T) {
	t.Parallel()
	url, flags := storytest.Start(t), kept(t)
	e := begin(t, flags...)
	back := e.call(url, "update_work_item", duplicate)
	e.answer(e.ask("ask/elicit"), "park", "")
	id := e.end(back).Call
	files := &store.Files{Dir: flags[2], Box: &seal.KeyFileBox{Name: flags[4]}}
	lease, entry, _, err := saved.Take(t.Context(), files, id)
	if err != nil {
		t.Fatal(err)
	}
	entry.SampleCommand, entry.Roots = []string{"my-model"}, []json.RawMessage{[]byte(`{"uri":"file:///x"}`)}
	if err := saved.Begin(id, lease, entry, nil).Save(t.Context(), entry.Snapshot); err != nil {
		t.Fatal(err)
	}
	if err := lease.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, back = e.request("resume", fmt.Sprintf(`{"call":%q}`, id))
	e.answer(e.ask("ask/elicit"), "accept", `,"values":[{"chosen":[2]}]`)
	e.answer(e.ask("ask/elicit"), "park", "")
	if o := e.end(back); !o.Kept {
		t.Fatalf("parked: got %+v", o)
	}
	_, again, _, err := saved.Take(t.Context(), files, id)
	if err != nil || !reflect.DeepEqual(again.SampleCommand, entry.SampleCommand) || !reflect.DeepEqual(again.Roots, entry.Roots) {
		t.Errorf("got %+v, %v; want what was there", again, err)
	}
}

// TestNothingKept is without a key: calls are made, and none can be parked.
func TestNothingKept(t *testing.T) {
	t.Parallel()
	e := begin(t, "--engine=native")
	for _, method := range []string{"parked", "resume", "discard"} {
		if r := e.do(method, `{"call":"x"}`); r.Error == nil || !strings.Contains(r.Error.Message, "nothing is kept") {
			t.Errorf("%s: got %+v", method, r)
		}
	}
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no key":       {[]string{"--state-dir", t.TempDir()}, 2, "--state-dir and --key-file go together"},
		"key not made": {[]string{"--state-dir", t.TempDir(), "--key-file", "/nonexistent/key"}, 1, "there is no key file /nonexistent/key (parley-editor --new-key FILE makes one)"},
		"engine":       {[]string{"--engine", "java"}, 1, `--engine is wasm or native, not "java"`},
		"argument":     {[]string{"serve"}, 2, `unexpected argument "serve"`},
	} {
		cmd := exec.Command(editortest.Program(t), tt.args...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != tt.code || !strings.Contains(string(out), tt.says) {
			t.Errorf("%s: got exit %d, %s", name, cmd.ProcessState.ExitCode(), out)
		}
	}
}
