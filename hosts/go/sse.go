package parley

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// eventReader reads server-sent events, each in time linear to its length.
//
// Source: WHATWG HTML, Server-sent events, Interpreting an event stream.
type eventReader struct {
	r     *bufio.Reader
	most  int    // bytes of one event
	id    string // of the last event that came and had one: where the stream can be taken up
	retry int    // reconnection time in milliseconds as last set

	nextID  string // what id will be once the event being read has come
	started bool   // the byte order mark is dealt with
	cr      bool   // the last line ended with a carriage return
	text    []byte
}

func newEventReader(r io.Reader, most int) *eventReader {
	return &eventReader{r: bufio.NewReaderSize(r, streamBuffer), most: most}
}

const streamBuffer = 16 << 10 // bytes

// next returns the data of the next message event that has any. The error is
// [io.EOF] at the end of the stream.
func (e *eventReader) next() ([]byte, error) {
	var data []byte
	message := true
	for {
		line, err := e.line()
		if err != nil && err != io.EOF {
			return nil, err
		}
		// An event that the stream ends in should be discarded. Here it
		// counts if its data is whole: it may be the result of a tool that
		// has run. Cut between two lines it does not, nor does its id: the
		// stream taken up behind the event before brings all of it.
		if err == io.EOF {
			if value, ok := bytes.CutPrefix(line, []byte("data:")); ok { // a line without its end
				data = append(append(data, value...), '\n')
			}
			if !(message && json.Valid(data)) {
				return nil, err
			}
		}
		if err == io.EOF || len(line) == 0 {
			e.id = e.nextID
			if message && len(data) > 1 {
				return data[:len(data)-1], nil
			}
			data, message = nil, true
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "data":
			if len(data)+len(value) >= e.most {
				return nil, e.tooLong()
			}
			data = append(append(data, value...), '\n')
		case "event":
			message = len(value) == 0 || string(value) == "message"
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				e.nextID = string(value)
			}
		case "retry":
			if n, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				e.retry = int(n)
			}
		}
	}
}

// line reads a line without its end, which is a line feed, a carriage return
// or both. It stands until the next call. At the end of the stream it is what came of
// one.
func (e *eventReader) line() ([]byte, error) {
	e.text = e.text[:0]
	for {
		if _, err := e.r.Peek(1); err != nil {
			return e.text, err
		}
		chunk, _ := e.r.Peek(e.r.Buffered())
		if e.cr && chunk[0] == '\n' {
			e.cr = false
			e.r.Discard(1)
			continue
		}
		e.cr = false
		end := bytes.IndexAny(chunk, "\r\n")
		whole := end >= 0
		if !whole {
			end = len(chunk)
		}
		if len(e.text)+end > e.most {
			return nil, e.tooLong()
		}
		e.text = append(e.text, chunk[:end]...)
		if whole {
			e.cr = chunk[end] == '\r'
			end++
		}
		e.r.Discard(end)
		if whole {
			if !e.started {
				e.started = true
				return bytes.TrimPrefix(e.text, []byte("\ufeff")), nil
			}
			return e.text, nil
		}
	}
}

func (e *eventReader) tooLong() error {
	return tooLong("an event", e.most)
}
