package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"sync"
	"syscall"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/legacy"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/modern"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
)

// maxLine bounds one message of a client, in bytes.
const maxLine = 64 << 20

// serveStdio serves the client at standard input and output until it closes its
// end or ctx ends. Each of its messages says of which era it is.
func (c *command) serveStdio(ctx context.Context, server *upstream.Server, log *slog.Logger, stdin io.Reader, stdout io.Writer) error {
	desk, closeDesk, err := c.stdioDesk(log)
	if err != nil {
		return err
	}
	defer closeDesk()
	server.Desk = desk
	signal.Ignore(syscall.SIGPIPE) // a client that reads no more is told nothing, and calls are kept all the same
	out := newLines(stdout)
	service, err := modern.New(c.modernOptions(server, log))
	if err != nil {
		return err
	}
	session := legacy.NewSession(c.legacyOptions(server, log), out)
	now := &modern.Lines{Service: service, Sink: out}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	lines := make(chan []byte)
	failed := make(chan error, 1)
	go func() { failed <- readLines(ctx, stdin, lines) }()
	var running sync.WaitGroup
	defer func() { // park what waits for somebody, cancel what else runs, let its ends be told, then go
		cancel()
		session.Stop(c.grace)
		session.Close()
		service.Close()
		running.Wait()
		out.close()
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case line := <-lines:
			messages, err := message.Parse(line)
			if err != nil {
				out.Send(message.Failure(nil, message.Error(message.ParseError, err.Error(), nil)))
				continue
			}
			for _, m := range messages {
				run := session.Take
				if isModern(m) {
					run = func(m message.Message, _ message.Sink) func() { return now.Take(ctx, m) }
				}
				if m.Method == "notifications/cancelled" {
					now.Take(ctx, m) // it does not say; ids are the client's, and of one row
				}
				if rest := run(m, out); rest != nil {
					running.Go(rest)
				}
			}
		}
	}
}

// isModern reports whether a message is of MCP 2026-07-28, whose every request
// says so. server/discover is of no other era, whatever else is wrong with it.
func isModern(m message.Message) bool {
	return m.Method == "server/discover" || message.Get(m.Params, "_meta", "io.modelcontextprotocol/protocolVersion") != nil
}

func readLines(ctx context.Context, stdin io.Reader, lines chan<- []byte) error {
	scanner := bufio.NewScanner(stdin)
	scanner.Buffer(make([]byte, 64<<10), maxLine)
	for scanner.Scan() {
		select {
		case lines <- bytes.Clone(scanner.Bytes()):
		case <-ctx.Done():
			return nil
		}
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("the client sent a line longer than %d bytes", maxLine)
	}
	return scanner.Err()
}

// lines writes messages, one a line, in the order they are sent, without keeping
// whoever sends waiting.
type lines struct {
	w       io.Writer
	mu      sync.Mutex
	queue   [][]byte
	closed  bool
	changed *sync.Cond
	done    chan struct{}
}

func newLines(w io.Writer) *lines {
	l := &lines{w: w, done: make(chan struct{})}
	l.changed = sync.NewCond(&l.mu)
	go l.write()
	return l
}

// Send implements the sinks of both eras.
func (l *lines) Send(text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, append(message.Line(text), '\n'))
	l.changed.Signal()
}

func (l *lines) write() {
	defer close(l.done)
	for {
		l.mu.Lock()
		for len(l.queue) == 0 && !l.closed {
			l.changed.Wait()
		}
		queue := l.queue
		l.queue = nil
		l.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, line := range queue {
			if _, err := l.w.Write(line); err != nil {
				return // the client is gone, which its other end tells
			}
		}
	}
}

// close writes what was sent and ends.
func (l *lines) close() {
	l.mu.Lock()
	l.closed = true
	l.changed.Signal()
	l.mu.Unlock()
	<-l.done
}
