package main_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// TestProgram builds the server, reads the URL it prints, calls it and
// interrupts it.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "go-server.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}

	t.Run("serve", func(t *testing.T) {
		p := start(t, program)
		res, err := http.Get(p.url)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET: got %d, want %d", res.StatusCode, http.StatusMethodNotAllowed)
		}
		p.interrupt(t)
	})

	keys, shared := filepath.Join(dir, "keys"), filepath.Join(dir, "shared")
	first, err := seal.GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(seal.CreateKeyFile(keys, first), os.WriteFile(shared, first, 0o644)); err != nil {
		t.Fatal(err)
	}
	users, nobody := filepath.Join(dir, "users"), filepath.Join(dir, "nobody")
	if err := errors.Join(os.WriteFile(users, []byte("# people\n\nada token-of-ada-0123456789\n"), 0o600), os.WriteFile(nobody, nil, 0o600)); err != nil {
		t.Fatal(err)
	}

	// Two processes share a key file; one rotates while a call is under way.
	t.Run("keys and users", func(t *testing.T) {
		args := []string{"-key-file", keys, "-users", users, "-single-use", "update_work_item"}
		a, b := start(t, program, args...), start(t, program, args...)
		here := &client{t: t, url: a.url, token: "token-of-ada-0123456789"}
		there := &client{t: t, url: b.url, token: here.token}
		if got := (&client{t: t, url: a.url}).status(resolve); got != http.StatusUnauthorized {
			t.Errorf("without a token: got status %d, want %d", got, http.StatusUnauthorized)
		}
		state := here.post(resolve, "", "").state()
		second := there.post(resolve, isDuplicate, state)
		if got := there.post(resolve, isDuplicate, state); !strings.Contains(got.body, invalidState) {
			t.Errorf("used again: got %s, want %s", got.body, invalidState)
		}

		var id codec.KeyID
		rotate := func(file []byte) (changed []byte, err error) {
			if changed, id, err = seal.AcceptKey(file, codec.SuiteXChaCha); err == nil {
				changed, err = seal.ActivateKey(changed, id)
			}
			return changed, err
		}
		if err := seal.UpdateKeyFile(keys, rotate); err != nil {
			t.Fatal(err)
		}
		a.hangUp(t, fmt.Sprintf("mints=%x opens=2", id))
		if got := here.post(resolve, ofThree, second.state()).text(); got != resolvedText {
			t.Errorf("across a rotation: got %q, want %q", got, resolvedText)
		}
		if got, want := keyOf(here.post(resolve, "", "").state()), fmt.Sprintf("%x", id); got != want {
			t.Errorf("minted after it: got key %s, want %s", got, want)
		}
		if err := os.WriteFile(keys, []byte("nonsense\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		a.hangUp(t, "line 1 of the key file")
		if got := here.post(resolve, isDuplicate, here.post(resolve, "", "").state()); got.state() == "" {
			t.Errorf("after a file that is none: got %s, want the next question", got.body)
		}
		if strings.Contains(a.log.String(), state) || strings.Contains(a.log.String(), "ada") {
			t.Errorf("a state or a user is in the log: %s", &a.log)
		}
		a.interrupt(t)
		b.interrupt(t)
	})

	t.Run("stdio", func(t *testing.T) {
		cmd := exec.Command(program, "-stdio")
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
		t.Cleanup(func() { cmd.Process.Kill() })
		fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
		line, err := bufio.NewReader(out).ReadString('\n')
		if !strings.Contains(line, `"parley-go-server"`) {
			t.Errorf("got %q, %v", line, err)
		}
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("at the end of its input: %v", err)
		}
	})

	if runtime.GOOS != "windows" {
		t.Run("key file of others", func(t *testing.T) {
			out, _ := exec.Command(program, "-key-file", shared).CombinedOutput()
			if !strings.Contains(string(out), "chmod 600") {
				t.Errorf("got %q, want what to do", out)
			}
		})
	}
	tests := map[string]struct {
		args []string
		code int
		want string
	}{
		"help":            {[]string{"-h"}, 0, "Usage: go-server [flags]"},
		"unknown flag":    {[]string{"-x"}, 1, "flag provided but not defined: -x"},
		"argument":        {[]string{"x"}, 1, `unexpected argument "x"`},
		"no time":         {[]string{"-ttl", "0s"}, 1, "-ttl must be positive"},
		"no step":         {[]string{"-step", "0s"}, 1, "-step must be positive"},
		"no such port":    {[]string{"-addr", "127.0.0.1:99999"}, 1, "invalid port"},
		"too much time":   {[]string{"-ttl", "721h"}, 1, "-ttl must be positive, and 720h0m0s at most"},
		"no key file":     {[]string{"-key-file", filepath.Join(dir, "missing")}, 1, "opening the key file"},
		"users for keys":  {[]string{"-key-file", users}, 1, "line 3 of the key file"},
		"keys for users":  {[]string{"-users", keys}, 1, `line 1: expected "user token"`},
		"no user":         {[]string{"-users", nobody}, 1, "there is no user in it"},
		"stdio and users": {[]string{"-stdio", "-users", users}, 1, "leave out -users"},
		"suite and users": {[]string{"-conformance", "-users", users}, 1, "leave out -users"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program, tt.args...)
			out, _ := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != tt.code || !strings.Contains(string(out), tt.want) {
				t.Errorf("got exit %d, %q; want %d, %q", got, out, tt.code, tt.want)
			}
		})
	}
}

// process is a running server.
type process struct {
	cmd   *exec.Cmd
	url   string
	lines *bufio.Scanner
	log   journal
}

func start(t *testing.T, program string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(program, append([]string{"-addr", "127.0.0.1:0"}, args...)...)}
	p.cmd.Stderr = &p.log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	p.lines = bufio.NewScanner(stdout)
	p.lines.Scan()
	m := regexp.MustCompile(`^listening on (http://127\.0\.0\.1:\d+/mcp)$`).FindStringSubmatch(p.lines.Text())
	if m == nil {
		t.Fatalf("first line: got %q\n%s", p.lines.Text(), &p.log)
	}
	p.url = m[1]
	return p
}

// hangUp has the server read its keys again and waits for what it logs.
func (p *process) hangUp(t *testing.T, want string) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Skipf("no hang-ups here: %v", err)
	}
	for limit := time.Now().Add(3 * time.Minute); !strings.Contains(p.log.String(), want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("log: got %s, want %q", &p.log, want)
		}
	}
}

func (p *process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skipf("no interrupts here: %v", err)
	}
	if p.lines.Scan() {
		t.Errorf("second line on standard output: %q", p.lines.Text())
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("exit: %v\n%s", err, &p.log)
	}
}

// journal is a log that is read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}
