//go:build unix

package main_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newCurious is a server on the official Go SDK whose tools depend on what is
// declared, as those of published servers do. One of an earlier version asks while
// it lists them, and for folders as soon as it may, until life ends.
func newCurious(life context.Context, version string) *mcp.Server {
	p := mcp.NewServer(&mcp.Implementation{Name: "curious", Version: "1"}, &mcp.ServerOptions{
		SupportedProtocolVersions: []string{version},
		InitializedHandler: func(_ context.Context, req *mcp.InitializedRequest) {
			if c := req.Session.InitializeParams().Capabilities; c != nil && c.RootsV2 != nil {
				go req.Session.ListRoots(life, nil)
			}
		},
	})
	p.AddTool(&mcp.Tool{Name: "declared", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return said("%s", declared(req.Session, req.Params)), nil
	})
	p.AddPrompt(&mcp.Prompt{Name: "declared"}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text := &mcp.TextContent{Text: declared(req.Session, req.Params)}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text}}}, nil
	})
	p.AddResource(&mcp.Resource{Name: "declared", URI: "x://declared"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: declared(req.Session, req.Params)}}}, nil
	})
	p.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			list, ok := result.(*mcp.ListToolsResult)
			if !ok || err != nil {
				return result, err
			}
			session := req.GetSession().(*mcp.ServerSession)
			tool := &mcp.Tool{Name: "declared", InputSchema: json.RawMessage(`{"type":"object"}`), Description: declared(session, req.GetParams())}
			if version != current {
				tool.Title = answersOf(ctx, session, tool.Description)
			}
			list.Tools = []*mcp.Tool{tool}
			return list, nil
		}
	})
	return p
}

// declared are the names of what a client has declared, in a line.
func declared(session *mcp.ServerSession, params mcp.Params) string {
	of, current := params.GetMeta()[mcp.MetaKeyClientCapabilities]
	if !current {
		of = session.InitializeParams().Capabilities
	}
	text, _ := json.Marshal(of)
	var capabilities map[string]map[string]any
	json.Unmarshal(text, &capabilities)
	if !current && session.InitializeParams().Capabilities.RootsV2 == nil {
		delete(capabilities, "roots") // which the SDK has always, there
	}
	var names []string
	for name, inside := range capabilities {
		names = append(names, name)
		for one := range inside {
			names = append(names, name+"."+one)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// answersOf asks for all that is declared.
func answersOf(ctx context.Context, session *mcp.ServerSession, declared string) string {
	var answers []string
	if answer, err := session.Elicit(ctx, ask("name")); err != nil {
		answers = append(answers, err.Error())
	} else {
		name, _ := answer.Content["name"].(string)
		answers = append(answers, answer.Action+" "+name)
	}
	if strings.Contains(declared, "sampling") {
		answer, err := session.CreateMessage(ctx, &mcp.CreateMessageParams{
			Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "one two"}}}, MaxTokens: 9})
		if err == nil {
			answers = append(answers, answer.Content.(*mcp.TextContent).Text)
		}
	}
	if strings.Contains(declared, "roots") {
		if roots, err := session.ListRoots(ctx, nil); err == nil {
			answers = append(answers, roots.Roots[0].URI)
		}
	}
	return strings.Join(answers, ", ")
}

const answerForList = `{"answers":[{"key":"","action":"accept","content":{"name":"Ada"}}],"roots":[{"uri":"file:///srv","name":"srv"}]}`

