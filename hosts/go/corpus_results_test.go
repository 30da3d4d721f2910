package parley_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

// TestResults plays the corpus of results; its README says what the lines mean.
func TestResults(t *testing.T) {
	paths, err := filepath.Glob("../testdata/results/*.txt")
	if err != nil || len(paths) < 40 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			given, want, _ := strings.Cut(string(text), "\n----\n")
			_, given, _ = strings.Cut(given, "\n\ncall ")
			method, result, ok := strings.Cut(given, "\nresult ")
			if !ok {
				t.Fatal("no call, or no result")
			}
			if got := playResult(t, method, result); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// playResult makes an untyped call, then a typed one.
func playResult(t *testing.T, method, result string) (lines string) {
	send := func(context.Context, parley.Outbound) ([]byte, error) {
		return []byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`), nil
	}
	s, err := parley.NewSession(parley.Native{}, parley.Requests(send), parley.SessionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(t, s)
	out, err := s.Call(t.Context(), parley.Request{Method: method})
	if err != nil || string(out.Result) != result {
		t.Errorf("untyped: got %s, %v", out.Result, err)
	}
	if out.Lacks != "" {
		lines = "lacks " + out.Lacks.String() + "\n"
	}
	read, raw := map[string]any{}, []byte(nil)
	switch method {
	case "tools/call":
		var res *schema.CallToolResult
		if res, err = s.CallTool(t.Context(), parley.ToolCall{Name: "t"}); res != nil {
			raw = res.Raw
			content := []any{}
			for _, c := range res.Content {
				content = append(content, shownContent(c))
			}
			read["content"] = content
			if res.IsError {
				read["isError"] = true
			}
			if res.StructuredContent != nil {
				read["structuredContent"] = res.StructuredContent
			}
		}
	case "prompts/get":
		var res *schema.GetPromptResult
		if res, err = s.GetPrompt(t.Context(), parley.PromptGet{Name: "p"}); res != nil {
			raw = res.Raw
			messages := []any{}
			for _, m := range res.Messages {
				messages = append(messages, map[string]any{"role": m.Role, "content": shownContent(m.Content)})
			}
			read["messages"] = messages
		}
	case "resources/read":
		var res *schema.ReadResourceResult
		if res, err = s.ReadResource(t.Context(), parley.ResourceRead{URI: "x:y"}); res != nil {
			raw = res.Raw
			contents := []any{}
			for _, c := range res.Contents {
				contents = append(contents, shownResource(map[string]any{}, c))
			}
			read["contents"] = contents
		}
	}
	if string(raw) != result {
		t.Errorf("typed: kept %s", raw)
	}
	if err == nil {
		return lines + listLine("read", read) + "\n"
	}
	var failed *parley.Error
	if !errors.As(err, &failed) || failed.Resumable || failed.InDoubt || failed.Snapshot != nil {
		t.Fatalf("got %#v, want an *Error that is not to be resumed", err)
	}
	return lines + ended(t, err) + "\n"
}

func shownContent(c schema.Content) map[string]any {
	shown := map[string]any{"type": c.Type}
	switch c.Type {
	case "text":
		shown["text"] = c.Text
	case "image", "audio":
		shown["bytes"] = len(c.Data)
	case "resource_link":
		shown["uri"] = c.URI
	case "resource":
		return shownResource(shown, c.Resource)
	}
	return shown
}

func shownResource(shown map[string]any, r *schema.ResourceContents) map[string]any {
	if r.Blob != nil {
		shown["bytes"] = len(r.Blob)
	} else {
		shown["text"] = r.Text
	}
	return shown
}
