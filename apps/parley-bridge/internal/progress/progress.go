// Package progress makes one row of progress notifications for a client's
// request out of those of several requests to the server, and of the bridge's
// own while it waits for somebody.
package progress

import (
	"math"
	"strconv"
	"sync"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// Row is the progress of one request. Its methods may be called from any
// goroutine; a nil Row is of a request that wants none.
type Row struct {
	token []byte
	mu    sync.Mutex
	last  float64 // as sent
	begun bool
	news  bool // something was sent since IsQuiet was asked
}

// Of is the row of a request with these params, nil where they carry no
// progressToken.
func Of(params []byte) *Row {
	token := message.Get(params, "_meta", "progressToken")
	if token == nil || string(token) == "null" {
		return nil
	}
	return &Row{token: token}
}

// step is added where a value would not increase: small beside what a server
// counts, so that its total keeps its meaning.
const step = 1.0 / 1024

// Pass is the server's notification under the client's token, or nil. A value
// that does not increase, because each request to the server counts anew, is
// raised.
//
// Source: MCP 2025-11-25 and 2026-07-28, Progress: the value MUST increase.
func (r *Row) Pass(params []byte) []byte {
	if r == nil {
		return nil
	}
	value, err := strconv.ParseFloat(string(message.Get(params, "progress")), 64)
	if err != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun && value <= r.last {
		value = r.next()
		params = message.With(params, "progress", number(value))
	}
	r.last, r.begun, r.news = value, true, true
	return message.Notification("notifications/progress", message.With(params, "progressToken", r.token))
}

// Beat is a notification of the bridge's own, or nil: something is still going
// on, so the client need not lose patience.
func (r *Row) Beat(text string) []byte {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.begun, r.news = r.next(), true, true
	params := append([]byte(`{"progressToken":`), r.token...)
	params = append(append(params, `,"progress":`...), number(r.last)...)
	params = append(append(params, `,"message":`...), message.Quote(text)...)
	return message.Notification("notifications/progress", append(params, '}'))
}

// IsQuiet reports whether nothing was sent since it was asked before.
func (r *Row) IsQuiet() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	quiet := !r.news
	r.news = false
	return quiet
}

func (r *Row) next() float64 {
	if next := r.last + step; next > r.last {
		return next
	}
	return math.Nextafter(r.last, math.Inf(1))
}

func number(f float64) []byte { return strconv.AppendFloat(nil, f, 'g', -1, 64) }