// TestDeclared: whatever a server is asked for, it is told the same of what it may
// ask.
func TestDeclared(t *testing.T) {
	t.Parallel()
	script := file(t, answerForList)
	flags := map[string][]string{
		"nothing": nil,
		"folders": {"--root", "."},
		"a model": {"--sample-cmd", sampleCommand(), "--sample-yes"},
		"all":     {"--script", script, "--sample-cmd", sampleCommand(), "--sample-yes"},
	}
	for name, way := range map[string][]string{
		"earlier": stdio("curious"), "earlier, http": {serveHTTP(t, newCurious(t.Context(), latest), latest)}, "current": {serveHTTP(t, newCurious(t.Context(), current), current)},
	} {
		for what, flags := range flags {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				earlier := way[0] == "--" || name == "earlier, http"
				got := run(t, "", with(way, "call", append([]string{"declared", "--engine=native"}, flags...)...)...)
				want := strings.TrimSpace(got.stdout)
				if got.code != 0 || !strings.Contains(want, "elicitation") || strings.Contains(want, "roots") != (what == "folders" || what == "all") ||
					strings.Contains(want, "sampling") != (what == "a model" || what == "all") {
					t.Fatalf("call: got exit %d, %q\n%s", got.code, want, got.stderr)
				}
				for command, of := range map[string]string{"prompt": "declared", "read": "x://declared"} {
					got = run(t, "", with(way, command, append([]string{of, "--engine=native"}, flags...)...)...)
					if got.code != 0 || !strings.Contains(got.stdout, want) {
						t.Errorf("%s: got exit %d, %q, want %q", command, got.code, got.stdout, want)
					}
				}
				got = run(t, "", with(way, "tools", append([]string{"--json", "--engine=native"}, flags...)...)...)
				if earlier && what != "all" { // there is no terminal, so the form gets no answer
					got.check(t, 3, "")
					got.says(t, "nobody is here to answer")
					return
				}
				var list struct{ Tools []mcp.Tool }
				if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || len(list.Tools) != 1 || list.Tools[0].Description != want {
					t.Fatalf("tools: got %v, %q, want %q\n%s", err, got.stdout, want, got.stderr)
				}
				if title := list.Tools[0].Title; earlier && title != "accept Ada, 2 words., file:///srv" {
					t.Errorf("answers: got %q\n%s", title, got.stderr)
				}
				if strings.Contains(got.stderr, "nothing asked for") {
					t.Errorf("got %s", got.stderr)
				}
				got = run(t, "", with(way, "discover", append([]string{"--json", "--engine=native"}, flags...)...)...)
				if got.code != 0 || earlier && !strings.Contains(got.stderr, "  name: Ada\n") {
					t.Errorf("discover: got exit %d\n%s", got.code, got.stderr)
				}
			})
		}
	}
}

// TestListAsks has a person answer while tools are listed: as in a call, but that
// there is nothing to park.
func TestListAsks(t *testing.T) {
	t.Parallel()
	list := with(stdio("curious"), "tools", "--root", ".", "--timeout", "60s")
	w := start(t, 80, 30, list...)
	w.sees("parley.test asks", "for the list of its tools · question 1 of round 1", "│ What is your name?")
	w.press("Ada", enter)
	w.sees("Send this to parley.test?", "> Send")
	if strings.Contains(w.look(), "Park") {
		t.Errorf("offers to park a list:\n%s", w.look())
	}
	w.press(enter)
	w.seesFlat("→ answered", "→ shared 1 folder", "declared  accept Ada, file://")
	w.ends(0)

	w = start(t, 80, 30, list...)
	w.sees("│ What is your name?")
	w.press(ctrlC)
	w.sees("parley: interrupted")
	w.ends(130)

	w = start(t, 80, 30, list...)
	w.sees("│ What is your name?")
	w.press(escape)
	w.sees("Stop")
	w.press(up, enter)
	w.sees("→ stopped")
	w.ends(4)
}

// TestAsksForSuggestions has a server ask while the person fills in arguments. Parley
// answers what needs no dialog, and opens no second dialog.
func TestAsksForSuggestions(t *testing.T) {
	t.Parallel()
	p := mcp.NewServer(&mcp.Implementation{Name: "completing", Version: "1"}, &mcp.ServerOptions{
		SupportedProtocolVersions: []string{latest},
		CompletionHandler: func(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			roots, err := req.Session.ListRoots(ctx, nil)
			if err != nil {
				return nil, err
			}
			if _, err := req.Session.Elicit(ctx, ask("name")); err == nil {
				t.Error("a form was answered")
			}
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{roots.Roots[0].Name}}}, nil
		},
	})
	p.AddPrompt(&mcp.Prompt{Name: "review", Arguments: []*mcp.PromptArgument{{Name: "folder"}}}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text := &mcp.TextContent{Text: "Review " + r.Params.Arguments["folder"]}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text}}}, nil
	})
	dir := filepath.Join(t.TempDir(), "desk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w := start(t, 80, 24, "prompt", serveHTTP(t, p, latest), "review", "--root", dir, "--label", "the server")
	w.sees("folder\n┃ optional", "tab suggestions")
	w.press(tab)
	w.sees("┃ > desk")
	w.press(enter)
	w.sees("> Send")
	w.press(enter)
	w.seesFlat("Review desk", "the server asked for the folders it may work on: shared 1")
	w.ends(0)
}
