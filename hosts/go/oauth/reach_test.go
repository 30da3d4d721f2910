package oauth_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestReach keeps public servers out of the private network, and lets those in it
// name each other.
func TestReach(t *testing.T) {
	for address, private := range map[string]bool{
		"93.184.215.14:443": false, "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443": false, "10.1.2.3:443": true, "172.20.0.1:443": true,
		"192.168.1.1:80": true, "169.254.169.254:80": true, "100.64.0.1:443": true, "127.0.0.1:443": true, "[::1]:443": true,
		"[::ffff:10.0.0.1]:443": true, "[fd00::1]:443": true, "[fe80::1]:443": true, "0.0.0.0:80": true, "224.0.0.1:80": true, "nonsense": true,
	} {
		public, _ := url.Parse("https://93.184.215.14/mcp")
		if got := oauth.Reaches(t.Context(), public, address); got == private {
			t.Errorf("a public server, %s: reached %t", address, got)
		}
		inside, _ := url.Parse("https://10.0.0.1/mcp")
		if got := oauth.Reaches(t.Context(), inside, address); !got && address != "nonsense" {
			t.Errorf("a private server, %s: not reached", address)
		}
	}
}

// TestPrivateNetwork says in words why nothing was sent.
func TestPrivateNetwork(t *testing.T) {
	const public = "https://93.184.215.14/mcp"
	request, _ := http.NewRequest("GET", public, nil)
	if proxy, _ := http.ProxyFromEnvironment(request); proxy != nil {
		t.Skip("behind a proxy it is the proxy that connects")
	}
	s, err := oauth.New(oauth.Options{URL: public})
	if err != nil {
		t.Fatal(err)
	}
	err = oauth.Visit(t.Context(), s, "https://10.0.0.1/")
	if !errors.Is(err, oauth.ErrDiscovery) || !strings.Contains(err.Error(), "private network") {
		t.Errorf("got %v", err)
	}
}

func FuzzURLs(f *testing.F) {
	for _, seed := range []string{
		"https://mcp.example.com/mcp", "https://mcp.example.com", "https://mcp.example.com/mcp/", "https://mcp.example.com/mcp/../other", "https://mcp.example.com@evil.example.com/mcp",
		"https://mcp.example.com\\@evil.example.com", "HTTPS://MCP.EXAMPLE.COM/mcp", "https://mcp.example.com:443/mcp", "javascript:alert(1)", "http://localhost/", "https://mcp.example.com/mcp#x",
		"https://mcp.example.com/%6dcp", "//mcp.example.com/mcp", "https://:",
	} {
		f.Add(seed)
	}
	server, err := url.Parse(serverURL)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if u, err := oauth.Check(server, text); err == nil {
			again, err := url.Parse(u.String())
			if err != nil || u.Scheme != "https" || u.Hostname() == "" || again.Host != u.Host || u.User != nil || strings.ContainsAny(u.Host, "\\@/ ") {
				t.Errorf("%q was accepted as %s", text, u)
			}
		}
		if oauth.Covers(text, server) {
			u, err := url.Parse(text)
			if err != nil || !strings.EqualFold(u.Hostname(), "mcp.example.com") || u.Scheme != "https" || strings.Trim(u.Path, "/") != "" && strings.Trim(u.Path, "/") != "mcp" {
				t.Errorf("%q covers the server", text)
			}
		}
	})
}
