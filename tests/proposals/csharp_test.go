package proposals_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/proposals"
)

// The sides of the page's table of compatibility.
var optings = map[string]struct {
	server  string
	session string
	asked   []string // in initialize
}{
	"both":    {"2026-06-XX", `{"versions":["2026-06-XX","2025-11-25"],"dialect":"SEP-2322"}`, []string{"2026-06-XX"}},
	"server":  {"2026-06-XX", `{}`, []string{"2025-11-25"}},
	"client":  {"", `{"versions":["2026-06-XX","2025-11-25"],"dialect":"SEP-2322"}`, []string{"2026-06-XX"}},
	"neither": {"", `{}`, []string{"2025-11-25"}},
	"another": {"2026-06-YY", `{"versions":["2026-06-XX","2025-11-25"],"dialect":"SEP-2322"}`, []string{"2026-06-XX"}},
}

// The page's flows: a call, the answers in order, and the text at the end. keys
// are the page's names of the questions, for the terminal.
var csharpFlows = map[string]struct {
	params  string
	answers []string
	keys    []string
	want    string
	alone   string // the end where not both have opted in: "" for the same, "fails" for an error
}{
	"confirm":       {`{"name":"ConfirmAction","arguments":{"action":"delete all files"}}`, []string{accept(`{"confirm":true}`)}, []string{"input_1"}, "Action confirmed!", ""},
	"confirm, no":   {`{"name":"ConfirmAction","arguments":{"action":"delete all files"}}`, []string{`{"action":"decline"}`}, []string{"input_1"}, "Action cancelled.", ""},
	"stateless":     {`{"name":"StatelessTool","arguments":{"question":"why?"}}`, []string{accept(`{"answer":"Because."}`)}, []string{"user_answer"}, "You answered: Because.", ""},
	"load shedding": {`{"name":"DeferredTool","arguments":{}}`, nil, nil, "Completed step 1", "fails"},
	"wizard":        {`{"name":"WizardTool","arguments":{}}`, []string{accept(`{"name":"Ada"}`), accept(`{"age":36}`)}, []string{"name", "age"}, "Welcome! You are 36 years old.", ""},
	"weather":       {`{"name":"GetWeather","arguments":{"location":"Oslo"}}`, []string{accept(`{}`)}, []string{"units"}, "Weather for Oslo: accept", ""},
	"mixed": {`{"name":"MixedTool","arguments":{}}`, []string{accept(`{}`), `{"role":"assistant","content":{"type":"text","text":"Short."},"model":"m"}`, `{"roots":[{"uri":"file:///a"}]}`},
		[]string{"confirm", "summary", "where"}, "accept, Short., 1 roots", ""},
	"task":    {`{"name":"provision-vm","arguments":{"vmName":"web"},"task":{"ttl":60000}}`, []string{accept(`{}`)}, []string{"input_1"}, "VM 'web' provisioned successfully.", ""},
	"no task": {`{"name":"provision-vm","arguments":{"vmName":"web"}}`, []string{accept(`{}`)}, []string{"input_1"}, "VM 'web' provisioned successfully.", ""},
}

func accept(content string) string { return `{"action":"accept","content":` + content + `}` }

// csStage is a flow at a server of its own.
type csStage struct {
	stage
	csharp *proposals.CSharp
	keys   []string
	asked  []string
}

// csStages are all flows in all ways of opting in. Each has a server of its own.
func csStages(t *testing.T) (all []csStage) {
	t.Helper()
	for how, o := range optings {
		for name, flow := range csharpFlows {
			want := flow.want
			if flow.alone != "" && how != "both" {
				want = flow.alone
			}
			server := proposals.NewCSharp(o.server)
			http := httptest.NewServer(server)
			t.Cleanup(http.CloseClientConnections) // streams that stay open
			t.Cleanup(http.Close)
			story := &proposals.Story{Session: []byte(o.session), Method: "tools/call", Params: flow.params, Answers: flow.answers, Result: want, Tasks: strings.Contains(flow.params, `"task"`)}
			if story.Answers == nil {
				story.Answers = []string{}
			}
			all = append(all, csStage{stage{how + "/" + name, story, nil, http.URL}, server, flow.keys, o.asked})
		}
	}
	slices.SortFunc(all, func(a, b csStage) int { return strings.Compare(a.name, b.name) })
	return all
}

// checkText holds the text of a result to the flow's, and the server's view of
// it. problems is what the host had to say, "" for nothing.
func (s csStage) checkText(t *testing.T, result, problems string) {
	t.Helper()
	for _, fault := range s.csharp.Faults() {
		t.Error(fault)
	}
	if got := s.csharp.Versions(); !slices.Equal(got, s.asked) {
		t.Errorf("initialize asked for %q, want %q", got, s.asked)
	}
	if s.story.Result == "fails" {
		if result != "" || !strings.Contains(problems, "-32602") {
			t.Errorf("got result %q and %q, want the server's error", result, problems)
		}
		return
	}
	if problems != "" || result != s.story.Result {
		t.Errorf("got %q, want %q; problems: %s", result, s.story.Result, problems)
	}
}

// textOf is the text of the result of a tool.
func textOf(t *testing.T, result string) string {
	t.Helper()
	if result == "" {
		return ""
	}
	var r struct{ Content []struct{ Text string } }
	if err := json.Unmarshal([]byte(result), &r); err != nil || len(r.Content) != 1 {
		t.Errorf("the result is %s", result)
		return ""
	}
	return r.Content[0].Text
}

