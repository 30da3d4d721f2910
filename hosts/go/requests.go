package parley

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/sentence"
)

// ErrUnsent is what an error from [Requests] or from an http.RoundTripper wraps
// if the request certainly never reached the server: a tool call that fails
// like this is not in doubt.
var ErrUnsent = errors.New("parley: the request was not sent")

// Requests is the [Transport] of a connection that somebody else has made, such
// as an SDK's client: it sends one request and returns the whole JSON-RPC
// response as text, an error response included, whatever its id. An error means
// that no answer will come; one that wraps [ErrUnsent] also means that the
// server never saw the request. The connection must speak MCP 2026-07-28.
// Requests may be sent at the same time.
type Requests func(ctx context.Context, r Outbound) (response []byte, err error)

// Outbound is one request to send over [Requests].
type Outbound struct {
	Leg          int // of its call; 0 for a request whose answer nobody waits for
	Method       string
	Params       []byte // JSON object, to go out as it is
	Capabilities []byte // clientCapabilities, to be declared with it

	// Progress is to be called with the params of each notifications/progress
	// for this request: it restarts the leg's clock.
	Progress func(params []byte)
}

// Kind implements [Transport].
func (Requests) Kind() session.Transport { return session.Requests }

// Close implements [Transport]. The contexts of its requests have ended.
func (Requests) Close() error { return nil }

// tellTime bounds how long a request may take whose answer nobody waits for.
const tellTime = 5 * time.Second

// Perform implements [Transport].
func (send Requests) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	q, ok := a.(session.Request)
	if !ok {
		return
	}
	cancel := func() {}
	if q.Call == 0 {
		ctx, cancel = context.WithTimeout(ctx, tellTime)
	}
	go func() {
		var body []byte
		var err error
		returned := false
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("parley: the transport panicked: %v", p)
			} else if !returned { // runtime.Goexit
				err = errors.New("parley: the transport ended its goroutine")
			}
			cancel()
			if err != nil {
				ended := session.Ended{Exchange: q.Exchange, Reason: "the transport failed"}
				if errors.Is(err, ErrUnsent) {
					ended.Unsent, ended.Reason = true, sentence.Value(wordsOf(err))
				}
				report(ended, err)
			} else {
				report(session.Message{Exchange: q.Exchange, Body: body, Last: true}, nil)
			}
		}()
		body, err = send(ctx, Outbound{
			Leg: q.Leg, Method: q.Method, Params: q.Params, Capabilities: q.Capabilities,
			Progress: progressOf(q.Exchange, report),
		})
		returned = true
	}()
}

// progressOf makes the message again that a params object came in.
func progressOf(exchange int, report func(session.Event, error)) func([]byte) {
	return func(params []byte) {
		body := append([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":`), params...)
		report(session.Message{Exchange: exchange, Body: append(body, '}')}, nil)
	}
}
