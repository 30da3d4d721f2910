//go:build unix

package main_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// completing is a server on the official Go SDK with a prompt and a template
// whose arguments it completes, unless it has no completions.
func completing(t *testing.T, version string, completes func(context.Context, *mcp.CompleteParams) []string) (url string) {
	t.Helper()
	options := &mcp.ServerOptions{SupportedProtocolVersions: []string{version}}
	if completes != nil {
		options.CompletionHandler = func(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: completes(ctx, r.Params)}}, nil
		}
	}
	p := mcp.NewServer(&mcp.Implementation{Name: "completing", Version: "1"}, options)
	p.AddPrompt(&mcp.Prompt{Name: "review", Description: "Reviews\x1b code.", Arguments: []*mcp.PromptArgument{
		{Name: "language", Title: "Language", Required: true, Description: "of the code"}, {Name: "framework"},
	}}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text := "Review " + r.Params.Arguments["language"] + " with " + r.Params.Arguments["framework"] + "."
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
	})
	p.AddResourceTemplate(&mcp.ResourceTemplate{Name: "greeting", URITemplate: "greeting://{name}{?lang}"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "Read " + r.Params.URI}}}, nil
	})
	s := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return p }, &mcp.StreamableHTTPOptions{Stateless: version == current}))
	t.Cleanup(s.Close)
	return s.URL
}

// frameworks completes languages, and frameworks of the language that is there.
// Some of what it offers is not what it seems.
func frameworks(_ context.Context, p *mcp.CompleteParams) []string {
	all := map[string][]string{"": {"perl", "python", "pyth\u202eon", "pyret\nSend", "pyret"}, "python": {"django", "flask"}}
	var of string
	if p.Argument.Name == "framework" && p.Context != nil {
		of = p.Context.Arguments["language"]
	}
	var values []string
	for _, value := range all[of] {
		if strings.HasPrefix(value, p.Argument.Value) {
			values = append(values, value)
		}
	}
	return values
}

const tab = "\t"

// TestPromptArguments fills in a prompt's arguments with what its server
// suggests, in each era.
func TestPromptArguments(t *testing.T) {
	t.Parallel()
	for _, version := range []string{current, latest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := start(t, 80, 24, "prompt", completing(t, version, frameworks), "review", "--label", "the desk")
			w.sees("prompt review of the desk\n│ Reviews␛ code.", "Language\n┃ of the code\n┃ >", "field 1 of 2 · tab suggestions · enter next · esc stop")
			w.press("py", tab)
			w.sees("> py\n  python\n  pyret\n")
			if screen := w.look(); strings.Contains(screen, "202E") || strings.Contains(screen, "Send") || strings.Contains(screen, "perl") {
				t.Errorf("offers more than it should:\n%s", screen)
			}
			w.press(tab)
			w.sees("┃ > python\n> python\n  pyret")
			w.press(down)
			w.sees("┃ > pyret\n  python\n> pyret")
			w.press(up)
			w.sees("┃ > python")
			w.press("x")
			w.sawGo("pyret") // it is another text now
			w.press(tab)
			w.sees("┃ > pythonx", "no suggestions")
			w.press(erase)
			w.sawGo("no suggestions")
			w.press(enter)
			w.sees("framework\n┃ optional\n┃ >", "field 2 of 2")
			w.press("f", tab) // the only one there is
			w.sees("┃ > flask")
			w.press(enter)
			w.sees("Send this to the desk?", "• Language: python", "• framework: flask", "> Send\n┃   Stop this call")
			w.press(enter)
			w.sees("→ filled in\n  Language: python\n  framework: flask\n", "Review python with flask.")
			w.ends(0)
		})
	}
}

// TestTemplateArguments fills in the address of a resource, and does not where
// nobody can be asked or the server has no such template.
func TestTemplateArguments(t *testing.T) {
	t.Parallel()
	url := completing(t, current, func(_ context.Context, p *mcp.CompleteParams) []string { return []string{p.Argument.Value + "da L."} })
	w := start(t, 80, 24, "read", url, "greeting://{name}{?lang}", "--label", "the desk")
	w.sees("resource greeting://{name}{?lang} of the desk", "name\n┃ >", "tab suggestions")
	w.press("A", tab)
	w.sees("┃ > Ada L.")
	w.press(enter)
	w.sees("lang\n┃ optional")
	w.press(enter)
	w.sees("• name: Ada L.", "• lang: (left out)")
	w.press(enter)
	w.sees("Read greeting://Ada%20L.")
	w.ends(0)

	w = start(t, 80, 24, "read", url, "other://{name}")
	w.seesFlat("parley:", "answered with error")
	w.ends(3)
	if e := run(t, "", "read", url, "greeting://{name}{?lang}"); e.code != 3 {
		t.Errorf("nobody there: got exit %d, %s", e.code, e.stdout)
	}
}

// TestNoCompletions has Tab lead on where the server says nothing of completions.
func TestNoCompletions(t *testing.T) {
	t.Parallel()
	w := start(t, 80, 24, "prompt", completing(t, current, nil), "review")
	w.sees("field 1 of 2 · enter next · esc stop")
	w.press("Go", tab)
	w.sees("field 2 of 2")
	w.press(escape)
	w.sees("> Continue\n┃   Stop this call")
	w.press(down, enter)
	w.sees("→ stopped", "you stopped the call to the prompt review")
	w.ends(4)
}

// TestTypedOn types on while the server looks for suggestions: they are not
// wanted any more.
func TestTypedOn(t *testing.T) {
	t.Parallel()
	typed, given := make(chan struct{}), make(chan struct{})
	w := start(t, 80, 24, "prompt", completing(t, current, func(_ context.Context, p *mcp.CompleteParams) []string {
		if p.Argument.Value != "p" {
			return []string{"perl", "pearl"}
		}
		defer close(given)
		<-typed
		return []string{"late"}
	}), "review")
	w.sees("tab suggestions")
	w.press("p", tab)
	w.sees("asking for suggestions …")
	w.press("e")
	w.sawGo("asking for suggestions")
	close(typed)
	<-given
	w.press(tab)
	w.sees("  perl\n  pearl\n")
	if screen := w.look(); strings.Contains(screen, "late") {
		t.Errorf("shows what came too late:\n%s", screen)
	}
	w.press(ctrlC)
	w.sees("interrupted")
	w.ends(130)
}
