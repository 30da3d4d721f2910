package oauth_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestReach keeps public servers out of the private network, and lets those in it
// name each other: by hosts/testdata/oauth/reach.json, as JavaScript does.
func TestReach(t *testing.T) {
	text, err := os.ReadFile("../../testdata/oauth/reach.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Public, Inside []string
		Names          map[string][]netip.Addr
		Addresses      []struct {
			Address netip.Addr
			Private bool
		}
		URLs []struct{ URL, Public, Inside string }
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	for _, a := range table.Addresses {
		if got := oauth.IsPrivate(a.Address); got != a.Private {
			t.Errorf("%s is private: got %t, want %t", a.Address, got, a.Private)
		}
	}
	check := func(server, address, want string) {
		t.Helper()
		from, err := url.Parse(server)
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(address)
		all := max(len(table.Names[u.Hostname()]), 1)
		got := "refused"
		switch n := len(oauth.Dials(t.Context(), from, address, table.Names)); {
		case n == all:
			got = "dialed"
		case n > 0:
			got = "partly dialed"
		}
		if want != "" && got != want {
			t.Errorf("%s names %s: got %s, want %s", server, address, got, want)
		}
	}
	for _, u := range table.URLs {
		for _, server := range table.Public {
			check(server, u.URL, u.Public)
		}
		for _, server := range table.Inside {
			check(server, u.URL, u.Inside)
		}
	}
	if len(table.Addresses) < 40 || len(table.URLs) < 35 {
		t.Error("too little was checked")
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
