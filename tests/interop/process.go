package interop

import (
	"bufio"
	"bytes"
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Process is a server over HTTP that can be killed and comes back at the same
// URL.
type Process struct {
	URL string

	command func(port string) []string
	cmd     *exec.Cmd
	log     bytes.Buffer
}

// Run runs the server over HTTP until the test ends. What it put into a
// requestState survives its death, as far as its SDK lets it: that of ts makes
// a new key each time.
func (s Server) Run(t testing.TB) *Process {
	t.Helper()
	SetUp(t, s.Name)
	return launch(t, func(port string) []string { return s.command(append([]string{"--http", port}, s.key()...)...) })
}

// key is a flag of the servers that would otherwise make up one.
func (s Server) key() []string {
	if s.Name != "python" || s.Era != Modern {
		return nil
	}
	return []string{"--key", strings.Repeat("any key will do ", 2)}
}

// Serve runs a command that prints "listening on URL" until the test ends, and
// returns the URL.
func Serve(t testing.TB, command ...string) (url string) {
	t.Helper()
	return launch(t, func(string) []string { return command }).URL
}

func launch(t testing.TB, command func(port string) []string) *Process {
	t.Helper()
	p := &Process{command: command}
	t.Cleanup(func() {
		p.stop(syscall.SIGTERM)
		if t.Failed() && p.log.Len() > 0 {
			t.Logf("log of the server at %s:\n%s", p.URL, p.log.Bytes())
		}
	})
	if err := p.start("0"); err != nil {
		t.Fatal(err)
	}
	return p
}

// Kill ends the server without warning.
func (p *Process) Kill() { p.stop(syscall.SIGKILL) }

// Restart begins it anew at the same URL, with nothing in its memory.
func (p *Process) Restart() error {
	at, err := url.Parse(p.URL)
	if err != nil {
		return err
	}
	for late := time.Now().Add(Patience); ; time.Sleep(100 * time.Millisecond) {
		// Somebody else may have the port for a moment.
		if err := p.start(at.Port()); err == nil || time.Now().After(late) {
			return err
		}
	}
}

func (p *Process) start(port string) error {
	command := p.command(port)
	p.cmd = exec.Command(command[0], command[1:]...)
	p.cmd.Stderr = &p.log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		p.Kill()
		return fmt.Errorf("%s does not listen: %q", strings.Join(command[1:], " "), line)
	}
	p.URL = url
	return nil
}

func (p *Process) stop(signal syscall.Signal) {
	if p.cmd == nil || p.cmd.Process == nil || p.cmd.ProcessState != nil {
		return
	}
	p.cmd.Process.Signal(signal)
	late := time.AfterFunc(Patience/10, func() { p.cmd.Process.Kill() })
	defer late.Stop()
	p.cmd.Wait()
}
