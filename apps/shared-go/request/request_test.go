package request_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/request"
)

func TestRequests(t *testing.T) {
	tests := map[string]struct {
		make                    func() (string, []byte)
		method, params, subject string
	}{
		"tool":     {func() (string, []byte) { return request.Tool("a\x1b", []byte(`{"n": 1.0}`)) }, "tools/call", `{"name":"a\u001b","arguments":{"n": 1.0}}`, "the tool a␛"},
		"prompt":   {func() (string, []byte) { return request.Prompt("b", []byte(`{}`)) }, "prompts/get", `{"name":"b","arguments":{}}`, "the prompt b"},
		"resource": {func() (string, []byte) { return request.Resource("x://y") }, "resources/read", `{"uri":"x://y"}`, "the resource x://y"},
		"another":  {func() (string, []byte) { return "ping", nil }, "ping", ``, "the request ping"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			method, params := tt.make()
			if method != tt.method || string(params) != tt.params {
				t.Errorf("got %s %s, want %s %s", method, params, tt.method, tt.params)
			}
			if got := request.Subject(method, params); got != tt.subject {
				t.Errorf("subject: got %q, want %q", got, tt.subject)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"object": {" { \"a\" :1.0}\n", `{ "a" :1.0}`},
		"list":   {`[1]`, "the arguments are JSON, but no object"},
		"broken": {"{\"a\": 1,\n \"b\" 2}", "the arguments: not JSON at line 2, column 6: "},
		"short":  {`{"a": "é`, "the arguments: not JSON at line 1, column 9: unexpected end"},
		"empty":  {"", "the arguments: not JSON at line 1, column 1: unexpected end"},
		"bytes":  {"{\"a\":\"\xff\"}", "the arguments: not UTF-8"},
	}
	for name, tt := range tests {
		got, err := request.Arguments([]byte(tt.text))
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.HasPrefix(string(got), tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
