//go:build unix

package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// onlyLine is what import prints to standard output.
var onlyLine = regexp.MustCompile(`^([a-z0-9]{10})\n$`)

// imported imports a file and returns the call's ID.
func imported(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	got := run(t, stdin, append([]string{"import"}, args...)...)
	m := onlyLine.FindStringSubmatch(got.stdout)
	if m == nil || got.code != 0 {
		t.Fatalf("import: got exit %d, %q\n%s", got.code, got.stdout, got.stderr)
	}
	got.says(t, "imported ", "resume it with  parley resume "+m[1])
	return m[1]
}

// TestHandOver parks a call in one place and finishes it in another.
func TestHandOver(t *testing.T) {
	t.Parallel()
	server, here, there := watch(t), t.TempDir(), t.TempDir()
	w := half(t, server.url, here)
	w.press(ctrlC)
	w.sees("→ parked")
	w.ends(5)
	id := stored(t, here)[0]
	file := filepath.Join(t.TempDir(), "desk.parley")

	got := run(t, "", "export", id, file, "--keep", "--state-dir", here)
	got.check(t, 0, "")
	got.says(t, "warning: "+file+" holds a secret", id+" is still here, too")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got = run(t, "", "export", id, file, "--state-dir", here)
	got.check(t, 3, "")
	got.says(t, "call "+id+" is not exported: "+file+" is there already")
	if got := stored(t, here); !slices.Equal(got, []string{id}) {
		t.Errorf("stored: got %q, want %q", got, id)
	}
	os.Remove(file)
	run(t, "", "export", id, file, "--state-dir", here).check(t, 0, "")
	checkEmpty(t, here)
	snapshot, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("file: got mode %v, want 0600", info.Mode())
	}
	if string(snapshot) != string(kept) {
		t.Errorf("exported twice: got other bytes the second time")
	}
	flow, err := engine.Restore(snapshot, engine.Expect{Peer: server.url}) // as every host does
	if err != nil {
		t.Fatalf("the file is no bare snapshot: %v", err)
	}
	if info := flow.Info(); info.ID != id || info.Questions != 1 {
		t.Errorf("snapshot: got ID %q, %d questions; want %q, 1", info.ID, info.Questions, id)
	}

	other := imported(t, "", file, "--label", "the desk", "--state-dir", there)
	if m := listed.FindStringSubmatch(run(t, "", "parked", "--state-dir", there).stdout); m == nil || m[1] != other {
		t.Errorf("parked: got %q, want %q", m, other)
	}
	for _, id := range stored(t, there) {
		sealed, _ := os.ReadFile(callFile(t, there, id))
		if len(sealed) == 0 || strings.Contains(string(sealed), "update_work_item") {
			t.Errorf("stored: got %d bytes that are not sealed", len(sealed))
		}
	}
	finish(start(t, 100, 24, "resume", other, "--state-dir", there))
	server.check(t, 3, askedOnce, askedOnce)
	checkEmpty(t, there)
}

// TestHandOverBack hands a call to a program on the Go host, which asks for
// nothing twice, and takes it back, by pipes.
func TestHandOverBack(t *testing.T) {
	t.Parallel()
	server, dir := watch(t), t.TempDir()
	run(t, "", "call", server.url, "update_work_item", "id:=7", "state=Resolved", "--state-dir", dir,
		"--script", file(t, `{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Duplicate"}}]}`)).check(t, 3, "")
	got := run(t, "", "export", "--state-dir", dir, stored(t, dir)[0], "-")
	if got.code != 0 {
		t.Fatalf("export: got exit %d: %s", got.code, got.stderr)
	}
	got.says(t, "what went to standard output holds a secret")
	checkEmpty(t, dir)

	// The other host sees what is asked, and parks.
	asked := ""
	askers := &parley.Askers{
		Elicit:    func(_ context.Context, q parley.Question) ([]byte, error) { asked = q.Key; return nil, parley.ErrPark },
		ElicitURL: func(context.Context, parley.Question) ([]byte, error) { return nil, errors.New("no page") },
	}
	other, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: server.url}, parley.SessionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	out, err := other.Resume(t.Context(), parley.Resumption{Snapshot: []byte(got.stdout), Expect: engine.Expect{Peer: server.url}, Askers: askers})
	if err != nil || !out.Parked || asked != "duplicate" {
		t.Fatalf("the Go host: got %v, parked %v, asked %q; want it parked at duplicate", err, out.Parked, asked)
	}

	id := imported(t, string(out.Snapshot)+"\n", "-", "--state-dir", dir)
	got = run(t, "", "resume", "--state-dir", dir, id, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
	got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
	got.says(t, "going on with the tool update_work_item for "+label(server.url))
	server.check(t, 3, askedOnce, askedOnce)
}

