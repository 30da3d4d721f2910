package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// skipped is the exit code of a part that can't run on this machine.
const skipped = 77

// process is one call of a test.sh, in a process group of its own.
type process struct {
	cmd       *exec.Cmd
	log       *os.File // has no name, so that it goes with the process
	err       error    // why it did not start
	status    int      // its exit code, once it ended
	processor time.Duration
}

// start calls the test.sh of a part, and sends the process when it has ended.
func start(root, name string, s step, ended chan<- *process) *process {
	p := &process{cmd: exec.Command("./"+name+"/test.sh", string(s)), status: 1}
	p.cmd.Dir = root
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if p.log, p.err = os.CreateTemp("", "parts"); p.err == nil {
		os.Remove(p.log.Name())
		// A file: a pipe would have us wait for every process that was left behind.
		p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
		p.err = p.cmd.Start()
	}
	if p.err != nil {
		ended <- p
		return p
	}
	go func() {
		p.cmd.Wait()
		state := p.cmd.ProcessState
		p.status = state.ExitCode()
		p.processor = state.UserTime() + state.SystemTime()
		ended <- p
	}()
	return p
}

// said returns the output of a process that ended, and closes its log.
func (p *process) said() string {
	if p.err != nil {
		return fmt.Sprintln(p.err)
	}
	defer p.log.Close()
	p.log.Seek(0, io.SeekStart)
	text, _ := io.ReadAll(p.log)
	return string(text)
}

// stop ends the processes of all tasks. They may clean up: Go and pytest do so
// after an interrupt, servers after a SIGTERM.
func stop(tasks []*task, grace time.Duration) {
	// signal reports whether there is a process to send it to.
	signal := func(s syscall.Signal) (left bool) {
		for _, t := range tasks {
			if p := t.process; p.err == nil && syscall.Kill(-p.cmd.Process.Pid, s) == nil {
				left = true
			}
		}
		return left
	}
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		left := signal(s)
		for end := time.Now().Add(grace); left && time.Now().Before(end); left = signal(0) {
			time.Sleep(50 * time.Millisecond)
		}
	}
	signal(syscall.SIGKILL)
}
