package main_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestCookies has two users call a server that gives each of its clients a cookie.
// The bridge sends each user's back, and nobody else's: not to the clients, and
// nothing of theirs to the server.
func TestCookies(t *testing.T) {
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte("ada aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, serverEra := range []string{"2026-07-28", "2025-11-25"} {
		for _, clientEra := range []string{"2025-11-25", "2026-07-28"} {
			t.Run("a client of "+clientEra+" at a server of "+serverEra, func(t *testing.T) {
				server := newNumbering(t, serverEra)
				url := listen(t, "--users", users, server.url)
				for n, token := range []string{"aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb"} {
					authorization := "Bearer " + token
					c := &client{t, url, map[string]string{"Authorization": authorization, "Cookie": "node=9; theirs=1", "MCP-Protocol-Version": clientEra}}
					meta := ""
					if clientEra == "2025-11-25" {
						res := c.do("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":{}}}`)
						c.headers["Mcp-Session-Id"] = res.Header.Get("Mcp-Session-Id")
						wantNoCookie(t, res)
						wantNoCookie(t, c.do("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
					} else {
						c.headers["Mcp-Method"] = "tools/list"
						meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
					}
					for id := range 2 {
						res := c.do("POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`, id+1, meta))
						if res.StatusCode != http.StatusOK {
							t.Errorf("got %d", res.StatusCode)
						}
						wantNoCookie(t, res)
						events(res)() // so that it has been answered
					}
					server.wants(t, fmt.Sprintf("node=%d", n+1))
				}
			})
		}
	}
}

func wantNoCookie(t *testing.T, res *http.Response) {
	t.Helper()
	if got := res.Header["Set-Cookie"]; got != nil {
		t.Errorf("the client got %q", got)
	}
}

// numbering is a server on the official SDK that gives whoever has no cookie the next
// number as one.
type numbering struct {
	url string

	mu    sync.Mutex
	given int
	came  []string // cookies, each once
}

func newNumbering(t *testing.T, version string) *numbering {
	peer := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
	mcp.AddTool(peer, &mcp.Tool{Name: "t"}, nothing)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return peer }, &mcp.StreamableHTTPOptions{Stateless: version == "2026-07-28"})
	n := &numbering{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		switch cookie := strings.Join(r.Header["Cookie"], "|"); {
		case cookie == "":
			n.given++
			http.SetCookie(w, &http.Cookie{Name: "node", Value: fmt.Sprint(n.given), Path: "/"})
		case !slices.Contains(n.came, cookie):
			n.came = append(n.came, cookie)
		}
		n.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	n.url = s.URL
	return n
}

// wants has these cookies have come, however often, and none beside them since it
// was asked last.
func (n *numbering) wants(t *testing.T, want ...string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Equal(n.came, want) {
		t.Errorf("cookies: got %q, want %q", n.came, want)
	}
	n.came = nil
}
