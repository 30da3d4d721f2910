package parley

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/parley-mcp/parley/engine/session"
)

// Stdio is the [Transport] of servers that are a process of the host: messages
// go to its standard input and come from its standard output, one a line. It is
// started for the first message. When it has ended, the next message starts it
// again, after a pause of up to 5 s if it does not last. The new process runs
// the same command and knows nothing about the one before.
type Stdio struct {
	// Command makes the command, anew for each start. Its Stdin and Stdout
	// are the transport's; Stderr is the server's log and yours, nil for none.
	// Required.
	Command func() *exec.Cmd

	// Grace is how long the process has to end by itself after its standard
	// input is closed, and again after SIGTERM, before it is killed. Zero means
	// 5 s.
	//
	// Source: MCP 2026-07-28, basic/transports/stdio, Shutdown.
	Grace time.Duration

	// MaxMessage bounds one message of the server, in bytes; a process that
	// writes a longer one is ended. Zero means 65 MiB.
	MaxMessage int

	lines Lines
	once  sync.Once
}

const defaultGrace = 5 * time.Second

// Kind implements [Transport].
func (t *Stdio) Kind() session.Transport { return session.Stdio }

// Perform implements [Transport].
func (t *Stdio) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	t.once.Do(func() { t.lines.Dial, t.lines.MaxMessage = t.start, t.MaxMessage })
	t.lines.Perform(ctx, a, report)
}

// Close implements [Transport]. It ends the process.
func (t *Stdio) Close() error { return t.lines.Close() }

func (t *Stdio) start(context.Context) (io.ReadWriteCloser, error) {
	cmd := t.Command()
	if cmd.WaitDelay == 0 { // who inherited its standard error may outlive it
		cmd.WaitDelay = time.Second
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, unstarted(cmd, err)
	}
	stdout, theirs, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, unstarted(cmd, err)
	}
	cmd.Stdout = theirs
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		stdin.Close()
		stdout.Close()
		return nil, unstarted(cmd, err)
	}
	p := &process{cmd: cmd, stdin: stdin, stdout: stdout, grace: t.Grace, ended: make(chan struct{})}
	if p.grace <= 0 {
		p.grace = defaultGrace
	}
	go p.wait()
	return p, nil
}

// unstarted says why a program cannot be started. Its arguments may hold a secret.
func unstarted(cmd *exec.Cmd, err error) error {
	const what = "the server's program cannot be started: "
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf(what+"%q was not found", cmd.Path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf(what+"%q may not be run", cmd.Path)
	}
	return fmt.Errorf(what+"%w", err)
}

// process is a server's process as a connection.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	grace  time.Duration
	ended  chan struct{}
	drains int // times that drain was granted again
}

// When a process has ended, or was told to, what it wrote is still read, until
// nothing comes for a while: its own children may hold its standard output
// open.
const (
	drain     = 250 * time.Millisecond
	maxDrains = 8
)

func (p *process) wait() {
	p.cmd.Wait()
	close(p.ended)
	p.stopReading()
}

// hangUp tells the process to end.
func (p *process) hangUp() {
	p.stdin.Close()
	p.stopReading()
}

func (p *process) stopReading() {
	if p.stdout.SetReadDeadline(time.Now().Add(drain)) != nil { // not on this system
		time.AfterFunc(drain, func() { p.stdout.Close() })
	}
}

// Read implements [io.Reader].
func (p *process) Read(b []byte) (int, error) {
	n, err := p.stdout.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) && p.drains < maxDrains {
		p.drains++ // the reader may have been busy and not have looked in time
		p.stopReading()
		n, err = p.stdout.Read(b)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// Write implements [io.Writer].
func (p *process) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// Close ends the process, politely first, and waits until it has ended.
func (p *process) Close() error {
	p.stdin.Close()
	p.stdout.SetReadDeadline(time.Time{})
	go io.Copy(io.Discard, p.stdout) // until it is closed: nobody should be stuck writing
	if !p.endsWithin(p.grace) && p.cmd.Process.Signal(syscall.SIGTERM) == nil {
		p.endsWithin(p.grace)
	}
	select {
	case <-p.ended:
	default:
		p.cmd.Process.Kill()
		<-p.ended
	}
	return p.stdout.Close()
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

func (p *process) endsWithin(most time.Duration) bool {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-timer.C:
		return false
	}
}
