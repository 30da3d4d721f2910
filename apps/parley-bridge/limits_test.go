package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

const (
	initialize = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	ping       = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
)

// quiet is a server that has nothing to say.
func quiet(t *testing.T) string {
	return scripted(t, func(message.Message, http.ResponseWriter, *http.Request) string {
		return `{"resultType":"complete","content":[],"tools":[]}`
	})
}

// raw opens connections that send no more than this.
func raw(t *testing.T, url, text string, n int) (all []net.Conn) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		io.WriteString(c, text)
		all = append(all, c)
	}
	return all
}

// TestStalled has hundreds of connections that stop in the middle, or send nothing:
// all are closed, and a client is served meanwhile.
func TestStalled(t *testing.T) {
	t.Parallel()
	url := listen(t, "--stall", "2s", quiet(t))
	bad := raw(t, url, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-", 200)
	bad = append(bad, raw(t, url, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\"", 200)...)
	bad = append(bad, raw(t, url, "", 200)...)
	bad = append(bad, raw(t, url, "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100\r\n\r\n{", 1)...) // refused before it is read
	c := begin(t, url, "{}")
	if status, _ := c.text("POST", ping); status != http.StatusOK {
		t.Errorf("meanwhile: got %d, want 200", status)
	}
	for _, conn := range bad {
		io.Copy(io.Discard, conn) // until it is closed
	}
	if status, _ := c.text("POST", ping); status != http.StatusOK {
		t.Errorf("afterwards: got %d, want 200", status)
	}
}

// TestLong has messages that are too long: they are refused by what they say of
// their length, and a state by its own.
func TestLong(t *testing.T) {
	t.Parallel()
	url := listen(t, "--max-body", "2", quiet(t))
	huge := raw(t, url, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108864\r\n\r\n", 1)[0]
	res, err := http.ReadResponse(bufio.NewReader(huge), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "longer than 2097152 bytes") {
		t.Errorf("64 MiB: got %d %s", res.StatusCode, text)
	}
	c := &client{t: t, url: url, headers: map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}}
	_, answer := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","requestState":"`+strings.Repeat("A", 1<<20)+`",
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if !strings.Contains(answer, "invalid_request_state") {
		t.Errorf("a long state: got %.200s", answer)
	}
}

// TestUserShare has one user take all that they may: others are served as before.
func TestUserShare(t *testing.T) {
	t.Parallel()
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte("ada aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\neve eeeeeeeeeeeeeeeeeeee\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := listen(t, "--users", users, "--max-sessions", "4", "--user-share", "75", quiet(t))
	session := func(user string) *client {
		c := &client{t: t, url: url, headers: map[string]string{"Authorization": "Bearer " + strings.Repeat(user, 20)}}
		res := c.do("POST", initialize)
		io.Copy(io.Discard, res.Body)
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%s: got %d, want a session", user, res.StatusCode)
		}
		c.headers["Mcp-Session-Id"] = res.Header.Get("Mcp-Session-Id")
		return c
	}
	is := func(what string, c *client, want int) {
		t.Helper()
		if got, _ := c.text("POST", ping); got != want {
			t.Errorf("%s: got %d, want %d", what, got, want)
		}
	}
	oldest, second, third := session("a"), session("a"), session("a")
	is("used since", oldest, http.StatusOK)
	fourth := session("a")
	is("her longest unused one makes room", second, http.StatusNotFound)
	is("no other", oldest, http.StatusOK)
	theirs := session("b")
	is("there is room for another user", theirs, http.StatusOK)
	newcomer := session("e")
	is("where all is full, hers make room", third, http.StatusNotFound)
	is("not his", theirs, http.StatusOK)
	is("nor the new one", newcomer, http.StatusOK)

	streams := []*http.Response{oldest.do("GET", ""), fourth.do("GET", ""), theirs.do("GET", "")}
	delete(theirs.headers, "Mcp-Session-Id")
	status, text := theirs.text("POST", initialize)
	if status != http.StatusServiceUnavailable || !strings.Contains(text, `"id":7`) || !strings.Contains(text, "try again later") {
		t.Errorf("all are in use: got %d %s", status, text)
	}
	for _, s := range streams {
		s.Body.Close()
	}
}

// TestOwnShare has a user whose sessions are all in use, and calls that wait.
func TestOwnShare(t *testing.T) {
	t.Parallel()
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte("ada aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	asking := scripted(t, func(message.Message, http.ResponseWriter, *http.Request) string {
		return `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"roots/list"}}}`
	})
	url := listen(t, "--users", users, "--max-sessions", "3", "--max-held", "3", "--user-share", "40", asking)
	for _, user := range []string{"a", "b"} {
		c := &client{t: t, url: url, headers: map[string]string{"Authorization": "Bearer " + strings.Repeat(user, 20)}}
		c.headers["Mcp-Session-Id"] = c.do("POST", initialize).Header.Get("Mcp-Session-Id")
		stream := c.do("GET", "")
		delete(c.headers, "Mcp-Session-Id")
		res := c.do("POST", initialize)
		text, _ := io.ReadAll(res.Body)
		if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" || !strings.Contains(string(text), "as many sessions as one user may") {
			t.Errorf("%s, one too many: got %d %s", user, res.StatusCode, text)
		}
		stream.Body.Close()
		call := func() string {
			_, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",
				"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}`,
				"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: t")
			return text
		}
		if text := call(); !strings.Contains(text, "input_required") {
			t.Errorf("%s, a call that waits: got %s", user, text)
		}
		if text := call(); !strings.Contains(text, "as many calls that wait for answers as one user may") {
			t.Errorf("%s, one too many: got %s", user, text)
		}
	}
}

