//go:build linux

// Package backends runs the servers that stores keep calls in, for tests: real
// ones, each on a free port and in a folder of its own, to be killed and started
// again. What it needs is installed by setup.sh here.
package backends

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is a server that runs, or ran and may do so again.
type program struct {
	Clock *Clock // by which it goes from its next start on; nil for this machine's

	dir   string
	port  int
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has
}

// start runs a command until it answers, on a port that it keeps from then on.
func (p *program) start(command func() *exec.Cmd, answers func() bool) error {
	first := p.port == 0
	var said []byte
	for range 20 {
		if first { // somebody else may get it before the server does
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			p.port = l.Addr().(*net.TCPAddr).Port
			l.Close()
		}
		name := filepath.Join(p.dir, "log")
		log, err := os.Create(name)
		if err != nil {
			return err
		}
		p.cmd = command()
		p.cmd.Stdout, p.cmd.Stderr = log, log
		if p.Clock != nil {
			p.cmd.Env = append(p.cmd.Environ(), p.Clock.environment()...)
		}
		err = p.cmd.Start()
		log.Close()
		if err != nil {
			return err
		}
		ended := make(chan struct{})
		p.ended = ended
		cmd := p.cmd
		go func() { cmd.Wait(); close(ended) }()
		for over := false; !over; {
			if answers() {
				return nil
			}
			select {
			case <-ended:
				over = true
			case <-time.After(5 * time.Millisecond):
			}
		}
		said, _ = os.ReadFile(name)
		time.Sleep(50 * time.Millisecond) // until what it left has ended, too
	}
	return fmt.Errorf("the server does not start: %.2000s", said)
}

// Kill ends the server and all processes of its own where they are, and waits until
// the server has ended. One that was left would go on for a moment: a standby's would
// write what it hears.
func (p *program) Kill() {
	p.Stop()
	own := children(p.cmd.Process.Pid)
	p.cmd.Process.Kill()
	for _, child := range own {
		syscall.Kill(child, syscall.SIGKILL)
	}
	<-p.ended
}

// Address is where the server listens.
func (p *program) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)) }

// Log is what the server has said since it was started.
func (p *program) Log() (string, error) {
	text, err := os.ReadFile(filepath.Join(p.dir, "log"))
	return string(text), err
}

// Signal sends a signal to the server alone.
func (p *program) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Port is the number of the port that it listens on.
func (p *program) Port() int { return p.port }

// Stop has the server and all processes of its own stand still.
func (p *program) Stop() error { return p.signal(syscall.SIGSTOP) }

// Continue has them go on.
func (p *program) Continue() error { return p.signal(syscall.SIGCONT) }

func (p *program) signal(s syscall.Signal) error {
	errs := []error{p.cmd.Process.Signal(s)}
	for _, child := range children(p.cmd.Process.Pid) {
		if err := syscall.Kill(child, s); err != nil && err != syscall.ESRCH {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// children are the processes that one has started.
func children(of int) (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, _ := os.ReadFile(name)
		_, rest, _ := strings.Cut(string(text), ") ")
		if words := strings.Fields(rest); len(words) > 1 && words[1] == strconv.Itoa(of) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			pids = append(pids, pid)
		}
	}
	return pids
}