func TestCSharpGo(t *testing.T) { testCSharpGo(t, parley.Native{}) }

func TestCSharpWazero(t *testing.T) {
	runtime, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close()
	testCSharpGo(t, runtime)
}

func testCSharpGo(t *testing.T, e parley.Engine) {
	for _, s := range csStages(t) {
		t.Run(s.name, func(t *testing.T) {
			result, problems := runGo(t, e, s.url, s.story)
			s.checkText(t, textOf(t, result), problems)
		})
	}
}

func TestCSharpNode(t *testing.T) {
	node := findNode(t)
	all := csStages(t)
	var stages []stage
	for _, s := range all {
		stages = append(stages, s.stage)
	}
	came := playNode(t, node, stages)
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) {
			s.checkText(t, textOf(t, came[i].Result), strings.Join(came[i].Problems, "; "))
		})
	}
}

// TestCSharpTerminal runs parley, the program, with the flags of a person who
// knows what the server is.
func TestCSharpTerminal(t *testing.T) {
	program := buildTerminal(t)
	for _, s := range csStages(t) {
		if s.story.Tasks {
			continue // parley asks for no task of this kind
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var params struct {
				Name      string
				Arguments json.RawMessage
			}
			if err := json.Unmarshal([]byte(s.story.Params), &params); err != nil {
				t.Fatal(err)
			}
			stdout, stderr := runTerminal(t, program, s.stage, s.keys, params.Name, string(params.Arguments))
			problems := ""
			if stdout == "" {
				problems = stderr
			}
			s.checkText(t, strings.TrimSuffix(stdout, "\n"), problems)
		})
	}
}

// buildTerminal builds parley.
func buildTerminal(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "parley")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/parley-mcp/parley/apps/parley").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// runTerminal calls a tool, with a script that answers a story's questions both
// by their keys and as those that have none.
func runTerminal(t *testing.T, program string, s stage, keys []string, tool, arguments string, flags ...string) (stdout, stderr string) {
	t.Helper()
	type object = map[string]any
	script := object{}
	for i, answer := range s.story.Answers {
		var a struct {
			Action  string
			Content json.RawMessage
			Roots   []object
		}
		if err := json.Unmarshal([]byte(answer), &a); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{keys[i], ""} {
			switch {
			case a.Roots != nil:
				script["roots"] = a.Roots
			case a.Action == "":
				var content struct{ Text string }
				json.Unmarshal(a.Content, &content)
				list, _ := script["sample"].([]any)
				script["sample"] = append(list, object{"key": key, "text": content.Text, "model": "m"})
			default:
				entry := object{"key": key, "action": a.Action}
				if a.Content != nil {
					entry["content"] = a.Content
				}
				list, _ := script["answers"].([]any)
				script["answers"] = append(list, entry)
			}
		}
	}
	text, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var shape struct {
		Versions []string
		Dialect  string
	}
	if err := json.Unmarshal(s.story.Session, &shape); err != nil {
		t.Fatal(err)
	}
	args := []string{"call", s.url, tool, arguments, "--no-save", "--script", file}
	for _, version := range shape.Versions {
		args = append(args, "--protocol-version", version)
	}
	if shape.Dialect != "" {
		args = append(args, "--dialect", shape.Dialect)
	}
	args = append(args, flags...)
	var out, errs strings.Builder
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=", "XDG_STATE_HOME="+t.TempDir())
	err = cmd.Run()
	if (err == nil) != (out.Len() > 0) {
		t.Errorf("exit %v with %q on standard output", err, out.String())
	}
	return out.String(), errs.String()
}

// TestCSharpResumed has a call that nobody answered resumed by another process,
// which knows the dialect and the versions from the saved call.
func TestCSharpResumed(t *testing.T) {
	program, dir, scripts := buildTerminal(t), t.TempDir(), t.TempDir()
	server := proposals.NewCSharp("2026-06-XX")
	http := httptest.NewServer(server)
	t.Cleanup(http.Close)
	t.Cleanup(http.CloseClientConnections)
	parley := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), program, append(args, "--state-dir", dir)...)
		cmd.Env = append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=")
		out, err := cmd.Output()
		return string(out), err
	}
	script := func(name, text string) string {
		file := filepath.Join(scripts, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if _, err := parley("call", http.URL, "StatelessTool", "question=why?", "--script", script("none", "{}"),
		"--dialect", "SEP-2322", "--protocol-version", "2026-06-XX", "--protocol-version", "2025-11-25"); err == nil {
		t.Fatal("a question that nobody answers had a result")
	}
	parked, err := parley("parked")
	if err != nil || len(strings.Fields(parked)) == 0 {
		t.Fatalf("nothing is parked: %v %q", err, parked)
	}
	lines := strings.Split(strings.TrimSpace(parked), "\n")
	id := strings.Fields(lines[len(lines)-1])[0]
	out, err := parley("resume", id, "--script", script("answers", `{"answers":[{"key":"user_answer","action":"accept","content":{"answer":"Because."}}]}`))
	if err != nil || out != "You answered: Because." {
		t.Errorf("resumed: got %q, %v", out, err)
	}
	if got := server.Versions(); !slices.Equal(got, []string{"2026-06-XX", "2026-06-XX"}) || len(server.Faults()) > 0 {
		t.Errorf("initialize asked for %q; faults: %q", got, server.Faults())
	}
}
