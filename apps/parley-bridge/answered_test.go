package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// TestAnswered has requests with whatever can be wrong with them: each gets an answer
// with its id, and its HTTP status is what it was.
func TestAnswered(t *testing.T) {
	t.Parallel()
	url := listen(t, "--max-body", "1", quiet(t))
	c := begin(t, url, "{}")
	session := "Mcp-Session-Id: " + c.headers["Mcp-Session-Id"]
	long := strings.Repeat("A", 1<<20)
	const modern = "MCP-Protocol-Version: 2026-07-28"
	tests := map[string]struct {
		body    string
		headers []string
		status  int
		ids     string // of the answers
		want    string
	}{
		"no session":                   {ping, nil, 400, "1", "send initialize first"},
		"a session that ended":         {ping, []string{"Mcp-Session-Id: gone"}, 404, "1", "no such session"},
		"a version without sessions":   {ping, []string{session, modern}, 400, "1", "without sessions"},
		"a version that is none":       {ping, []string{session, "MCP-Protocol-Version: latest"}, 400, "1", "without sessions"},
		"a batch of no session":        {`[` + ping + `,{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":"b","method":"ping"},{"jsonrpc":"2.0","id":9,"result":{}}]`, nil, 400, `1 "b"`, "send initialize first"},
		"two of no session":            {ping + "\n" + `{"jsonrpc":"2.0","id":"b","method":"ping"}`, nil, 400, `1 "b"`, "send initialize first"},
		"initialize among others":      {`[` + initialize + `,` + ping + `]`, nil, 400, "7 1", "send it alone"},
		"params that are a list":       {`{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}`, []string{session}, 200, "5", "-32602"},
		"one of a batch":               {`[{"jsonrpc":"2.0","id":5,"method":"ping","params":[]},{"jsonrpc":"2.0","id":6,"method":"ping"}]`, []string{session}, 200, "5 6", `"result":{}`},
		"params of initialize":         {`{"jsonrpc":"2.0","id":5,"method":"initialize","params":"x"}`, nil, 200, "5", "-32602"},
		"params of 2026":               {`{"jsonrpc":"2.0","id":5,"method":"tools/list","params":7}`, []string{modern, "Mcp-Method: tools/list"}, 400, "5", "-32602"},
		"a method that is none":        {`{"jsonrpc":"2.0","id":5,"method":7}`, []string{session}, 400, "5", "-32700"},
		"no method":                    {`{"jsonrpc":"2.0","id":"x"}`, []string{session}, 400, `"x"`, "-32700"},
		"cut off":                      {`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t`, []string{session}, 400, "5", "-32700"},
		"not a number":                 {`{"method":"tools/call","params":{"n":NaN},"jsonrpc":"2.0","id":5}`, []string{session}, 400, "5", "-32700"},
		"not UTF-8":                    {`{"method":"tools/call","params":{"n":"` + "\xe9" + `"},"jsonrpc":"2.0","id":5}`, []string{session}, 400, "5", "-32700"},
		"a member twice":               {`{"jsonrpc":"2.0","id":5,"method":"ping","method":"ping"}`, []string{session}, 400, "5", "-32700"},
		"text before":                  {`sending {"jsonrpc":"2.0","id":5,"method":"ping"}`, []string{session}, 400, "5", "-32700"},
		"two ids":                      {`{"jsonrpc":"2.0","id":5,"id":6,"method":"ping"}`, []string{session}, 400, "null", "-32700"},
		"an id that is none":           {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, []string{session}, 200, "null", "-32600"},
		"too long":                     {`{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"` + long + `"}}`, []string{session}, 200, "5", "longer than"},
		"too long, its id last":        {`{"method":"x","params":{"a":"` + long + `"},"jsonrpc":"2.0","id":5}`, []string{session}, 200, "5", "longer than"},
		"too long, of no session":      {`{"method":"x","params":{"a":"` + long + `"},"jsonrpc":"2.0","id":5}`, nil, 413, "5", "longer than"},
		"a reply of no session":        {`{"jsonrpc":"2.0","id":5,"result":{}}`, nil, 400, "", "send initialize first"},
		"a notification of no session": {`{"jsonrpc":"2.0","method":"x"}`, nil, 400, "", "send initialize first"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := &client{t: t, url: url}
			res := c.do("POST", tt.body, tt.headers...)
			var texts []string
			if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
				for next := events(res); ; {
					e := next()
					if e.data == ended {
						break
					}
					texts = append(texts, e.data)
				}
			} else {
				b, err := io.ReadAll(res.Body)
				if err != nil {
					t.Fatal(err)
				}
				texts = []string{string(b)}
			}
			if res.StatusCode != tt.status || !strings.Contains(strings.Join(texts, "\n"), tt.want) {
				t.Errorf("got %d %.300s, want %d %s", res.StatusCode, texts, tt.status, tt.want)
			}
			if got := answeredIDs(t, texts); !slices.Equal(got, strings.Fields(tt.ids)) {
				t.Errorf("got answers to %s, want %s", got, tt.ids)
			}
		})
	}
}