// TestHandOverTogether takes a call over whose host asked all questions at
// once, and wants notes. Here they come one after another.
func TestHandOverTogether(t *testing.T) {
	t.Parallel()
	const form = `{"method":"elicitation/create","params":{"message":"Please?","requestedSchema":{"type":"object","properties":{}}}}`
	answered := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Params struct{ InputResponses json.RawMessage }
		}
		json.NewDecoder(r.Body).Decode(&request)
		w.Header().Set("Content-Type", "application/json")
		message := done
		if request.Params.InputResponses == nil {
			message = `"result":{"resultType":"input_required","inputRequests":{"a":` + form + `,"b":` + form + `}}`
		} else {
			answered <- string(request.Params.InputResponses)
		}
		w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(request.ID) + `,` + message + `}`))
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	flow, err := engine.New("tools/call", []byte(`{"name":"x"}`), engine.Options{
		Capabilities: []byte(`{"elicitation":{"form":{}}}`), AskConcurrency: -1, Audit: true, Peer: s.URL,
	})
	if err != nil {
		t.Fatal(err)
	}
	id := imported(t, snapshotOf(t, flow), "-", "--label", "the desk", "--state-dir", dir)
	w := start(t, 80, 24, "resume", id, "--state-dir", dir)
	w.sees("question 1 of round 1", "> Yes")
	if screen := w.look(); strings.Contains(screen, "question 2") || strings.Contains(screen, "note:") {
		t.Errorf("got both questions at once, or notes:\n%s", screen)
	}
	w.press(enter)
	w.sees("→ answered", "question 2 of round 1", "> Yes")
	w.press(enter)
	w.sees("ok")
	w.ends(0)
	if got, want := <-answered, `{"a":{"action":"accept","content":{}},"b":{"action":"accept","content":{}}}`; got != want {
		t.Errorf("answers: got %s, want %s", got, want)
	}
	checkEmpty(t, dir)
}

// TestHandOverCommand hands a call to a server that is a command over, which
// the snapshot does not name.
func TestHandOverCommand(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "server.key")
	run(t, "", "token", "new-key", keys).check(t, 0, "")
	t.Setenv("PARLEY_TEST_KEYS", keys)
	here, there := t.TempDir(), t.TempDir()
	got := run(t, "", with(stdio("stories"), "call", "update_work_item", "id:=7", "state=Resolved", "--state-dir", here,
		"--script", file(t, `{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Duplicate"}}]}`))...)
	got.check(t, 3, "")
	out := filepath.Join(there, "x.parley")
	run(t, "", "export", stored(t, here)[0], out, "--state-dir", here).check(t, 0, "")
	for want, args := range map[string][]string{
		"its server is a command: name it once more after --": nil,
		"it is of another command than that after --":         {"--", "./my-server"},
	} {
		got := run(t, "", append([]string{"import", out, "--state-dir", here}, args...)...)
		got.check(t, 3, "")
		got.says(t, out+" cannot be imported: "+want)
	}
	checkEmpty(t, here)
	id := imported(t, "", with(stdio("stories"), out, "--state-dir", here)...)
	got = run(t, "", "resume", "--state-dir", here, id, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
	got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
	got.says(t, "Which other work item does 7 duplicate?")
}

// TestHandOverRefused has files that cannot be imported, and calls that cannot
// be exported.
func TestHandOverRefused(t *testing.T) {
	t.Parallel()
	const url = "http://127.0.0.1:1/mcp"
	fresh := func(o engine.Options) *engine.Flow {
		f, err := engine.New("tools/call", []byte(`{"name":"x"}`), o)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	over := fresh(engine.Options{Peer: url})
	for _, ev := range []engine.Event{engine.Begin{}, engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,` + done + `}`)}} {
		if _, err := over.Step(1, ev); err != nil {
			t.Fatal(err)
		}
	}
	good := snapshotOf(t, fresh(engine.Options{Peer: url}))
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":      {"", "it is no snapshot of a flow"},
		"no snapshot":  {`{"answers":[]}`, "it is no snapshot of a flow"},
		"version":      {strings.Replace(good, `{"parley":2`, `{"parley":1`, 1), "another release took it"},
		"damaged":      {strings.Replace(good, `"x"`, `"y"`, 1), "damaged: "},
		"half":         {good[:len(good)/2], "damaged: "},
		"over":         {snapshotOf(t, over), "the call is over"},
		"no server":    {snapshotOf(t, fresh(engine.Options{})), "the name that it has for its server is no http or https URL"},
		"somebody's":   {snapshotOf(t, fresh(engine.Options{Peer: url, Principal: "ada"})), "it belongs to an account that is not signed in here"},
		"tools":        {snapshotOf(t, fresh(engine.Options{Peer: url, Capabilities: []byte(`{"sampling":{"tools":{}}}`)})), "it can be asked for sampling with tools"},
		"too long":     {strings.Repeat(" ", 9<<20), "it is too long"},
		"what resumes": {good, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.want == "" {
				imported(t, tt.text, "-", "--state-dir", dir)
				return
			}
			got := run(t, tt.text, "import", "-", "--state-dir", dir)
			got.check(t, 3, "")
			got.says(t, "parley: standard input cannot be imported: ", tt.want)
			checkEmpty(t, dir)
		})
	}

	dir := t.TempDir()
	id := imported(t, good, "-", "--state-dir", dir)
	for name, tt := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no ID":          {[]string{"export"}, 2, "export needs the ID of one parked call, and perhaps a FILE"},
		"no FILE":        {[]string{"import"}, 2, "import needs the FILE"},
		"no command":     {[]string{"import", "-", "--"}, 2, "there is no command after --"},
		"no such call":   {[]string{"export", "nobody", "-", "--state-dir", dir}, 3, "there is no parked call nobody"},
		"no such file":   {[]string{"import", "none.parley", "--state-dir", dir}, 3, "none.parley cannot be imported: no such file"},
		"no such folder": {[]string{"export", id, filepath.Join(dir, "none", "x"), "--state-dir", dir}, 3, "x: no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", tt.args...)
			got.check(t, tt.code, "")
			got.says(t, "parley: ", tt.want)
		})
	}
	w := start(t, 80, 24, "export", id, "-", "--state-dir", dir)
	w.sees("a secret is not for the screen")
	w.ends(3)
	if got := stored(t, dir); !slices.Equal(got, []string{id}) {
		t.Errorf("stored: got %q, want %q", got, id)
	}
}

func snapshotOf(t *testing.T, f *engine.Flow) string {
	t.Helper()
	snapshot, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return string(snapshot)
}
