// Package sse_test holds the Go host's reader of server-sent events to one that we
// did not write.
package sse_test

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/tmaxmax/go-sse"

	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// FuzzStream compares the event reader with an independent one. Both read the same
// stream, whole and byte by byte. A body that starts like JSON isn't an event stream,
// even if its Content-Type says so: the host passes it on as one message.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		"data: a\n\n", "data: a\r\n\r\nid: 1\r\ndata: b\r\rdata\r\r", ": x\ndata:a\ndata\n\nevent: e\ndata: b\n\nid\ndata: c\n\n", "\ufeffdata: a\n\n\n\nretry: 5\n\n",
		`{"jsonrpc":"2.0","id":1,"result":{}}`, "[\ndata: a", " {\ndata: a",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		stream = append(stream, "\n\n"...) // at the end of a stream the two differ
		want, err := read(stream)
		if err != nil {
			return
		}
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(stream), "by the byte": iotest.OneByteReader(bytes.NewReader(stream))} {
			if got := hosttest.Streamed(t, r); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	})
}

// read returns the messages of a body as [hosttest.Streamed] writes them.
func read(body []byte) (all []string, err error) {
	if body[0] == '{' || body[0] == '[' {
		return []string{"|" + string(body)}, nil
	}
	for event, err := range sse.Read(bytes.NewReader(body), &sse.ReadConfig{MaxEventSize: 1 << 20}) {
		if err != nil {
			return nil, err
		}
		if event.Data != "" && (event.Type == "" || event.Type == "message") {
			all = append(all, event.LastEventID+"|"+event.Data)
		}
	}
	return all, nil
}
