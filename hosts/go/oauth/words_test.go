package oauth_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestWords is what of an authorization server's words is repeated. JavaScript
// reads the same table.
func TestWords(t *testing.T) {
	var tests []struct {
		What, Type, Body, Code, Words string
		Secrets                       []string
	}
	if err := json.Unmarshal(must(os.ReadFile("../../testdata/oauth/words.json")), &tests); err != nil || len(tests) < 40 {
		t.Fatalf("%d cases: %v", len(tests), err)
	}
	for _, tt := range tests {
		t.Run(tt.What, func(t *testing.T) {
			code, words := oauth.Heard(tt.Type, []byte(tt.Body), tt.Secrets)
			if code != tt.Code || words != tt.Words {
				t.Errorf("got %q, %q, want %q, %q", code, words, tt.Code, tt.Words)
			}
		})
	}
}

// FuzzWords never shows a secret, a line end or more than it may.
func FuzzWords(f *testing.F) {
	f.Add("application/json", []byte(`{"error":"a","error_description":"b c"}`), "Xy-12345678")
	f.Add("text/html", []byte("<p>b<script>c"), "Xy-12345678")
	f.Add("text/plain", []byte("error=a&error_description=b\n\u202e"), "b")
	f.Add("text/plain", []byte("error=a"), "\xe2")
	f.Fuzz(func(t *testing.T, kind string, body []byte, secret string) {
		code, words := oauth.Heard(kind, body, []string{secret})
		checkShown(t, code, 64, secret)
		checkShown(t, words, 501, secret)
	})
}

func checkShown(t *testing.T, text string, most int, secret string) {
	runes := []rune(text)
	if len(runes) > most {
		t.Errorf("%d characters", len(runes))
	}
	for _, r := range runes {
		if !unicode.IsPrint(r) {
			t.Errorf("%q holds %U", text, r)
		}
	}
	if len(secret) >= 8 && strings.Contains(text, secret) {
		t.Errorf("%q holds the secret", text)
	}
}