// TestAnsweredInPieces has a message whose length is not said, and is too long.
func TestAnsweredInPieces(t *testing.T) {
	t.Parallel()
	body := io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"`), strings.NewReader(strings.Repeat("A", 1<<20)))
	res, err := http.Post(listen(t, "--max-body", "1", quiet(t)), "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, _ := io.ReadAll(res.Body); res.StatusCode != 413 || string(message.Get(text, "id")) != "5" {
		t.Errorf("got %d %s", res.StatusCode, text)
	}
}

// answeredIDs are the ids of what is an answer, sorted by when they come but for a
// stream's, which may come in any order.
func answeredIDs(t *testing.T, texts []string) []string {
	t.Helper()
	ids := []string{}
	for _, text := range texts {
		messages, err := message.Parse([]byte(text))
		if err != nil {
			continue // words
		}
		for _, m := range messages {
			if m.Method == "" {
				ids = append(ids, string(m.ID))
			}
		}
	}
	if len(texts) > 1 {
		slices.Sort(ids)
	}
	return ids
}

// TestAnsweredWhereFull has requests answered for which there is no room.
func TestAnsweredWhereFull(t *testing.T) {
	t.Parallel()
	called, release := make(chan struct{}), make(chan struct{})
	c := begin(t, listen(t, "--max-requests", "1", scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		if m.Method == "tools/call" {
			close(called)
			<-release
		}
		return `{"resultType":"complete","content":[],"tools":[],"ttlMs":0,"cacheScope":"private"}`
	})), "{}")
	running := events(c.do("POST", call))
	<-called
	res := c.do("POST", ping)
	text, _ := io.ReadAll(res.Body)
	if got := answeredIDs(t, []string{string(text)}); res.StatusCode != 200 || res.Header.Get("Retry-After") == "" || !slices.Equal(got, []string{"1"}) {
		t.Errorf("one too many: got %d %s", res.StatusCode, text)
	}
	close(release)
	if got := running().data; !strings.Contains(got, `"content":[]`) {
		t.Errorf("the one that ran: got %s", got)
	}
}

// TestInitializeBegins has initialize begin a session whatever comes with it.
func TestInitializeBegins(t *testing.T) {
	t.Parallel()
	url := listen(t, quiet(t))
	earlier := begin(t, url, "{}").headers["Mcp-Session-Id"]
	tests := map[string][]string{
		"nothing":                   nil,
		"a session that ended":      {"Mcp-Session-Id: gone"},
		"a session that is open":    {"Mcp-Session-Id: " + earlier},
		"a version":                 {"MCP-Protocol-Version: 2025-06-18"},
		"a version without session": {"MCP-Protocol-Version: 2026-07-28"},
		"a version nobody knows":    {"MCP-Protocol-Version: 1999-01-01", "Mcp-Session-Id: gone"},
		"header fields of 2026":     {"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: initialize"},
		"anything accepted":         {"Accept: */*"},
		"JSON accepted":             {"Accept: application/json"},
		"nothing accepted":          {"Accept: "},
		"a stream to take up":       {"Last-Event-ID: 3-4", "Mcp-Session-Id: gone"},
		"a form, curl's way":        {"Content-Type: application/x-www-form-urlencoded"},
	}
	for name, headers := range tests {
		t.Run(name, func(t *testing.T) {
			c := &client{t: t, url: url}
			res := c.do("POST", initialize, headers...)
			text, _ := io.ReadAll(res.Body)
			id := res.Header.Get("Mcp-Session-Id")
			if res.StatusCode != http.StatusOK || message.Get(text, "result") == nil || id == "" || id == earlier {
				t.Fatalf("got %d %s with session %q, want another session", res.StatusCode, text, id)
			}
			if status, text := c.text("POST", ping, "Mcp-Session-Id: "+id); status != http.StatusOK {
				t.Errorf("ping: got %d %s, want 200", status, text)
			}
		})
	}
	c := &client{t: t, url: url}
	if status, _ := c.text("POST", ping, "Mcp-Session-Id: "+earlier); status != http.StatusOK {
		t.Errorf("the open session: got %d, want that it stays", status)
	}
}

