package hosttest

import (
	"io"
	"net/http"
	"testing"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Streamed returns the messages of an event stream that a server answers with,
// each as its id, a bar and its data.
func Streamed(t testing.TB, stream io.Reader) (all []string) {
	transport := &parley.StreamableHTTP{URL: "http://peer", Client: &http.Client{Transport: body{stream}}}
	transport.Perform(t.Context(), session.Post{}, func(ev session.Event, _ error) {
		if m, ok := ev.(session.Message); ok {
			all = append(all, m.EventID+"|"+string(m.Body))
		}
	})
	transport.Close()
	return all
}

// body answers every request with the same stream.
type body struct{ io.Reader }

func (b body) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(b)}, nil
}
