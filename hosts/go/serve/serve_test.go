package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/serve"
)

// served is a server that runs until the test ends, or is stopped.
type served struct {
	t      *testing.T
	addr   string
	stop   context.CancelFunc
	result chan error
}

func start(t *testing.T, s *serve.Server, h http.Handler) *served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	v := &served{t: t, addr: l.Addr().String(), stop: stop, result: make(chan error, 1)}
	go func() { v.result <- s.Serve(ctx, l, h) }()
	t.Cleanup(stop)
	return v
}

// send opens a connection and writes to it.
func (v *served) send(text string) net.Conn {
	v.t.Helper()
	c, err := net.Dial("tcp", v.addr)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { c.Close() })
	io.WriteString(c, text) // may be closed already, which is found by reading
	return c
}

// ask makes a request on a connection of its own.
func (v *served) ask(method, path, user, body string) (status int, text string, header http.Header) {
	v.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	var err error
	for range 100 { // a slow machine may miss a short limit
		var r *http.Response
		q, _ := http.NewRequest(method, "http://"+v.addr+path, strings.NewReader(body))
		q.Header.Set("User", user)
		if r, err = client.Do(q); err == nil {
			text, err := io.ReadAll(r.Body)
			r.Body.Close()
			if err == nil {
				return r.StatusCode, string(text), r.Header
			}
		}
	}
	v.t.Fatal(err)
	return 0, "", nil
}

// closed waits until the server closes a connection.
func closed(c net.Conn) { io.Copy(io.Discard, c) }

var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })

func user(r *http.Request) string { return r.Header.Get("User") }

// Connections that stop in a header, in a body or after a request are closed, and
// others are served meanwhile.
func TestSlow(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{Header: time.Second, Body: time.Second, Idle: time.Second, Connections: serve.Share{All: 1024, Each: 1024}}}
	v := start(t, s, s.Limit(echo, nil))
	var bad []net.Conn
	for range 200 {
		bad = append(bad, v.send("POST / HTTP/1.1\r\nHost: x\r\nContent-"),
			v.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"), v.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	}
	bad = append(bad, v.send(""))
	if status, text, _ := v.ask("POST", "/", "", "hello"); status != http.StatusOK || text != "hello" {
		t.Errorf("meanwhile: got %d %q", status, text)
	}
	for _, c := range bad {
		closed(c)
	}
	if status, _, _ := v.ask("POST", "/", "", "hello"); status != http.StatusOK {
		t.Errorf("afterwards: got %d", status)
	}
}

// Half a body that the handler does not want to read holds nothing either.
func TestUnread(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{Body: 100 * time.Millisecond}}
	v := start(t, s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusUnauthorized) }))
	closed(v.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"))
}

// An answer may take longer than the request may take to arrive.
func TestLongAnswer(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{Header: 200 * time.Millisecond, Body: 200 * time.Millisecond, Idle: 200 * time.Millisecond, Write: 200 * time.Millisecond}}
	passed := make(chan struct{})
	v := start(t, s, s.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).Flush()
		select {
		case <-passed:
		case <-r.Context().Done():
			return
		}
		io.WriteString(w, "done")
	}), nil))
	for _, request := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"} {
		c := bufio.NewReader(v.send(request))
		r, err := http.ReadResponse(c, nil)
		if err != nil {
			t.Log("a slow machine: the request did not arrive in time")
			continue
		}
		for range 3 { // each takes as long as all of the limits
			closed(v.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"))
			closed(v.send(""))
		}
		passed <- struct{}{}
		if text, err := io.ReadAll(r.Body); string(text) != "done" || err != nil {
			t.Errorf("got %q, %v", text, err)
		}
	}
}

// A body over the limit is refused: by its length before any of it is read, else
// where the limit is passed.
func TestBody(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{BodyBytes: 1 << 20}}
	v := start(t, s, s.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprint(w, len(body), r.ContentLength)
	}), nil))
	if _, text, _ := v.ask("POST", "/", "", strings.Repeat("x", 1<<20)); text != "1048576 1048576" {
		t.Errorf("as much as may: got %q", text)
	}
	c := v.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1099511627776\r\n\r\n")
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(r.Body)
	if r.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "longer than 1048576 bytes") {
		t.Errorf("a terabyte: got %d %q", r.StatusCode, text)
	}
	closed(c)
	c = v.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
	wrote := 0
	chunk := "10000\r\n" + strings.Repeat("x", 0x10000) + "\r\n"
	go io.Copy(io.Discard, c)
	for err = nil; err == nil; wrote += len(chunk) {
		if _, err = io.WriteString(c, chunk); wrote > 256<<20 {
			t.Fatal("it reads on and on")
		}
	}
}

