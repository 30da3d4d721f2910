package said_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/engine/internal/said"
)

func TestWords(t *testing.T) {
	long := strings.Repeat("é", 600)
	tests := map[string]struct{ body, want string }{
		"nothing":                {"", ""},
		"space":                  {" \r\n\t", ""},
		"text":                   {"maintenance until noon\n", "maintenance until noon"},
		"lines":                  {"maintenance\r\n\r\n  until\tnoon", "maintenance until noon"},
		"text that is JSON":      {`"maintenance until noon"`, "maintenance until noon"},
		"JSON-RPC":               {`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`, "no session"},
		"JSON-RPC, no code":      {`{"jsonrpc":"2.0","id":1,"error":{"message":"no session"}}`, "no session"},
		"an error as text":       {`{"error":"no session"}`, "no session"},
		"OAuth":                  {`{"error":"invalid_token","error_description":"it is over"}`, "it is over"},
		"FastAPI":                {`{"detail":"Bad Request"}`, "Bad Request"},
		"FastAPI, a list":        {`{"detail":[{"loc":["header","mcp-session-id"],"msg":"field required"}]}`, "field required"},
		"RFC 9457":               {`{"type":"about:blank","title":"Out of credit","status":403}`, "Out of credit"},
		"RFC 9457, detail":       {`{"title":"Out of credit","detail":"it costs 50"}`, "it costs 50"},
		"a list of errors":       {`{"errors":[{"message":"no"},{"message":"never"}]}`, "no"},
		"an empty message":       {`{"message":"","error":"no"}`, "no"},
		"too deep":               {`{"error":{"error":{"error":{"error":"no"}}}}`, ""},
		"other JSON":             {`{"jsonrpc":"2.0","id":1,"result":{"requestState":"secret"}}`, ""},
		"an empty object":        {"{}", ""},
		"null":                   {"null", ""},
		"a page":                 {"<!doctype html>\n<html><head><TITLE lang=\"en\">502 Bad\nGateway</Title></head>", "502 Bad Gateway"},
		"a page without title":   {"<html><body>no</body></html>", ""},
		"a title without end":    {"<title>no", ""},
		"Express":                {"<!DOCTYPE html><head><title>Error</title></head><body><pre>Cannot POST /mcp</pre></body>", "Cannot POST /mcp"},
		"Express, nothing more":  {"<title>Error</title>", "Error"},
		"a title and more":       {"<title>502 Bad Gateway</title><pre>at line 1</pre>", "502 Bad Gateway"},
		"AWS":                    {`{"Message":"no such function"}`, "no such function"},
		"Apigee":                 {`{"fault":{"faultstring":"no quota left","detail":{"errorcode":"x"}}}`, "no quota left"},
		"a byte order mark":      {"\ufeff{\"error\":\"no\"}", "no"},
		"control characters":     {"a\x1b[31mb\x00c\u009bd\x7fe", "a [31mb c d e"},
		"hidden characters":      {"a\u202eb\u200bc\u2066d\ufeffe\U000e0041f", "abcdef"},
		"separators of lines":    {"a\u2028b\u2029c\u0085d\u00a0e", "a b c d e"},
		"no UTF-8":               {"\x1f\x8b\x08\x00", ""},
		"a lone surrogate":       {`{"message":"a\ud800b"}`, `a\ud800b`},
		"500 characters at most": {long, long[:1000] + "…"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := said.Words([]byte(tt.body)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{"", "<title>a</title>", `{"error":{"message":"a"}}`, `{"detail":[{"msg":"a"}]}`, "a\u202eb", `{"message":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		words := said.Words(body)
		if n := utf8.RuneCountInString(words); n > 502 || !utf8.ValidString(words) {
			t.Errorf("%d characters, UTF-8: %v", n, utf8.ValidString(words))
		}
		for _, r := range words {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e {
				t.Errorf("%q in the words", r)
			}
		}
	})
}
