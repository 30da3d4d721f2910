package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/internal/storytest"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// program is the bridge, built by TestMain.
var program string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "parley-bridge-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/none") // accounts have their key in a file
	program = filepath.Join(dir, "parley-bridge.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// listen runs the bridge over HTTP in front of a server, until the test ends.
func listen(t *testing.T, args ...string) (url string) {
	t.Helper()
	return storytest.Listen(t, program, append([]string{"--listen", ":0"}, args...)...)
}

// TestCommandLine has what cannot be done said, and what can be done about it.
func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	users := filepath.Join(dir, "users")
	if err := os.WriteFile(users, []byte("ada\tshort\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const url = "http://127.0.0.1:1/mcp"
	tests := map[string]struct {
		args []string
		want string
	}{
		"no server":         {nil, "give the server's URL"},
		"no URL":            {[]string{"example"}, "no http or https URL"},
		"both":              {[]string{url, "--", "server"}, "not both"},
		"no command":        {[]string{"--"}, "no command after --"},
		"unknown flag":      {[]string{"--nonsense", url}, "parley-bridge --help lists the flags"},
		"engine":            {[]string{"--engine", "v8", url}, "--engine is wasm or native"},
		"dialect":           {[]string{"--dialect", "SEP-1", url}, "Dialect is not one that a host can choose"},
		"another version":   {[]string{"--protocol-version", "2026-06-XX", "--", "server"}, "Versions has one that is not known here"},
		"no time":           {[]string{"--hold", "0s", url}, "must be positive"},
		"too long":          {[]string{"--hold", "1000h", url}, "--hold is 168h0m0s at most"},
		"no grace":          {[]string{"--grace", "0s", url}, "--stall and --grace must be positive"},
		"too long a body":   {[]string{"--max-body", "65", url}, "--max-body is from 1 to 64 MiB"},
		"no memory":         {[]string{"--max-memory", "15", url}, "--max-memory is from 16 to 1048576 MiB"},
		"no share":          {[]string{"--user-share", "0", url}, "--user-share is from 1 to 100 percent"},
		"users, no listen":  {[]string{"--users", users, url}, "need --listen"},
		"a short token":     {[]string{"--listen", ":0", "--users", users, url}, "line 1 is not"},
		"no file":           {[]string{"--bearer-file", filepath.Join(dir, "none"), url}, "--bearer-file: "},
		"token, no URL":     {[]string{"--bearer-file", users, "--", "server"}, "a command gets the environment"},
		"origin with path":  {[]string{"--listen", ":0", "--origin", "http://a/b", url}, "--origin is a scheme and host"},
		"open to all":       {[]string{"--listen", "0.0.0.0:0", url}, "say with --users who may call"},
		"two kinds":         {[]string{"--bearer-file", users, "--client-id", "x", url}, "nor with --bearer-file"},
		"a lonely secret":   {[]string{"--client-secret-file", users, url}, "needs the --client-id"},
		"plain public":      {[]string{"--listen", ":0", "--public-url", "http://bridge.example.com", url}, "--public-url is an https URL"},
		"public, no listen": {[]string{"--public-url", "https://bridge.example.com", url}, "--public-url needs --listen"},
		"port, listen":      {[]string{"--listen", ":0", "--callback-port", "8000", url}, "without --listen"},
		"no port":           {[]string{"--callback-port", "70000", url}, "--callback-port is not a port"},
		"no such interface": {[]string{"--listen", "192.0.2.1:0", url}, "listen tcp"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command(program, tt.args...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), tt.want) || strings.Contains(string(out), "short") {
				t.Errorf("got %s, %v, want %q", out, err, tt.want)
			}
		})
	}
	out, err := exec.Command(program, "--help").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Usage: parley-bridge [flags] URL") {
		t.Errorf("--help: got %s, %v", out, err)
	}
}

// TestUnreachable has clients of both eras come to a server that is not there.
func TestUnreachable(t *testing.T) {
	c := &client{t: t, url: listen(t, "http://127.0.0.1:1/mcp?secret")}
	tests := map[string]struct {
		body    string
		headers []string
	}{
		"2025": {body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`},
		"2026": {
			body: `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
				"io.modelcontextprotocol/clientCapabilities":{}}}}`,
			headers: []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, text := c.text("POST", tt.body, tt.headers...)
			if !strings.Contains(text, "is it running there?") || strings.Contains(text, "secret") {
				t.Errorf("got %s, want an error that says what to do", text)
			}
		})
	}
}

// TestEnd has the bridge end with its client, after what it was told.
func TestEnd(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), program, "http://127.0.0.1:1/mcp")
	cmd.WaitDelay = time.Minute
	cmd.Stdin = strings.NewReader("\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\r\n\r\n  \n" +
		"nonsense\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("at the end of its input: got %v, want none", err)
	}
	answers := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if id := string(message.Get([]byte(line), "id")); answers[id] == "" {
			answers[id] = line
		} else {
			t.Errorf("%s is answered twice", id)
		}
	}
	for id, want := range map[string]string{"1": "send initialize first", "null": "not JSON", "2": `"result":{}`, "3": `"result":{}`} {
		if !strings.Contains(answers[id], want) {
			t.Errorf("answer to %s: got %q, want %q", id, answers[id], want)
		}
	}
}

// TestReadme has README.md name no flag that there is not.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	help, err := exec.Command(program, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	flags := regexp.MustCompile(`[\x60 (]--[a-z][a-z-]*`)
	for _, flag := range flags.FindAllString(string(readme), -1) {
		if !strings.Contains(string(help), flag[1:]) {
			t.Errorf("README.md names %s, --help does not", flag[1:])
		}
	}
}