// TestNearly has hosts and paths that nearly match reach the endpoint, and no others.
func TestNearly(t *testing.T) {
	t.Parallel()
	url := listen(t, "--host", "Bridge.example.com", "--host", "other.example.com:8443", "--origin", "HTTPS://App.example:443/", quiet(t))
	at, _ := strings.CutSuffix(url, "/mcp")
	port := url[strings.LastIndex(at, ":"):len(at)]
	hosts := map[string]int{
		"localhost": 200, "LocalHost" + port: 200, "localhost." + port: 200, "localhost:": 200, "127.0.0.1." + port: 200, "[::1]" + port: 200,
		"bridge.example.com": 200, "BRIDGE.EXAMPLE.COM": 200, "bridge.example.com.": 200, "bridge.example.com:443": 200, "bridge.example.com.:80": 200,
		"other.example.com:8443": 200, "Other.example.com.:8443": 200,

		"bridge.example.com" + port: 403, "bridge.example.com:8443": 403, "other.example.com": 403, "other.example.com:443": 403,
		"bridge.example.com..": 403, "localhost..": 403, ".localhost": 403, "localhost.example.com": 403, "bridge.example.com.evil.example": 403,
		"evil.localhost": 403, "bridge-example.com": 403, "bridge.example.co": 403, "xbridge.example.com": 403, "127.0.0.1.evil.example": 403,
		"128.0.0.1": 403, "evil.example": 403, "0.0.0.0": 403, "[::]": 403,
	}
	for host, want := range hosts {
		c := begin(t, url, "{}")
		if got, text := c.text("POST", ping, "Host: "+host); got != want {
			t.Errorf("%s: got %d %s, want %d", host, got, text, want)
		}
	}
	paths := map[string]int{"/mcp": 200, "/mcp/": 200, "/MCP": 200, "//mcp": 200, "/mcp//": 200, "/./mcp": 200, "/mcp?x=1": 200, "/mcp/?x=1": 200, "/": 404, "/mcp2": 404, "/mcp/x": 404, "/x/mcp": 404}
	for path, want := range paths {
		c := begin(t, url, "{}")
		c.url = at + path
		if got, text := c.text("POST", ping); got != want {
			t.Errorf("%s: got %d %s, want %d", path, got, text, want)
		}
		if got, _ := c.text("POST", ping, "Host: evil.example"); want == 200 && got != 403 {
			t.Errorf("%s of a host that leads here: got %d, want 403", path, got)
		}
	}
	c := begin(t, url, "{}")
	for origin, want := range map[string]int{"https://app.example": 200, "http://app.example": 403, "https://app.example:8443": 403, "https://app.example.evil": 403, "null": 403} {
		if got, _ := c.text("POST", ping, "Origin: "+origin); got != want {
			t.Errorf("origin %s: got %d, want %d", origin, got, want)
		}
	}
}

// TestCurl has curl, which sends header fields of its own and waits before it sends
// what is long.
func TestCurl(t *testing.T) {
	t.Parallel()
	curl, err := exec.LookPath("curl")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no curl on PATH")
		}
		t.Skip("there is no curl on PATH")
	}
	url := listen(t, "--max-body", "2", quiet(t))
	file := filepath.Join(t.TempDir(), "body")
	post := func(body string, args ...string) (status, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(curl, append([]string{"-s", "-w", "\n%{http_code}", "--data-binary", "@" + file}, args...)...).Output()
		if err != nil {
			t.Fatalf("curl: %v", err)
		}
		text, status = string(out[:max(len(out)-4, 0)]), string(out[max(len(out)-3, 0):])
		return status, text
	}
	long := `{"jsonrpc":"2.0","method":"x","params":{"a":"` + strings.Repeat("A", 3<<20) + `"},"id":5}`
	for name, tt := range map[string]struct {
		body, status, id string
		args             []string
	}{
		"initialize, no header fields": {initialize, "200", "7", []string{strings.Replace(url, "127.0.0.1", "LOCALHOST", 1) + "/"}},
		"ping, no header fields":       {ping, "400", "1", []string{url}},
		"too long":                     {long, "413", "5", []string{url}},
		"too long, in pieces":          {long, "413", "5", []string{"-H", "Transfer-Encoding: chunked", url}},
		"not JSON":                     {`{"jsonrpc":"2.0","id":3,"method":"ping",}`, "400", "3", []string{url}},
	} {
		if status, text := post(tt.body, tt.args...); status != tt.status || string(message.Get([]byte(strings.TrimSpace(text)), "id")) != tt.id {
			t.Errorf("%s: got %s %.200s, want %s with id %s", name, status, text, tt.status, tt.id)
		}
	}
}

// TestAnsweredOverStdio has lines that cannot be carried out, one of them too long;
// the rest is served.
func TestAnsweredOverStdio(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), program, quiet(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer in.Close()
		fmt.Fprintf(in, "%s\n", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`)
		fmt.Fprintf(in, "%s\n", `{"jsonrpc":"2.0","id":2,"method":"ping"`)
		io.WriteString(in, `{"jsonrpc":"2.0","method":"x","params":{"a":"`)
		for range 65 {
			io.WriteString(in, strings.Repeat("A", 1<<20))
		}
		fmt.Fprintf(in, "%s\n", `"},"id":3}`)
		fmt.Fprint(in, `{"jsonrpc":"2.0","id":4,"method":"ping"}`)
	}()
	got := map[string]string{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("got %s, want JSON", lines.Bytes())
		}
		got[string(message.Get(lines.Bytes(), "id"))] = lines.Text()
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("got %v, want that it ends well", err)
	}
	for id, want := range map[string]string{"1": "-32602", "2": "-32700", "3": "longer than", "4": `"result":{}`} {
		if !strings.Contains(got[id], want) {
			t.Errorf("answer to %s: got %q, want %s", id, got[id], want)
		}
	}
}
