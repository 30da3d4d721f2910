package interop_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
	"github.com/parley-mcp/parley/tests/interop"
)

// tools is a session with ts-legacy/tools.js, whose tools are called what they say of
// tasks. It counts the tasks, and keeps what it is warned of.
type tools struct {
	*parley.Session
	tasks  atomic.Int32
	warned chan string
}

func toolsOf(t *testing.T, versions []string, flags ...string) *tools {
	t.Helper()
	interop.SetUp(t, "ts-legacy")
	c := &tools{warned: make(chan string, 10)}
	command := interop.Tools(flags...)
	var err error
	c.Session, err = parley.NewSession(parley.Native{}, &parley.Stdio{Command: func() *exec.Cmd { return exec.Command(command[0], command[1:]...) }}, parley.SessionOptions{
		Versions: versions, ProbeTimeout: interop.Patience,
		Watchers: parley.SessionWatchers{OnWarning: func(text string) { c.warned <- text }},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// run calls a tool and says what it came to, and whether as a task.
func (c *tools) run(t *testing.T, name string, task *schema.TaskMetadata) (text string, asTask bool, err error) {
	t.Helper()
	before := c.tasks.Load()
	res, err := c.CallTool(t.Context(), parley.ToolCall{Name: name, Task: task, Request: parley.Request{Watchers: parley.Watchers{OnTask: func(engine.Task) { c.tasks.Add(1) }}}})
	if err == nil {
		text = res.Content[0].Text
	}
	return text, c.tasks.Load() > before, err
}

// TestTaskSupport calls tools of the official SDK, which sees to it that they run as
// they say: one that needs a task gets one though nobody asked, one that may gets one
// if somebody asked, and one that must not is not called as one.
func TestTaskSupport(t *testing.T) {
	c := toolsOf(t, nil)
	minute := &schema.TaskMetadata{TTL: time.Minute}
	for _, tt := range []struct {
		tool   string
		task   *schema.TaskMetadata
		text   string
		asTask bool
	}{
		{"required", nil, "ran for as long as it likes", true},
		{"required", minute, "ran for 60000", true},
		{"optional", minute, "ran for 60000", true},
		{"optional", nil, "ran for as long as it likes", false},
		{"forbidden", nil, "ran at once", false},
	} {
		if text, asTask, err := c.run(t, tt.tool, tt.task); err != nil || text != tt.text || asTask != tt.asTask {
			t.Errorf("%s, asked for %+v: got %q, as a task: %v, %v", tt.tool, tt.task, text, asTask, err)
		}
	}
	_, _, err := c.run(t, "forbidden", minute)
	c.refused(t, err, `Parley refuses the task, because the server does not run the tool "forbidden" as one: call it without one`)
}

// TestTaskUndeclared has the same server declare no tasks, or speak a version that
// has none: the tool that needs one is not in the list, and not called.
func TestTaskUndeclared(t *testing.T) {
	for version, flags := range map[string][]string{"2025-11-25": {"--undeclared"}, "2025-06-18": nil} {
		t.Run(version, func(t *testing.T) {
			c := toolsOf(t, []string{version}, flags...)
			var names []string
			for tool, err := range c.Tools(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, tool.Name)
				if tool.Execution != nil && tool.Execution.TaskSupport == "optional" {
					t.Errorf("%s: got a tool that offers to run as a task", tool.Raw)
				}
			}
			if want := []string{"optional", "forbidden"}; !slices.Equal(names, want) {
				t.Errorf("got the tools %q, want %q", names, want)
			}
			if got, want := <-c.warned, `left out the tool "required": it runs only as a task, and the server offers none for tools in MCP `+version; got != want {
				t.Errorf("got the warning %q, want %q", got, want)
			}
			_, _, err := c.run(t, "required", nil)
			c.refused(t, err, `Parley refuses to call the tool "required": it runs only as a task, and the server offers none for tools in MCP `+version+"; ask who runs the server")
			_, _, err = c.run(t, "optional", &schema.TaskMetadata{})
			c.refused(t, err, "Parley refuses the task, because the server offers none for tools in MCP "+version+": call the tool without one")
			if text, asTask, err := c.run(t, "optional", nil); err != nil || asTask || !strings.HasPrefix(text, "ran ") {
				t.Errorf("optional: got %q, as a task: %v, %v", text, asTask, err)
			}
		})
	}
}

func (c *tools) refused(t *testing.T, err error, why string) {
	t.Helper()
	var failed *parley.Error
	if !errors.As(err, &failed) || !errors.Is(err, fault.Lost) || failed.InDoubt || !strings.HasSuffix(failed.Detail, why) {
		t.Errorf("got %v, want a call that was not sent: %s", err, why)
	}
}

// program builds a command of the apps.
func program(t *testing.T, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", to, "github.com/parley-mcp/parley/apps/"+name).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return to
}

// TestTaskInTerminal calls the SDK's tools from a terminal.
func TestTaskInTerminal(t *testing.T) {
	interop.SetUp(t, "ts-legacy")
	parley, server := program(t, "parley"), interop.Tools()
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(parley, append(append(args, "--"), server...)...).Output()
		if err != nil {
			t.Errorf("%q: %v", args, err)
		}
		return string(out)
	}
	if got, want := run("tools"), "required  (runs as a task)\n\noptional  (may run as a task: --task)\n\nforbidden\n"; got != want {
		t.Errorf("tools: got %q, want %q", got, want)
	}
	for _, args := range [][]string{{"required"}, {"optional"}, {"optional", "--task"}, {"forbidden"}} {
		if got := run(append([]string{"call"}, args...)...); !strings.HasPrefix(got, "ran ") {
			t.Errorf("%q: got %q", args, got)
		}
	}
}

// TestTaskThroughBridge has clients call the SDK's tools through the bridge, which
// offers them no tasks: one that asks for a task all the same gets the result.
func TestTaskThroughBridge(t *testing.T) {
	interop.SetUp(t, "ts-legacy")
	command := append([]string{"--"}, interop.Tools()...)
	bridge := program(t, "parley-bridge")
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			s, err := parley.NewSession(parley.Native{}, &parley.Stdio{Command: func() *exec.Cmd { return exec.Command(bridge, command...) }},
				parley.SessionOptions{Versions: []string{version}, ProbeTimeout: interop.Patience})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var names []string
			for tool, err := range s.Tools(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, tool.Name)
			}
			if want := []string{"required", "optional", "forbidden"}; !slices.Equal(names, want) {
				t.Errorf("got the tools %q, want %q", names, want)
			}
			for _, name := range names {
				call := parley.ToolCall{Name: name}
				if version == "2026-07-28" { // in earlier ones the session refuses that
					call.Task = &schema.TaskMetadata{}
				}
				res, err := s.CallTool(t.Context(), call)
				if err != nil || !strings.HasPrefix(res.Content[0].Text, "ran ") {
					t.Errorf("%s: got %+v, %v", name, res, err)
				}
			}
		})
	}
}
