//go:build unix

package main_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
)

func TestDiscover(t *testing.T) {
	t.Parallel()
	for _, version := range []string{current, latest, middle, oldest} {
		for name, way := range ways(t, version) {
			t.Run(version+"/"+name, func(t *testing.T) {
				t.Parallel()
				got := run(t, "", with(way, "discover", "--engine=native")...)
				era := "earlier: it asks while a call waits"
				if version == current {
					era = "current: it asks by results"
				}
				for _, want := range []string{"protocol      " + version + "\n", "era           " + era, "\nthe rest is what the server says of itself:\n",
					"name          A peer (peer) 1\n", "tools (listChanged)", "instructions\n  │ Be kind.\n  │ Be quick.\n"} {
					if !strings.Contains(got.stdout, want) {
						t.Errorf("lacks %q: %s\n%s", want, got.stdout, got.stderr)
					}
				}
				got = run(t, "", with(way, "discover", "--json")...)
				var said struct {
					ProtocolVersion, Era string
					SelfReported         struct {
						ServerInfo   struct{ Name string }
						Capabilities map[string]any
						Instructions string
					}
				}
				if err := json.Unmarshal([]byte(got.stdout), &said); err != nil {
					t.Fatalf("%v: %q\n%s", err, got.stdout, got.stderr)
				}
				if said.ProtocolVersion != version || (said.Era == "current") != (version == current) || said.SelfReported.ServerInfo.Name != "peer" ||
					said.SelfReported.Capabilities["tools"] == nil || said.SelfReported.Instructions != "Be kind.\nBe quick." || got.code != 0 {
					t.Errorf("got %s", got.stdout)
				}
			})
		}
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	url := server(t)
	got := run(t, "", "tools", url)
	for _, want := range []string{"update_work_item  Update a work item\n  │ Moves a work item to another state.",
		"  id  integer, required\n  state  string, required: For example New, Active, Resolved or Closed\n",
		"  size  one of small, medium, large, required\n", "  waits  integer, default 3\n"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("lacks %q: %s\n%s", want, got.stdout, got.stderr)
		}
	}
	for name, way := range map[string][]string{"http": {url}, "stdio": stdio("stories"), "earlier": stdio(oldest)} {
		got := run(t, "", with(way, "tools", "--json")...)
		var list struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Type string }
			}
		}
		if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || len(list.Tools) < 5 || list.Tools[0].Name == "" || list.Tools[0].InputSchema.Type != "object" {
			t.Errorf("%s: got %v %s\n%s", name, err, got.stdout, got.stderr)
		}
	}
}

// TestToolsLeftOut is told of tools that cannot be called, over two pages.
func TestToolsLeftOut(t *testing.T) {
	t.Parallel()
	url, bodies := rawServer(t,
		`"result":{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"number","x-mcp-header":"X"}}}},{"name":"c"}],"nextCursor":"p2"}`,
		`"result":{"resultType":"complete","tools":[{"name":"d","annotations":{"title":"The last"},"inputSchema":{"type":"object","properties":{"y":{"type":["string","null"]},"z":{}}}}]}`)
	got := run(t, "", "tools", url)
	got.check(t, 0, "c\n\nd  The last\n  y  string, null\n  z  any\n")
	got.says(t, `left out the tool "a": x-mcp-header on what is neither a string, an integer nor a boolean`)
	if got := bodies(); len(got) != 2 || !strings.Contains(got[1], `"params":{"cursor":"p2",`) {
		t.Errorf("requests: got %q", got)
	}
	unnamed, _ := rawServer(t, `"result":{"resultType":"complete","tools":[{"name":"a"},{"title":"b"}]}`)
	got = run(t, "", "tools", unnamed)
	got.check(t, 0, "a\n")
	got.says(t, "tools[1].name is not a string")
	none, _ := rawServer(t, `"result":{"resultType":"complete","tools":[]}`)
	got = run(t, "", "tools", none, "--label", "the desk")
	got.check(t, 0, "")
	got.says(t, "the desk has no tools")
	run(t, "", "tools", none, "--json").check(t, 0, `{"tools":[]}`+"\n")
}

func TestDiscoverNobody(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer locked.Close()
	tests := map[string]struct {
		way  []string
		want string
	}{
		"nobody":     {[]string{"http://127.0.0.1:1/mcp"}, "the connection to the server was refused: is it running there?"},
		"a page":     {[]string{page.URL}, "HTTP status 404 Not Found (is this the server's MCP endpoint?)"},
		"locked":     {[]string{locked.URL}, "wants you to sign in (HTTP status 401), and nobody is here to be asked: run  parley login "},
		"no command": {[]string{"--", "/no/such/server", "--token=secret"}, `the server's program cannot be started: "/no/such/server" was not found`},
		"ends":       {stdio("early"), "no answer from parley.test: it was not carried out: "},
		"no server":  {[]string{"--", "true"}, "no answer from true: it was not carried out: "},
	}
	for name, tt := range tests {
		for _, command := range []string{"discover", "tools"} {
			t.Run(name+"/"+command, func(t *testing.T) {
				got := run(t, "", with(tt.way, command, "--engine=native")...)
				got.check(t, 3, "")
				got.says(t, "parley: ", tt.want)
				if strings.Contains(got.stderr, "secret") {
					t.Errorf("the command's arguments show: %s", got.stderr)
				}
			})
		}
	}
}

// TestKnown keeps the version in a file, only if that is asked for.
func TestKnown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "known.json")
	peer, err := url.Parse(overHTTP(t, latest))
	if err != nil {
		t.Fatal(err)
	}
	var tries atomic.Int32 // of the current version
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(peer)
		storytest.PassWhole(r)
	}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") != "" {
			tries.Add(1)
		}
		proxy.ServeHTTP(w, r)
	}))
	defer s.Close()
	defer s.CloseClientConnections() // a stream that was open stays so until it is noticed that the client has gone
	call := []string{"call", s.URL, "greet", "--script", file(t, answersForGreet), "--known", name}
	run(t, "", call...).check(t, 0, "Hello Ada of Oslo.\n")
	if tries.Load() == 0 {
		t.Error("it was not found out")
	}
	text, err := os.ReadFile(name)
	info, _ := os.Stat(name)
	if err != nil || !strings.Contains(string(text), `"`+latest+`"`) || strings.Contains(string(text), "127.0.0.1") || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("got %v %v %s", err, info.Mode(), text)
	}
	tries.Store(0)
	run(t, "", call...).check(t, 0, "Hello Ada of Oslo.\n")
	if n := tries.Load(); n != 0 {
		t.Errorf("found it out again: %d tries", n)
	}
	got := run(t, "", "tools", s.URL, "--known", file(t, "[]"))
	got.check(t, 2, "")
	got.says(t, "is not a file that parley wrote")
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}
