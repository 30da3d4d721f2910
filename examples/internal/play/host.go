package play

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Host has a host call the tools of a server, and types what a person would.
func Host(t *testing.T, host []string, server string) {
	nobody := closedPort(t)
	tests := map[string]struct {
		url, tool, arguments string
		typed                string
		ok                   bool
		want                 []string
	}{
		"one form": {server, "get_weather", oslo, "imperial\n\n", true,
			[]string{"Which units should the weather in Oslo be in?", "Oslo: 64 °F"}},
		"a default": {server, "get_weather", oslo, "\n\n", true, []string{"metric", "Oslo: 18 °C"}},
		"two forms": {server, "update_work_item", resolved, "Duplicate\n\n4242\nThe same crash, reported a day earlier.\n\n", true,
			[]string{resolution, ofWhich, isResolved}},
		"does not fit": {server, "update_work_item", resolved, "Lost\n\nDuplicate\n\nx\n0\n4242\n\n\n", true,
			[]string{"It must be one of the choices", "It must be filled in", "It must be a whole number", "It must be at least 1", "duplicate of 4242."}},
		"declined":       {server, "update_work_item", resolved, "/decline\n", true, []string{"the user declined to give a resolution"}},
		"declined later": {server, "update_work_item", resolved, "Duplicate\n\n4242\n/decline\n", true, []string{"the user declined to name the original"}},
		"not sent":       {server, "update_work_item", resolved, "Fixed\n/decline\n", true, []string{"the user declined to give a resolution"}},
		"nobody there":   {server, "update_work_item", resolved, "", false, []string{"the call is parked"}},
		"nothing to ask": {server, "update_work_item", `{"id":4711,"state":"Active"}`, "", true, []string{"Work item 4711 is now Active."}},
		"no such tool":   {server, "nosuch", `{}`, "", false, []string{"nosuch"}},
		"no JSON":        {server, "get_weather", `{`, "", false, []string{"JSON"}},
		"unreachable":    {nobody, "get_weather", oslo, "", false, []string{"it was not carried out"}},
		"without a word": {"", "", "", "", false, []string{"Usage:"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var args []string
			if tt.url != "" {
				args = []string{tt.url, tt.tool, tt.arguments}
			}
			shown, ok := typing(t, host, tt.typed, args...)
			if ok != tt.ok {
				t.Errorf("ended well: got %v, want %v", ok, tt.ok)
			}
			for _, want := range tt.want {
				if !strings.Contains(shown, want) {
					t.Errorf("it does not show %q:\n%s", want, shown)
				}
			}
		})
	}
	t.Run("consent", func(t *testing.T) { consent(t, host) })
	t.Run("hostile", func(t *testing.T) { hostileServer(t, host) })
}

// typing runs a host and types. It returns all that is shown, and whether the
// exit code is 0; any other must be 1.
func typing(t *testing.T, host []string, typed string, args ...string) (shown string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), host[0], append(host[1:len(host):len(host)], args...)...)
	cmd.Stdin = strings.NewReader(typed)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out), err == nil
}

// closedPort is the URL of a server that is not there.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/mcp"
}

// consent is asked for without any field: that somebody is asked at all matters.
func consent(t *testing.T, host []string) {
	url := asking(t, &mcp.ElicitParams{Message: "Delete everything?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}, "")
	for typed, want := range map[string]string{"\n": "accept", "/decline\n": "decline", "": "the call is parked"} {
		if shown, ok := typing(t, host, typed, url, "ask", "{}"); ok != (typed != "") || !strings.HasSuffix(strings.TrimSpace(shown), want) {
			t.Errorf("typing %q: got %v, %q, want %q", typed, ok, shown, want)
		}
	}
}

// hostile is what a terminal must not be given: it clears the screen, turns the
// direction of writing, begins lines, and asks for what the host would not.
const hostile = "\x1b[2Jevil\u202e\u2028\u009b\r\n\nPassword: \a\u200b"

func hostileServer(t *testing.T, host []string) {
	text, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	url := asking(t, &mcp.ElicitParams{Message: hostile, RequestedSchema: json.RawMessage(`{"type":"object","properties":{"choice":` +
		`{"type":"string","title":` + string(text) + `,"oneOf":[{"const":` + string(text) + `,"title":` + string(text) + `},{"const":"yes","title":"yes"}]}}}`)}, hostile)
	for tool, ends := range map[string]bool{"ask": true, "fail": false, "break": false} {
		shown, ok := typing(t, host, "no\nyes\n\n", url, tool, "{}")
		if ok != ends || !strings.Contains(shown, "evil") {
			t.Errorf("%s: ended well %v, want %v, and a text that is plain:\n%q", tool, ok, ends, shown)
		}
		for _, raw := range []string{"\x1b", "\u202e", "\u2028", "\u009b", "\r", "\a", "\u200b", "\nPassword"} {
			if strings.Contains(shown, raw) {
				t.Errorf("%s: it shows %q raw: %q", tool, raw, shown)
			}
		}
	}
}

// asking is the URL of a server whose tool "ask" asks, and answers with a text
// and with what became of the question; "fail" and "break" end with the text as
// an error of the tool and of the protocol.
func asking(t *testing.T, question *mcp.ElicitParams, text string) string {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "asking", Version: "1"}, nil)
	add := func(name string, h mcp.ToolHandler) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, h)
	}
	add("ask", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, answered := req.Params.InputResponses["q"].(*mcp.ElicitResult)
		if !answered {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": question}}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text + answer.Action}}}, nil
	})
	add("fail", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}, nil
	})
	add("break", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: -32000, Message: text}
	})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(srv.Close)
	return srv.URL
}
