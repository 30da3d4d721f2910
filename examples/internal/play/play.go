// Package play tries examples as a person would: it starts their programs and
// plays calls. Every server gets the same calls and every host the same typing,
// whatever language they are written in.
package play

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Build builds a Go program, a folder or an import path, and returns the
// command to start it with.
func Build(t *testing.T, program string) []string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), path.Base(program)+".exe")
	if out, err := exec.Command("go", "build", "-o", binary, program).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", program, err, out)
	}
	return []string{binary}
}

// Interpreted is the command to start a program of another language with. The
// interpreter is in the variable of the environment that the example's test.sh
// sets when everything is there; without it the test is skipped.
func Interpreted(t *testing.T, variable, program string) []string {
	t.Helper()
	interpreter := os.Getenv(variable)
	if interpreter == "" {
		t.Skipf("%s is not set: the example's test.sh sets it", variable)
	}
	path, err := filepath.Abs(program) // some tests leave the folder
	if err != nil {
		t.Fatal(err)
	}
	return []string{interpreter, path}
}

// process is a server that runs.
type process struct {
	url string
	cmd *exec.Cmd
	log bytes.Buffer // to be read after stop
}

// Start starts a server, waits until it says where it listens, and returns its
// URL. It runs until the test ends.
func Start(t *testing.T, command []string, args ...string) (url string) {
	t.Helper()
	return start(t, command, args...).url
}

func start(t *testing.T, command []string, args ...string) *process {
	t.Helper()
	args = append(command[1:len(command):len(command)], args...)
	p := &process{cmd: exec.Command(command[0], args...)}
	p.cmd.Stderr = &p.log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	url, found := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !found || !strings.HasSuffix(url, "/mcp") {
		p.stop()
		t.Fatalf("%s printed %q, %v\n%s", command, line, err, &p.log)
	}
	p.url = url
	return p
}

// stop ends the server. It may be called more than once.
func (p *process) stop() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}
