package parley

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/sentence"
)

// Lines is the [Transport] of servers at the other end of a connection that
// carries one message a line, as stdio does: a socket, a pipe, or a server in
// the same process ([InProcess]).
type Lines struct {
	// Dial makes the connection. It is called for the first message, and for
	// the next one after a connection broke. Required.
	Dial func(ctx context.Context) (io.ReadWriteCloser, error)

	// MaxMessage bounds one message of the server, in bytes; the connection to
	// a server that sends more is closed. Zero means 65 MiB.
	MaxMessage int

	mu       sync.Mutex
	conn     *lineConn
	closed   bool
	readers  sync.WaitGroup
	failures int       // connections in a row that failed or soon broke
	last     time.Time // when the last one did
	failure  error     // why, if it could not be made
}

const (
	// A connection that lasted this long makes up for those that broke.
	settled = 10 * time.Second

	minBackOff = 100 * time.Millisecond
	maxBackOff = 5 * time.Second
)

var errTransportClosed = error(&saidError{"the transport is closed"})

// lineConn is one connection.
type lineConn struct {
	stream io.ReadWriteCloser
	made   time.Time
	gone   chan struct{} // closed when it has ended: another may be made

	once   sync.Once
	broken chan struct{} // closed when it is of no more use
	reason error         // why, set before; nil if the server ended it
}

// InProcess is the transport to a server in the same process: serve is called
// in a goroutine of its own with the server's end of each connection, reads
// and writes messages as lines, and returns when it reads [io.EOF]. With the
// official SDK that is
//
//	func(conn io.ReadWriteCloser) { server.Run(ctx, &mcp.IOTransport{Reader: conn, Writer: conn}) }
func InProcess(serve func(conn io.ReadWriteCloser)) *Lines {
	return &Lines{Dial: func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			serve(theirs)
		}()
		return ours, nil
	}}
}

// Kind implements [Transport].
func (l *Lines) Kind() session.Transport { return session.Stdio }

// Perform implements [Transport]. It reports a message that was not written as
// such, whatever became of the connection in the meantime.
func (l *Lines) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	post, ok := a.(session.Post)
	if !ok {
		return // nothing else is asked for over one connection
	}
	c, err := l.connection(ctx, report)
	if err == nil {
		err = c.write(post.Body)
	}
	if err != nil {
		report(session.Ended{Exchange: post.Exchange, Reason: said(err), Unsent: true}, err)
	}
}

const (
	brokeUnsent sentence.Text = "the connection to the server broke before it was sent"
	endedUnsent sentence.Text = "the server's process ended before it was sent"
)

// connection is the one there is, or a new one. What is sent by one that broke
// ends with it: its context does, before another is made.
func (l *Lines) connection(ctx context.Context, report func(session.Event, error)) (*lineConn, error) {
	for {
		l.mu.Lock()
		c, failure, wait := l.conn, l.failure, l.backOff()
		l.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return nil, &saidError{brokeUnsent}
		case c != nil && !c.isBroken():
			return c, nil
		case c != nil:
			select {
			case <-c.gone:
			case <-ctx.Done():
			}
		case wait <= 0:
			return l.dial(ctx, report)
		case failure != nil: // it would only fail again
			return nil, failure
		default:
			sleep(ctx, wait)
		}
	}
}

// backOff is how long no connection is made, because the last ones broke.
func (l *Lines) backOff() time.Duration {
	if l.failures < 2 {
		return 0
	}
	return time.Until(l.last.Add(min(minBackOff<<min(l.failures-2, 10), maxBackOff)))
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (l *Lines) dial(ctx context.Context, report func(session.Event, error)) (*lineConn, error) {
	stream, err := l.Dial(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, &saidError{brokeUnsent}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil && l.closed {
		stream.Close()
		err = errTransportClosed
	}
	if l.failure = err; err != nil {
		l.failures, l.last = l.failures+1, time.Now()
		return nil, err
	}
	c := &lineConn{stream: stream, made: time.Now(), gone: make(chan struct{}), broken: make(chan struct{})}
	l.conn = c
	l.readers.Go(func() { l.read(c, report) })
	return c, nil
}

// read reports lines until the connection breaks, and then that.
func (l *Lines) read(c *lineConn, report func(session.Event, error)) {
	r := bufio.NewReaderSize(c.stream, 64<<10)
	var err error
	for err == nil {
		var line []byte
		if line, err = readLine(r, maxMessage(l.MaxMessage)); len(line) > 0 {
			report(session.Message{Body: line}, nil)
		}
	}
	if err == io.EOF {
		err = nil
	}
	c.hangUp(err)
	report(session.Down{Reason: c.why()}, c.reason)
	if p, ok := c.stream.(*process); ok {
		p.Close() // takes its time: calls need not wait for that, but the next process does
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conn = nil
	l.last = time.Now()
	if l.failures++; l.last.Sub(c.made) >= settled {
		l.failures = 0
	}
	close(c.gone)
}

// readLine reads a line without the line feed that ends it, which the last one may
// lack. What else stands around its message is the engine's to skip.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, tooLong("a message that it sent", most)
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(line, []byte{'\n'}), err
		}
	}
}

var errReplaced = error(&saidError{"the engine's instance was replaced"})

// reset ends the connection: what goes on with it knows nothing of what was said
// there.
func (l *Lines) reset() {
	l.mu.Lock()
	c := l.conn
	l.mu.Unlock()
	if c != nil {
		c.hangUp(errReplaced)
	}
}

// Close implements [Transport].
func (l *Lines) Close() error {
	l.mu.Lock()
	l.closed = true
	c := l.conn
	l.mu.Unlock()
	if c != nil {
		c.hangUp(errTransportClosed)
	}
	l.readers.Wait()
	return nil
}

func (c *lineConn) isBroken() bool {
	select {
	case <-c.broken:
		return true
	default:
		return false
	}
}

// hangUp ends the connection, because of the first error that is given, or
// because the server did if that is nil.
func (c *lineConn) hangUp(reason error) {
	c.once.Do(func() {
		c.reason = reason
		close(c.broken)
		if p, ok := c.stream.(*process); ok {
			p.hangUp()
		} else {
			c.stream.Close()
		}
	})
}

// write writes a message and its end. The error says that the message is not
// there: a server that got a part of it cannot know what it says.
func (c *lineConn) write(body []byte) error {
	n, err := c.stream.Write(append(body[:len(body):len(body)], '\n'))
	if err == nil {
		return nil
	}
	c.hangUp(&writeError{err})
	if n >= len(body) {
		return nil // all but its end, so it may be taken for whole
	}
	why, failure := c.why(), brokeUnsent
	if p, ok := c.stream.(*process); ok && p.hasEnded() {
		failure = endedUnsent
	}
	if why != "" {
		failure = sentence.Join(failure, why)
	}
	return &saidError{failure}
}

// why is how the connection ended, if more can be said than that it did.
func (c *lineConn) why() sentence.Text {
	p, ok := c.stream.(*process)
	switch _, writing := c.reason.(*writeError); {
	case ok && (c.reason == nil || writing) && p.endsWithin(drain):
		return sentence.Value(p.cmd.ProcessState.String())
	case c.reason != nil:
		return said(c.reason)
	}
	return ""
}

// writeError says that a message could not be written: usually the server is
// about to end.
type writeError struct{ error }

func (e *writeError) Error() string { return "writing to it: " + e.error.Error() }