// A client that takes nothing of its answer is cut off.
func TestUnreadAnswer(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{Write: 100 * time.Millisecond}}
	cut := make(chan error, 1)
	v := start(t, s, s.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		for err == nil {
			_, err = w.Write(make([]byte, 1<<20))
		}
		cut <- err
	}), nil))
	v.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-cut
}

// Who has his share of requests in flight is told so; others are served.
func TestRequests(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{Requests: serve.Share{All: 3, Each: 2}}}
	begun, release := make(chan struct{}), make(chan struct{})
	v := start(t, s, s.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			begun <- struct{}{}
			<-release
		}
	}), user))
	var waiting sync.WaitGroup
	for _, name := range []string{"ada", "ada", "bob"} {
		if name == "bob" {
			status, text, h := v.ask("GET", "/", "ada", "")
			if status != http.StatusTooManyRequests || h.Get("Retry-After") == "" || !strings.Contains(text, "one client") {
				t.Errorf("over her share: got %d %q", status, text)
			}
			if status, _, _ := v.ask("GET", "/", "bob", ""); status != http.StatusOK {
				t.Errorf("another: got %d", status)
			}
		}
		waiting.Go(func() { v.ask("GET", "/wait", name, "") })
		<-begun
	}
	if status, _, h := v.ask("GET", "/", "bob", ""); status != http.StatusServiceUnavailable || h.Get("Retry-After") == "" {
		t.Errorf("over all: got %d", status)
	}
	close(release)
	waiting.Wait()
	if status, _, _ := v.ask("GET", "/", "ada", ""); status != http.StatusOK {
		t.Errorf("afterwards: got %d", status)
	}
}

// Connections that wait make room for one that comes; busy ones do not.
func TestConnections(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{Connections: serve.Share{All: 4, Each: 4}}}
	begun, release := make(chan struct{}), make(chan struct{})
	v := start(t, s, s.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			begun <- struct{}{}
			<-release
		}
	}), nil))
	old := []net.Conn{v.send(""), v.send("GET / HT"), v.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"), v.send("GET /health")}
	for range 4 {
		v.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
		<-begun
	}
	for _, c := range old {
		closed(c)
	}
	c := v.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err == nil && (r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "") {
		t.Errorf("one too many: got %v", r.Status)
	}
	closed(c) // it may be reset before it has read that
	close(release)
}

// A server that stops lets requests in flight end, and says meanwhile that it
// stops.
func TestStop(t *testing.T) {
	told := make(chan struct{})
	s := &serve.Server{Limits: serve.Limits{Grace: time.Hour}, Stopping: func() { close(told) }}
	begun, release := make(chan struct{}), make(chan struct{})
	v := start(t, s, s.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-release
		io.WriteString(w, "all of it")
	}), nil))
	if status, _, _ := v.ask("GET", "/healthz", "", ""); status != http.StatusOK {
		t.Errorf("health: got %d", status)
	}
	kept := v.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	half := v.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf")
	answer := make(chan string)
	go func() {
		_, text, _ := v.ask("GET", "/", "", "")
		answer <- text
	}()
	<-begun
	v.stop()
	<-told
	closed(kept)
	for _, path := range []string{"/healthz", "/"} {
		if status, _, _ := v.ask("GET", path, "", ""); status != http.StatusServiceUnavailable {
			t.Errorf("%s: got %d, want 503", path, status)
		}
	}
	close(release)
	if text := <-answer; text != "all of it" {
		t.Errorf("in flight: got %q", text)
	}
	if err := <-v.result; err != nil {
		t.Errorf("Serve: %v", err)
	}
	closed(half)
	if _, err := net.Dial("tcp", v.addr); err == nil {
		t.Error("it still listens")
	}
}

// A request that does not end is ended.
func TestGrace(t *testing.T) {
	s := &serve.Server{Limits: serve.Limits{Grace: 50 * time.Millisecond}}
	begun, ended := make(chan struct{}), make(chan struct{})
	v := start(t, s, s.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(ended)
	}), nil))
	v.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-begun
	v.stop()
	if err := <-v.result; err != nil {
		t.Errorf("Serve: %v", err)
	}
	<-ended
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		share       serve.Share
		mine, whole int
		want        error
	}{
		{serve.Share{All: 4, Each: 2}, 1, 3, nil},
		{serve.Share{All: 4, Each: 2}, 2, 4, serve.ErrShare},
		{serve.Share{All: 4, Each: 2}, 0, 4, serve.ErrFull},
		{serve.Share{All: 4}, 2, 2, serve.ErrShare},
		{serve.Share{All: 1}, 0, 0, nil},
		{serve.Share{All: 1}, 1, 1, serve.ErrFull},
	} {
		if got := tt.share.Claim(tt.mine, tt.whole); got != tt.want {
			t.Errorf("%+v: got %v, want %v", tt, got, tt.want)
		}
	}
}
