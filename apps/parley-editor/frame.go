package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	maxFrame  = 16 << 20 // bytes of one message of the editor: its arguments and answers
	maxHeader = 4 << 10  // bytes of the header fields before it
)

// frames is a stream of messages framed as language servers have it: header
// fields, of which Content-Length counts, an empty line, the message. What is
// read is bounded.
type frames struct {
	in   *bufio.Reader
	out  io.WriteCloser
	read chan received
	once sync.Once
	over chan struct{}

	sending sync.Mutex
	broken  atomic.Pointer[error]
}

// received is a message, or why there are no more.
type received struct {
	message []byte
	err     error
}

func newFrames(in io.Reader, out io.WriteCloser) *frames {
	f := &frames{in: bufio.NewReaderSize(in, maxHeader), out: out, read: make(chan received), over: make(chan struct{})}
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
		case <-f.over:
			return
		}
		if err != nil {
			return
		}
	}
}

// WriteObject implements [jsonrpc2.ObjectStream].
func (f *frames) WriteObject(object any) error {
	message, err := json.Marshal(object)
	if err != nil {
		return err
	}
	f.sending.Lock()
	defer f.sending.Unlock()
	frame := fmt.Appendf(make([]byte, 0, len(message)+32), "Content-Length: %d\r\n\r\n", len(message))
	_, err = f.out.Write(append(frame, message...))
	return err
}

// ReadObject implements [jsonrpc2.ObjectStream]. What is framed and no message
// is answered here and passed over: jsonrpc2 would hang up.
func (f *frames) ReadObject(object any) error {
	for {
		var r received
		select {
		case r = <-f.read:
		case <-f.over:
			return io.EOF
		}
		if r.err != nil {
			f.broken.Store(&r.err)
			return r.err
		}
		code, text := jsonrpc2.CodeInvalidRequest, "not a JSON-RPC request, notification or response; batches are not taken"
		switch message := bytes.TrimSpace(r.message); {
		case !json.Valid(message):
			code, text = jsonrpc2.CodeParseError, "not JSON"
		case message[0] == '{' && json.Unmarshal(message, object) == nil:
			return nil
		}
		reflect.ValueOf(object).Elem().SetZero() // half a message may be in it
		if err := f.WriteObject(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, text))); err != nil {
			return err
		}
	}
}

// end makes ReadObject say that the editor has hung up.
func (f *frames) end() { f.once.Do(func() { close(f.over) }) }

// why is why nothing more can be read, nil if the editor hung up or was not
// waited for.
func (f *frames) why() error {
	if err := f.broken.Load(); err != nil && !errors.Is(*err, io.EOF) {
		return *err
	}
	return nil
}

// Close implements [jsonrpc2.ObjectStream].
func (f *frames) Close() error {
	f.end()
	return f.out.Close()
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
