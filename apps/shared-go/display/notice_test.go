package display_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/engine"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 5000)
	tests := map[string]struct{ written, want []string }{
		"lines":    {[]string{"a\nb\r\n\n"}, []string{"a", "b", ""}},
		"pieces":   {[]string{"a", "", "b\nc", "d\n"}, []string{"ab", "cd"}},
		"no end":   {[]string{"a\nb"}, []string{"a", "b"}},
		"too long": {[]string{long[:3000], long[:2000] + "\nb\n"}, []string{long[:4096], long[:904], "b"}},
		"nothing":  {nil, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			lines := &display.Lines{Tell: func(line string) { got = append(got, line) }}
			for _, p := range tt.written {
				if n, err := lines.Write([]byte(p)); n != len(p) || err != nil {
					t.Errorf("Write: got %d, %v", n, err)
				}
			}
			lines.End()
			lines.End()
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %.60q, want %.60q", got, tt.want)
			}
		})
	}
}

func TestNotices(t *testing.T) {
	tests := map[string]struct{ got, want string }{
		"log":               {display.Log([]byte(`{"level":"warning","logger":"db","data":"look out"}`)), "warning (db): look out"},
		"log, an object":    {display.Log([]byte(`{"level":"info","data":{"a": 1.0}}`)), `info: {"a": 1.0}`},
		"log, hostile":      {display.Log([]byte(`{"level":"\u001b","logger":"\u202e","data":""}`)), "␛ (<U+202E>): "},
		"progress":          {display.Progress([]byte(`{"progress":3,"total":10,"message":"halfway"}`)), "halfway, 3 of 10"},
		"progress, no more": {display.Progress([]byte(`{"progress":1e3}`)), "1e3"},
		"progress, no end":  {display.Progress([]byte(`{"message":"\u001b","Progress":3,"total":10}`)), "␛"},
		"progress, nothing": {display.Progress([]byte(`{}`)), ""},
		"task":              {display.Task(engine.Task{Status: "working", Message: "half\u202e"}), "half<U+202E>"},
		"task, silent":      {display.Task(engine.Task{Status: "working"}), "works on it as a task (working)"},
	}
	for name, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", name, tt.got, tt.want)
		}
	}
}

func TestSeverity(t *testing.T) {
	for i, level := range display.Levels() {
		if got := display.Severity(level); got != i {
			t.Errorf("%s: got %d, want %d", level, got, i)
		}
	}
	if got := display.Severity("loud"); got != -1 {
		t.Errorf("no level: got %d", got)
	}
}