// TestRunning has one more request than a session may have running.
func TestRunning(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	c := begin(t, listen(t, scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		if m.Method == "tools/call" {
			<-release
		}
		return `{"resultType":"complete","content":[],"tools":[],"ttlMs":0,"cacheScope":"private"}`
	})), "{}")
	batch := func(from, to int) (next func() event) {
		var all []string
		for i := from; i < to; i++ {
			all = append(all, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}`, i))
		}
		return events(c.do("POST", "["+strings.Join(all, ",")+"]"))
	}
	first, second := batch(0, 50), batch(50, 101)
	if got := second().data; !strings.Contains(got, "as many requests running as it may") {
		t.Errorf("one too many: got %s", got)
	}
	close(release)
	for range 50 {
		for _, next := range []func() event{first, second} {
			if got := next().data; !strings.Contains(got, `"content":[]`) {
				t.Fatalf("got %s", got)
			}
		}
	}
}

// stoppable runs a bridge that can be told to stop.
func stoppable(t *testing.T, args ...string) (bridge *exec.Cmd, url string) {
	t.Helper()
	bridge = exec.Command(program, append([]string{"--listen", ":0"}, args...)...)
	stdout, err := bridge.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	bridge.Stderr = new(bytes.Buffer)
	if err := bridge.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		bridge.Process.Kill()
		if t.Failed() {
			t.Logf("the bridge said:\n%s", bridge.Stderr)
		}
	})
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	return bridge, strings.TrimPrefix(strings.TrimSpace(line), "listening on ")
}

// TestStopping has a bridge stop while a server takes its time: its client gets the
// result, and others are told meanwhile that it stops.
func TestStopping(t *testing.T) {
	t.Parallel()
	called, release := make(chan struct{}), make(chan struct{})
	bridge, url := stoppable(t, "--grace", "10m", "--engine", "native", scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		if m.Method == "tools/call" {
			close(called)
			<-release
		}
		return `{"resultType":"complete","content":[],"tools":[],"ttlMs":0,"cacheScope":"private"}`
	}))
	health := &client{t: t, url: strings.TrimSuffix(url, "/mcp") + "/healthz"}
	if status, text := health.text("GET", ""); status != http.StatusOK || text != "ok\n" {
		t.Errorf("health: got %d %q", status, text)
	}
	c := begin(t, url, "{}")
	stream := c.do("GET", "")
	running := c.do("POST", call)
	<-called
	if err := bridge.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, stream.Body) // ends, as nothing else would end it
	if status, _ := health.text("GET", ""); status != http.StatusServiceUnavailable {
		t.Errorf("health: got %d, want 503", status)
	}
	if status, text := c.text("POST", ping); status != http.StatusServiceUnavailable || !strings.Contains(text, "stopping") {
		t.Errorf("a new request: got %d %s", status, text)
	}
	close(release)
	next := events(running)
	if got := next().data; !strings.Contains(got, `"content":[]`) {
		t.Errorf("the call that ran: got %s", got)
	}
	if err := bridge.Wait(); err != nil {
		t.Errorf("got %v, want that it ends well", err)
	}
}

// TestStoppedAndResumed stops a bridge while a person is asked: its client is told
// where the call is, and another program finishes it.
func TestStoppedAndResumed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	parley := filepath.Join(dir, "parley")
	if out, err := exec.Command("go", "build", "-o", parley, "../parley").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	key, where := filepath.Join(dir, "it's a key"), "file:"+filepath.Join(dir, "the calls")
	if out, err := exec.Command(parley, "token", "new-key", key).CombinedOutput(); err != nil {
		t.Fatalf("new-key: %v\n%s", err, out)
	}
	server := scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		switch answer := message.Get(m.Params, "inputResponses"); {
		case m.Method != "tools/call":
			return `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`
		case answer == nil:
			return `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Sure?",
				"requestedSchema":{"type":"object","properties":{}}}}}}`
		default:
			return fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":"it was %s"}]}`, message.Text(answer, "q", "action"))
		}
	})
	for name, args := range map[string][]string{"kept": {"--store", where, "--key-file", key}, "not kept": nil} {
		bridge, url := stoppable(t, append(args, "--grace", "10m", server)...)
		c := begin(t, url, `{"elicitation":{}}`)
		next := events(c.do("POST", call))
		if question := next(); message.Text([]byte(question.data), "method") != "elicitation/create" {
			t.Fatalf("%s: got %s, want a question", name, question.data)
		}
		if err := bridge.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		last := next()
		for message.Get([]byte(last.data), "error") == nil && last.data != ended {
			last = next()
		}
		said := message.Text([]byte(last.data), "error", "message")
		if err := bridge.Wait(); err != nil {
			t.Errorf("%s: got %v, want that it ends well", name, err)
		}
		_, line, kept := strings.Cut(said, "this resumes it:  ")
		switch {
		case name == "not kept":
			if !strings.Contains(said, "make it again") {
				t.Errorf("%s: the client is told %q", name, said)
			}
			continue
		case !kept:
			t.Fatalf("%s: the client is told %q", name, last.data)
		}
		script := filepath.Join(dir, "answers.json")
		if err := os.WriteFile(script, []byte(`{"answers":[{"key":"q","action":"accept","content":{}}]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		resume := exec.Command("sh", "-c", line+" --script "+script)
		resume.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		if out, err := resume.CombinedOutput(); err != nil || !strings.Contains(string(out), "it was accept") {
			t.Errorf("resumed: got %v\n%s", err, out)
		}
	}
}
