package interop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/interop"
)

// TestWatch has Parley's clients subscribe at servers of the Python and the Rust
// SDK, be told of what changes there, and complete an argument, in each era and
// over each transport. (At Go's and TypeScript's they do in hosts/go/gosdk and in
// hosts/js/test.)
func TestWatch(t *testing.T) {
	report := []string{"interop://report"}
	both := session.Filter{ToolsListChanged: true, ResourceSubscriptions: report}
	for _, tt := range []struct {
		server interop.Server
		grants session.Filter
	}{
		{interop.Server{Name: "python", Era: interop.Modern}, session.Filter{ToolsListChanged: true, PromptsListChanged: true, ResourceSubscriptions: report}}, // whatever is asked for
		{interop.Server{Name: "python", Era: interop.Legacy}, session.Filter{ResourceSubscriptions: report}},                                                   // MCPServer says that lists do not change there
		{interop.Server{Name: "rust", Era: interop.Modern}, both},
		{interop.Server{Name: "rust", Era: interop.Legacy}, both},
	} {
		for _, over := range []interop.Transport{interop.HTTP, interop.Stdio} {
			t.Run(tt.server.String()+"/"+string(over), func(t *testing.T) {
				t.Parallel()
				p := reach(t, tt.server, over)
				t.Run(parleyGo, func(t *testing.T) { watch(t, p, tt.grants) })
				t.Run(parleyJS, func(t *testing.T) { watchInNode(t, p, tt.grants) })
			})
		}
	}
}

func watch(t *testing.T, p *peer, grants session.Filter) {
	told, changed := make(chan session.Filter, 8), make(chan session.Filter, 64)
	s, err := parley.NewSession(parley.Native{}, p.transport(), parley.SessionOptions{
		ProbeTimeout: interop.Patience,
		Watchers: parley.SessionWatchers{
			OnSubscribed: func(a session.Subscribed) { told <- a.Filter },
			OnChanged: func(a session.Changed) {
				if !a.Missed {
					changed <- a.Filter
				}
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Subscribe(session.Filter{ToolsListChanged: true, PromptsListChanged: true, ResourceSubscriptions: []string{"interop://report"}}); err != nil {
		t.Fatal(err)
	}
	if got := <-told; !alike(got, grants) {
		t.Errorf("the server grants %+v, want %+v", got, grants)
	}
	// A server of the earlier era tells on a stream that may not be open yet.
	for tools, report, late := false, false, time.Now().Add(interop.Patience); !report || !tools; time.Sleep(20 * time.Millisecond) {
		if res, err := s.CallTool(t.Context(), parley.ToolCall{Name: "touch"}); err != nil || res.Content[0].Text != "touched" {
			t.Fatalf("touch: got %+v, %v", res, err)
		}
		for waiting := true; waiting; {
			select {
			case got := <-changed: // a list that "does not change" is told of all the same
				tools, report = tools || got.ToolsListChanged, report || slices.Equal(got.ResourceSubscriptions, []string{"interop://report"})
			default:
				waiting = false
			}
		}
		if time.Now().After(late) {
			t.Fatalf("told of the tools: %v, of the report: %v", tools, report)
		}
	}
	values, more, err := s.Complete(t.Context(), parley.Completion{Prompt: "advise", Argument: "topic", Value: "te"})
	if want := []string{"tea", "terns"}; err != nil || more || !slices.Equal(values, want) {
		t.Errorf("completed: got %q, %v, %v, want %q", values, more, err, want)
	}
}

// watchInNode has parley-js/watch.js do the same, which says what it saw.
func watchInNode(t *testing.T, p *peer, grants session.Filter) {
	interop.SetUp(t, parleyJS)
	var got struct {
		Granted session.Filter
		Changed []string
		Values  []string
	}
	if err := json.Unmarshal(inNode(t, "parley-js/watch.js", p.at), &got); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got.Changed)
	if !alike(got.Granted, grants) || !slices.Equal(got.Changed, []string{"interop://report", "tools"}) || !slices.Equal(got.Values, []string{"tea", "terns"}) {
		t.Errorf("got %+v, want %+v granted", got, grants)
	}
}

// inNode runs a program of Parley's own in JavaScript, and returns what it prints.
func inNode(t *testing.T, program string, at target) []byte {
	t.Helper()
	args := []string{program, at.url}
	if at.url == "" {
		args = append([]string{program, "--"}, at.command...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*interop.Patience)
	defer cancel()
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, log.Bytes())
	}
	return out
}

func alike(a, b session.Filter) bool {
	return a.ToolsListChanged == b.ToolsListChanged && a.PromptsListChanged == b.PromptsListChanged &&
		a.ResourcesListChanged == b.ResourcesListChanged && slices.Equal(a.ResourceSubscriptions, b.ResourceSubscriptions)
}
