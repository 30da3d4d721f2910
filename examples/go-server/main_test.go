package main_test

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProgram builds the server, reads the URL it prints, calls it and
// interrupts it.
func TestProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "go-server.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}

	t.Run("serve", func(t *testing.T) {
		cmd := exec.Command(program, "-addr", "127.0.0.1:0")
		var log bytes.Buffer
		cmd.Stderr = &log
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		lines := bufio.NewScanner(stdout)
		lines.Scan()
		m := regexp.MustCompile(`^listening on (http://127\.0\.0\.1:\d+/mcp)$`).FindStringSubmatch(lines.Text())
		if m == nil {
			t.Fatalf("first line: got %q", lines.Text())
		}
		res, err := http.Get(m[1])
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET: got %d, want %d", res.StatusCode, http.StatusMethodNotAllowed)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Skipf("no interrupts here: %v", err)
		}
		if lines.Scan() {
			t.Errorf("second line on standard output: %q", lines.Text())
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("exit: %v\n%s", err, &log)
		}
	})

	tests := map[string]struct {
		args []string
		code int
		want string
	}{
		"help":         {[]string{"-h"}, 0, "Usage: go-server [flags]"},
		"unknown flag": {[]string{"-x"}, 1, "flag provided but not defined: -x"},
		"argument":     {[]string{"x"}, 1, `unexpected argument "x"`},
		"no time":      {[]string{"-ttl", "0s"}, 1, "-ttl must be positive"},
		"no such port": {[]string{"-addr", "127.0.0.1:99999"}, 1, "invalid port"},
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
