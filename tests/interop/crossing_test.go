package interop_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// TestQuestionsOfCallsAtOnce has the official clients of 2025-11-25 open three
// calls at once in one session, at tools in Python that ask in straight code.
// Each question must come on the stream of its own call, whether the client has
// a stream of the session (GET) or not: nothing else says whose it is.
func TestQuestionsOfCallsAtOnce(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"lowlevel", "mcpserver", "fastmcp"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			url := interop.Serve(t, askingInPython(t, root, kind)...)
			for _, client := range []string{"ts-legacy", "python-legacy"} {
				for name, flags := range map[string][]string{"with a GET stream": nil, "without": {"--no-get"}} {
					t.Run(client+" "+name, func(t *testing.T) {
						t.Parallel()
						cross(t, client, append(flags, url))
					})
				}
			}
		})
	}
}

func cross(t *testing.T, client string, args []string) {
	interop.SetUp(t, client)
	script, err := filepath.Abs("run.sh")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), interop.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, script, append([]string{"--ready", "crossing", client}, args...)...)
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the calls did not end: %v\n%s", err, log.String())
	}
	var got struct {
		Texts map[string]string
		Asked []struct{ Method, Message, On string }
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("the client wrote %q: %v", out, err)
	}
	questions := map[string]int{}
	for _, asked := range got.Asked {
		questions[asked.On+" "+asked.Method]++
		if asked.Message != "" && !strings.Contains(asked.Message, asked.On) {
			t.Errorf("%q came on the stream of %s", asked.Message, asked.On)
		}
	}
	for _, who := range []string{"Ada", "Bob", "Cy"} {
		if want := who + " file:///" + who + " " + who; got.Texts[who] != want {
			t.Errorf("the call of %s came to %q, not %q", who, got.Texts[who], want)
		}
		for method, want := range map[string]int{"elicitation/create": 2, "roots/list": 1, "sampling/createMessage": 1} {
			if n := questions[who+" "+method]; n != want {
				t.Errorf("%d %s came on the stream of %s, not %d", n, method, who, want)
			}
		}
	}
}
