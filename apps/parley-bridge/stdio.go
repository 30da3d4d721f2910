package main

import (
	"bufio"
	"context"
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
	service, err := modern.New(c.modernOptions(server, log, nil))
	if err != nil {
		return err
	}
	session := legacy.NewSession(c.legacyOptions(server, log, nil), out)
	now := &modern.Lines{Service: service, Sink: out}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	lines := make(chan line)
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
			if line.long != nil {
				flaw := fmt.Sprintf("the message is longer than %d bytes, which is the most that this bridge takes", maxLine)
				out.Send(message.Refusal(line.long.All(), message.Error(message.InvalidRequest, flaw, nil)))
				continue
			}
			messages, err := message.Parse(line.text)
			if err != nil {
				out.Send(message.Refusal(message.IDsOf(line.text), message.Error(message.ParseError, err.Error(), nil)))
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

// line is one of a client's. Of one that is too long there are the ids only.
type line struct {
	text []byte
	long *message.IDs
}

func readLines(ctx context.Context, stdin io.Reader, lines chan<- line) error {
	in := bufio.NewReaderSize(stdin, 64<<10)
	for {
		next, err := readLine(in)
		if next.long != nil || len(next.text) > 0 {
			select {
			case lines <- next:
			case <-ctx.Done():
				return nil
			}
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
}

func readLine(in *bufio.Reader) (l line, err error) {
	for {
		part, err := in.ReadSlice('\n')
		switch {
		case l.long != nil:
			l.long.Write(part)
		case len(l.text)+len(part) > maxLine+len("\r\n"):
			l.long = &message.IDs{}
			l.long.Write(l.text)
			l.long.Write(part)
			l.text = nil
		default:
			l.text = append(l.text, part...)
		}
		if err != bufio.ErrBufferFull {
			return l, err
		}
	}
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

// Answer implements [message.Sink].
func (l *lines) Answer(_, text []byte) { l.Send(text) }

// Ask implements [message.Sink].
func (l *lines) Ask(text []byte) (settle func(), err error) {
	l.Send(text)
	return func() {}, nil
}

// close writes what was sent and ends.
func (l *lines) close() {
	l.mu.Lock()
	l.closed = true
	l.changed.Signal()
	l.mu.Unlock()
	<-l.done
}
