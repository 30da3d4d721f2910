package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/tasktest"
)

// TestTaskSupport has the editor told which tool runs as a task if it is asked for,
// and asks for it.
func TestTaskSupport(t *testing.T) {
	t.Parallel()
	server := tasktest.Serve(t, tasktest.Declared)
	e := begin(t, "--engine=native")
	at := fmt.Sprintf(`"server":{"url":%q}`, server.URL)
	list := string(e.must("tools", "{"+at+"}"))
	if !strings.Contains(list, `{"name":"must","form"`) || !strings.Contains(list, `{"name":"may","task":true,"form"`) || !strings.Contains(list, `{"name":"never","form"`) {
		t.Errorf("tools: got %s", list)
	}
	for _, call := range []string{`"tool":"must"`, `"tool":"may"`, `"tool":"may","task":true`, `"tool":"never"`} {
		_, back := e.request("call", "{"+at+","+call+"}")
		if o := e.end(back); !strings.HasPrefix(o.Text, "ran ") {
			t.Errorf("%s: got %+v", call, o)
		}
	}
	if got, want := server.Calls(), []string{"must as a task", "may", "may as a task", "never"}; !slices.Equal(got, want) {
		t.Errorf("calls: got %q, want %q", got, want)
	}
}
