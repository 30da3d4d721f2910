package parley

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/parley-mcp/parley/engine/wire"
)

// Implementation names a client to a server, as the schema's type of the same
// name.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// HTTP sends legs by the Streamable HTTP transport of MCP 2026-07-28: one POST
// for each, answered with JSON or server-sent events. Its Send is a callback
// for [Callbacks]. An HTTP is safe for concurrent use; do not copy it after
// its first use.
type HTTP struct {
	URL string

	// Client makes the requests; authorization belongs into its Transport. Nil
	// means the zero Client. Redirects are not followed, as they would take
	// answers and authorization elsewhere, unless its CheckRedirect says so. It
	// must not change after the first Send.
	Client *http.Client

	ClientInfo Implementation

	// OnNotification gets the notifications that come before a response, but
	// for progress of the leg itself, which goes to Callbacks.OnProgress. It
	// may be called from several goroutines.
	OnNotification func(method string, params []byte)

	// MaxResponse bounds a response, in bytes. Zero means 65 MiB, a little
	// more than what the engine takes.
	MaxResponse int64

	lastID atomic.Int64
	once   sync.Once
	client *http.Client
}

const defaultMaxResponse = 65 << 20

// Send posts one leg and returns the JSON-RPC response to it as text, also
// where the HTTP status is an error and the body says why in JSON-RPC.
func (h *HTTP) Send(ctx context.Context, r Request) ([]byte, error) {
	info, err := json.Marshal(h.ClientInfo)
	if err != nil {
		return nil, err
	}
	request := &wire.Request{ID: h.lastID.Add(1), Method: r.Method, Params: r.Params, Capabilities: r.Capabilities, ClientInfo: info, Progress: r.Progress != nil}
	body, bad := wire.AppendRequest(nil, request)
	if bad != nil {
		return nil, bad
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Accept", "application/json, text/event-stream")
	for _, field := range wire.Headers(request) {
		post.Header.Set(field.Name, field.Value)
	}
	h.once.Do(func() { h.client = unredirected(h.Client) })
	response, err := h.client.Do(post)
	if err != nil {
		if isUnsent(err) {
			return nil, errors.Join(ErrUnsent, err)
		}
		return nil, err
	}
	defer response.Body.Close()
	return h.read(response, request.ID, r.Progress)
}

func (h *HTTP) read(response *http.Response, id int64, progress func([]byte)) ([]byte, error) {
	most := h.MaxResponse
	if most == 0 {
		most = defaultMaxResponse
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind == "text/event-stream" && response.StatusCode == http.StatusOK {
		return h.readStream(response.Body, id, most, progress)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, fmt.Errorf("parley: reading the response: %w", err)
	}
	if int64(len(body)) > most {
		return nil, fmt.Errorf("parley: the response is longer than %d bytes", most)
	}
	// Error responses come with HTTP error codes too, and their body MUST be
	// read (basic/transports/streamable-http, Sending Messages).
	message, bad := wire.ReadMessage(body)
	switch {
	case bad == nil && message.Answers(id, true):
		return body, nil
	case response.StatusCode/100 != 2:
		return nil, &StatusError{Code: response.StatusCode}
	case bad != nil:
		return nil, fmt.Errorf("parley: the server's answer is no JSON-RPC response: %w", bad)
	default:
		return nil, errors.New("parley: the server answered with a message that is not the response to this request")
	}
}

// readStream reads events until the response comes. Every event's data is one
// JSON-RPC message; servers of this protocol version send no requests.
func (h *HTTP) readStream(stream io.Reader, id, most int64, progress func([]byte)) ([]byte, error) {
	limited := &io.LimitedReader{R: stream, N: most + 1}
	events := newEventReader(limited, int(most))
	for {
		data, err := events.next()
		switch {
		case limited.N == 0:
			return nil, fmt.Errorf("parley: the response is longer than %d bytes", most)
		case err == io.EOF:
			return nil, errors.New("parley: the event stream ended before the response")
		case err != nil:
			return nil, fmt.Errorf("parley: reading the event stream: %w", err)
		}
		message, bad := wire.ReadMessage(data)
		switch {
		case bad != nil:
			return nil, fmt.Errorf("parley: an event of the server is no JSON-RPC message: %w", bad)
		case message.Answers(id, false):
			return data, nil
		case progress != nil && message.ProgressOf(id):
			progress(message.Params)
		case message.Method != "" && message.ID == nil && h.OnNotification != nil:
			h.OnNotification(message.Method, message.Params)
		}
	}
}

// StatusError is an HTTP error status whose body is no JSON-RPC response.
type StatusError struct{ Code int }

// Error implements error.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("parley: HTTP status %d %s", e.Code, http.StatusText(e.Code))
	switch e.Code {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return text + ": the endpoint has moved; redirects are not followed, so give the new URL"
	case http.StatusUnauthorized, http.StatusForbidden:
		return text + ": the server wants authorization; put it into HTTP.Client's Transport"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return text + ": is this the server's MCP endpoint?"
	}
	return text
}
