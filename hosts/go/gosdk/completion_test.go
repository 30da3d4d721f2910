package gosdk_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// TestComplete asks a server of the official SDK how an argument could go on.
func TestComplete(t *testing.T) {
	handler := func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		values := []string{r.Params.Ref.Type, r.Params.Argument.Name, r.Params.Argument.Value + "…"}
		if r.Params.Context != nil {
			values = append(values, r.Params.Context.Arguments["a"])
		}
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, HasMore: true}}, nil
	}
	for name, tt := range map[string]struct {
		handler func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error)
		c       parley.Completion
		want    []string
	}{
		"prompt":   {handler, parley.Completion{Prompt: "p", Argument: "x", Value: "py"}, []string{"ref/prompt", "x", "py…"}},
		"template": {handler, parley.Completion{Template: "file:///{a}/{b}", Argument: "b", Context: map[string]string{"a": "A"}}, []string{"ref/resource", "b", "…", "A"}},
		"none":     {nil, parley.Completion{Prompt: "p", Argument: "x"}, nil},
	} {
		for _, version := range []string{"2026-07-28", "2025-11-25"} {
			t.Run(name+"/"+version, func(t *testing.T) {
				server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{CompletionHandler: tt.handler})
				http := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
				defer http.Close()
				defer http.CloseClientConnections()
				session, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: http.URL}, parley.SessionOptions{
					ClientInfo: parley.Implementation{Name: "test", Version: "1"}, Versions: []string{version}})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				values, more, err := session.Complete(t.Context(), tt.c)
				if err != nil || !slices.Equal(values, tt.want) || more != (tt.handler != nil) {
					t.Errorf("got %q, %v, %v, want %q", values, more, err, tt.want)
				}
			})
		}
	}
}
