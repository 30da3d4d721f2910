package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// hostile is the server and the network before it: what it does is done
// honestly, and what it says of it comes late, broken, twice, mixed up or not
// at all.
type hostile struct {
	ledger *ledger
	old    *oldServer // nil if it speaks 2026-07-28
	addr   string
	server *http.Server
	under  atomic.Int64 // requests under way
	own    atomic.Int64 // requests of the sessions' own
}

// connKey finds the connection of a request.
type connKey struct{}

func newHostile(t *testing.T, l *ledger) *hostile {
	h := &hostile{ledger: l, addr: "127.0.0.1:0"}
	if l.earlier {
		h.old = newOldServer(l)
	}
	if err := h.listen(); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *hostile) listen() error {
	listener, err := net.Listen("tcp", h.addr)
	if err != nil {
		return err
	}
	h.addr = listener.Addr().String()
	h.server = &http.Server{
		Handler:     h,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ErrorLog:    quiet,
	}
	go h.server.Serve(&rough{Listener: listener, ledger: h.ledger})
	return nil
}

// restart stops the server now and then and has it listen again, until it is
// told to stop.
func (h *hostile) restart(t *testing.T, stop <-chan struct{}) {
	for i := 0; ; i++ {
		r := h.ledger.random(10, i)
		select {
		case <-time.After(time.Duration(500+r.IntN(2500)) * time.Millisecond):
		case <-stop:
			return
		}
		h.server.Close()
		time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond)
		h.ledger.count("restarts")
		for end := time.Now().Add(hosttest.Patience); ; {
			err := h.listen()
			if err == nil {
				break
			}
			if time.Now().After(end) {
				t.Errorf("the server cannot listen again: %v", err)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// rough is a listener of which some connections do not last.
type rough struct {
	net.Listener
	ledger *ledger
	conns  int
}

func (l *rough) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.conns++
	switch r := l.ledger.random(11, l.conns); r.IntN(100) {
	case 0:
		l.ledger.count("connections reset at once")
		reset(c)
	case 1:
		l.ledger.count("connections that break while the request is read")
		return &brittle{c, 1 + r.IntN(3000)}, nil
	}
	return c, nil
}

// brittle is a connection that is reset after so many bytes.
type brittle struct {
	net.Conn
	left int
}

func (b *brittle) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p[:min(len(p), max(b.left, 1))])
	if b.left -= n; b.left <= 0 {
		reset(b.Conn)
	}
	return n, err
}

// reset closes a connection with what is in it lost to both sides.
func reset(c net.Conn) {
	if b, ok := c.(*brittle); ok {
		c = b.Conn
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Close()
}

// exchange is a request and the answer to it.
type exchange struct {
	*rand.Rand
	ledger *ledger
	post   *post // nil if it is the session's own
	id     string
	w      http.ResponseWriter
	r      *http.Request
	conn   net.Conn
}

// ServeHTTP implements [http.Handler].
func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.under.Add(1)
	defer h.under.Add(-1)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	x := &exchange{ledger: h.ledger, w: w, r: r, conn: r.Context().Value(connKey{}).(net.Conn)}
	if h.old != nil {
		x.Rand = h.ledger.random(13, int(h.own.Add(1)))
		h.serveOld(x, body)
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var request struct {
		ID     json.RawMessage
		Method string
	}
	json.Unmarshal(body, &request)
	x.id = string(request.ID)
	switch request.Method {
	case "tools/call", "prompts/get", "resources/read":
		if x.post = h.ledger.arrive(strings.TrimPrefix(r.URL.Path, "/"), body); x.post == nil {
			panic(http.ErrAbortHandler)
		}
		x.Rand = h.ledger.random(12, x.post.call.n, h.ledger.arrivals(x.post.call))
		x.serve()
	default:
		x.Rand = h.ledger.random(13, int(h.own.Add(1)))
		x.serveOwn(request.Method)
	}
}

// arrivals counts the requests of a call that the server had.
func (l *ledger) arrivals(c *call) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range c.posts {
		n += p.arrived
	}
	return n
}

// serve has the leg handled, if nothing befalls it before, and answers, if
// nothing befalls the answer.
func (x *exchange) serve() {
	if x.befalls("before: ", faultsBefore, 80) {
		return
	}
	if x.IntN(4) == 0 {
		time.Sleep(time.Duration(x.IntN(20)) * time.Millisecond)
	}
	result := x.ledger.handle(x.post)
	if result == nil {
		panic(http.ErrAbortHandler)
	}
	answer := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, x.id, result)
	if x.IntN(30) == 0 { // later, whatever happens then
		conn, after := x.conn, time.Duration(x.IntN(50))*time.Millisecond
		time.AfterFunc(after, func() { reset(conn) })
	}
	if x.IntN(30) == 0 {
		x.w.Header().Set("Connection", "close")
	}
	if !x.befalls("after: ", faultsAfter(answer), 80) {
		x.deliver(answer)
	}
}

// serveOwn answers what the session asks on its own behalf, as a server that
// speaks 2026-07-28 and nothing else.
func (x *exchange) serveOwn(method string) {
	x.ledger.count("the session's own: " + method)
	const supported = `"supported":["2026-07-28"]`
	switch method {
	case "server/discover":
		if !x.befalls("own: ", faultsBefore, 200) {
			x.whole(200, `{"jsonrpc":"2.0","id":`+x.id+`,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`)
		}
	case "tools/list":
		if !x.befalls("own: ", faultsBefore, 200) {
			x.whole(200, `{"jsonrpc":"2.0","id":`+x.id+`,"result":{"resultType":"complete","tools":[{"name":"work","inputSchema":{"type":"object"}}]}}`)
		}
	case "initialize":
		if x.IntN(3) == 0 {
			x.whole(404, "404 page not found\n")
			return
		}
		x.whole(400, `{"jsonrpc":"2.0","id":`+x.id+`,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"requested":"2025-11-25",`+supported+`}}}`)
	default:
		x.w.WriteHeader(http.StatusAccepted)
	}
}

// whole answers in one piece.
func (x *exchange) whole(status int, body string) {
	if strings.HasPrefix(body, "{") {
		x.w.Header().Set("Content-Type", "application/json")
	}
	x.w.WriteHeader(status)
	io.WriteString(x.w, body)
}

// idle waits until nothing is under way.
func (h *hostile) idle(t *testing.T) {
	for end := time.Now().Add(hosttest.Patience); h.under.Load() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%d requests are still under way at the server", h.under.Load())
			return
		}
	}
}

// pieces cuts text into some pieces.
func (x *exchange) pieces(text []byte) (all [][]byte) {
	for range x.IntN(6) {
		if len(text) < 2 {
			break
		}
		cut := 1 + x.IntN(len(text)-1)
		all = append(all, text[:cut])
		text = text[cut:]
	}
	return append(all, text)
}

// dribble writes a text piece by piece.
func (x *exchange) dribble(text []byte) {
	for _, piece := range x.pieces(text) {
		x.w.Write(piece)
		x.w.(http.Flusher).Flush()
		if x.IntN(4) == 0 {
			time.Sleep(time.Duration(x.IntN(3)) * time.Millisecond)
		}
	}
}

func lines(events ...string) []byte {
	var all bytes.Buffer
	for _, event := range events {
		all.WriteString(event)
	}
	return all.Bytes()
}
