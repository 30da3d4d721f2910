package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/server"
)

func TestSetLabel(t *testing.T) {
	tests := map[string]struct {
		server server.Server
		want   string
	}{
		"address":  {server.Server{URL: "https://me:secret@example.com:8080/mcp?key=secret"}, "example.com:8080"},
		"command":  {server.Server{Command: []string{"/opt/my-server.exe", "--secret"}}, "my-server"},
		"given":    {server.Server{URL: "http://a/", Label: "the\x1bdesk"}, "the␛desk"},
		"too long": {server.Server{URL: "http://a/", Label: strings.Repeat("x", 200)}, strings.Repeat("x", 100) + "… (100 more bytes)"},
	}
	for name, tt := range tests {
		if tt.server.SetLabel(); tt.server.Label != tt.want {
			t.Errorf("%s: got %q, want %q", name, tt.server.Label, tt.want)
		}
	}
}

// TestPeer has servers that must not be taken for one another, and labels, which
// tell nothing apart.
func TestPeer(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []server.Server{
		{URL: "http://a/"}, {URL: "http://a/mcp"}, {Command: []string{"a", "b"}, Dir: "/"}, {Command: []string{"a b"}, Dir: "/"}, {Command: []string{"a", "b"}, Dir: "/x"},
	} {
		before := s.Peer()
		if s.SetLabel(); seen[before] || s.Peer() != before || strings.HasPrefix(before, server.StdioPeer) != (s.Command != nil) {
			t.Errorf("%+v: got %q", s, before)
		}
		seen[before] = true
	}
}

// TestHTTPURL has what is no address of a server.
func TestHTTPURL(t *testing.T) {
	for _, text := range []string{"", "x", "ftp://a/", "http:///mcp", "http://a:b:c/", "127.0.0.1:8080"} {
		if u := server.HTTPURL(text); u != nil {
			t.Errorf("%q: got %v", text, u)
		}
	}
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal(server.Server{Command: []string{"a"}, Dir: "/x", Label: "l"})
	if want := `{"command":["a"],"dir":"/x","label":"l"}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
}
