package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2/channel"
)

const (
	maxFrame  = 16 << 20 // bytes of one message of the editor: its arguments and answers
	maxHeader = 4 << 10  // bytes of the header fields before it
)

// frames is a channel of messages framed as language servers have it: header
// fields, of which Content-Length counts, an empty line, the message.
//
// jrpc2 brings such a channel. This one also bounds what it reads: that one
// makes room for as many bytes as the header announces.
type frames struct {
	in     *bufio.Reader
	out    io.WriteCloser
	read   chan received
	once   sync.Once
	closed chan struct{}
}

// received is a message, or why there are no more.
type received struct {
	message []byte
	err     error
}

func newFrames(in io.Reader, out io.WriteCloser) *frames {
	f := &frames{in: bufio.NewReaderSize(in, maxHeader), out: out, read: make(chan received), closed: make(chan struct{})}
	go f.readAll()
	return f
}

// readAll reads ahead by one message: a read of the standard input that is under
// way cannot be ended, and Recv has to return when the channel is closed.
func (f *frames) readAll() {
	for {
		message, err := f.next()
		select {
		case f.read <- received{message, err}:
		case <-f.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// Send implements [channel.Channel].
func (f *frames) Send(message []byte) error {
	frame := fmt.Appendf(make([]byte, 0, len(message)+32), "Content-Length: %d\r\n\r\n", len(message))
	_, err := f.out.Write(append(frame, message...))
	return err
}

// Recv implements [channel.Channel].
func (f *frames) Recv() ([]byte, error) {
	select {
	case r := <-f.read:
		return r.message, r.err
	case <-f.closed:
		return nil, channel.ErrClosed
	}
}

// Close implements [channel.Channel].
func (f *frames) Close() (err error) {
	f.once.Do(func() {
		close(f.closed)
		err = f.out.Close()
	})
	return err
}

// next reads a message. After an error there is no telling where another one
// begins.
func (f *frames) next() ([]byte, error) {
	size, err := f.header()
	if err != nil {
		return nil, err
	}
	var message bytes.Buffer // which grows with what comes, not with what is announced
	if _, err := io.CopyN(&message, f.in, int64(size)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("a message broke off: %w", err)
	}
	return message.Bytes(), nil
}

// header reads the header fields and returns the length that they announce.
func (f *frames) header() (size int, err error) {
	size = -1
	for read := 0; ; {
		line, err := f.in.ReadSlice('\n')
		if read += len(line); errors.Is(err, bufio.ErrBufferFull) || read > maxHeader {
			return 0, fmt.Errorf("the header of a message is longer than %d bytes", maxHeader)
		}
		if err != nil {
			if errors.Is(err, io.EOF) && read > 0 {
				return 0, fmt.Errorf("a message broke off: %w", io.ErrUnexpectedEOF)
			}
			return 0, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return 0, errors.New("a message has a header line without a colon")
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 63)
		switch {
		case err != nil || size >= 0:
			return 0, errors.New("a message has no usable Content-Length")
		case n > maxFrame:
			return 0, fmt.Errorf("a message is longer than %d bytes", maxFrame)
		}
		size = int(n)
	}
	if size < 0 {
		return 0, errors.New("a message has no usable Content-Length")
	}
	return size, nil
}
