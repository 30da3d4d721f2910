package main_test

import (
	"slices"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/tasktest"
)

// TestTaskSupport lists tools and calls them, each as a task or not as it runs.
func TestTaskSupport(t *testing.T) {
	t.Parallel()
	server := tasktest.Serve(t, tasktest.Declared)
	run(t, "", "tools", server.URL).check(t, 0, "must  (runs as a task)\n\nmay  (may run as a task: --task)\n\nnever\n")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"must"}, "ran as a task\n"},
		{[]string{"may"}, "ran at once\n"},
		{[]string{"may", "--task"}, "ran as a task\n"},
		{[]string{"never"}, "ran at once\n"},
	} {
		run(t, "", append([]string{"call", server.URL}, tt.args...)...).check(t, 0, tt.want)
	}
	refused := run(t, "", "call", server.URL, "never", "--task")
	refused.says(t, `the server does not run the tool "never" as one: call it without one`)
	if got, want := server.Calls(), []string{"must as a task", "may", "may as a task", "never"}; !slices.Equal(got, want) {
		t.Errorf("calls: got %q, want %q", got, want)
	}
}

// TestTaskUndeclared leaves out the tool that needs a task, and does not call it.
func TestTaskUndeclared(t *testing.T) {
	t.Parallel()
	server := tasktest.Serve(t, "{}")
	list := run(t, "", "tools", server.URL)
	list.check(t, 0, "may\n\nnever\n")
	list.says(t, `left out the tool "must": it runs only as a task, and the server offers none for tools in MCP 2025-11-25`)
	run(t, "", "call", server.URL, "may", "--task").says(t, "the server offers none for tools in MCP 2025-11-25: call the tool without one")
	if got := server.Calls(); len(got) > 0 {
		t.Errorf("calls: got %q, want none", got)
	}
}
