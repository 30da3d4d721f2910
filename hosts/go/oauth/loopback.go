package oauth

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// CallbackPath is where the browser comes back to, on 127.0.0.1 and any port.
const CallbackPath = "/callback"

// loopback waits on this machine for the browser to come back. It answers one
// authorization response, that of its state; whatever else comes is turned away
// and ends nothing.
//
// Source: RFC 8252, section 7.3 and 8.3: the address literal, not "localhost".
type loopback struct {
	redirect string                 // the redirect_uri
	host     string                 // what the Host header must say: a page of elsewhere names another
	server   *http.Server           // nil if it is the host's
	arrived  chan *arrival          // one
	state    atomic.Pointer[string] // the one to wait for; nil: none yet, or no more
	shown    chan struct{}          // closed once the browser has the last page
	ended    sync.Once              // closes it

	moved atomic.Pointer[moved] // where a browser goes that comes back a second time
}

// moved is where a browser is sent on to that comes back with a state.
type moved struct{ state, to string }

// arrival is an authorization response. Whoever takes it says how signing in
// ended, and the page in the browser says the same.
type arrival struct {
	code, state, issuer string
	failure, words      string     // its "error" and "error_description", as far as they may be repeated
	outcome             chan error // errMoved sends the browser on
}

var errMoved = errors.New("moved")

// listen binds the port, 0 for any.
func listen(port int) (*loopback, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, &Error{Code: ErrUsage, Err: err, Text: fmt.Sprintf("the browser cannot come back to port %d of this machine: %v. Choose another callback port.", port, bare(err))}
	}
	host := l.Addr().String()
	b := &loopback{redirect: "http://" + host + CallbackPath, host: host, arrived: make(chan *arrival, 1), shown: make(chan struct{})}
	b.server = &http.Server{
		Handler: b, ReadTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10, ErrorLog: log.New(io.Discard, "", 0), // what strangers send belongs in no log
	}
	go b.server.Serve(l)
	return b, nil
}

// expect says which state is waited for.
func (b *loopback) expect(state string) { b.state.Store(&state) }

// sendOn sends the browser that has come back on to another page, without the
// person, and waits for it anew. One that opens the first page again is sent on,
// too.
func (b *loopback) sendOn(last *arrival, state, to string) {
	b.moved.Store(&moved{state: last.state, to: to})
	b.expect(state)
	last.outcome <- errMoved
}

// close gives the port back, once the last page has gone out if there is one to
// come.
func (b *loopback) close(answered bool) {
	if b.server == nil {
		return
	}
	if answered {
		select {
		case <-b.shown:
		case <-time.After(2 * time.Second): // a browser that does not read
		}
	}
	b.server.Close()
}

// ServeHTTP implements [http.Handler].
func (b *loopback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Host != b.host || r.URL.Path != CallbackPath || r.Method != http.MethodGet:
		http.NotFound(w, r)
	case !b.answer(w, r):
		unexpected(w)
	}
}

// answer reports whether a response is of this sign-in, and answers it.
func (b *loopback) answer(w http.ResponseWriter, r *http.Request) bool {
	state := r.URL.Query().Get("state")
	if b.takes(state) {
		b.take(w, r)
		return true
	}
	m := b.moved.Load()
	if m == nil || !isSame(m.state, state) {
		return false
	}
	b.redirectOn(w, r)
	return true
}

func (b *loopback) redirectOn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, b.moved.Load().to, http.StatusFound)
}

// unexpected turns a response away that nobody waits for.
func unexpected(w http.ResponseWriter) {
	page(w, http.StatusBadRequest, "This page is not expected", "It does not belong to a sign-in that is waiting here. Nothing was done. If you are signing in, use the page that was opened last.")
}

// take hands the response over and says in the browser what came of it.
func (b *loopback) take(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	a := &arrival{code: query.Get("code"), state: query.Get("state"), issuer: query.Get("iss"), outcome: make(chan error, 1)}
	secrets := []string{a.code, a.state}
	if query.Get("error") != "" {
		a.code, a.failure, a.words = "", repeatCode(query.Get("error"), secrets), repeat(query.Get("error_description"), secrets)
	}
	b.arrived <- a // it has room
	select {
	case err := <-a.outcome:
		if err == errMoved {
			b.redirectOn(w, r)
			return
		}
		defer b.end()
		if err == nil {
			page(w, http.StatusOK, "You are signed in", "You can close this window.")
		} else {
			page(w, http.StatusOK, "You are not signed in", "The program that opened this page says why. You can close this window.")
		}
	case <-r.Context().Done():
		b.end()
	}
}

// end says that the browser gets no more pages.
func (b *loopback) end() { b.ended.Do(func() { close(b.shown) }) }

// takes reports whether a state is the one that is waited for, and takes it. A
// stranger's never keeps the browser's waiting or turns it away.
func (b *loopback) takes(state string) bool {
	want := b.state.Load()
	return want != nil && isSame(*want, state) && b.state.CompareAndSwap(want, nil)
}

func isSame(want, state string) bool {
	return subtle.ConstantTimeCompare([]byte(want), []byte(state)) == 1
}

// page is what the person sees in the browser.
func page(w http.ResponseWriter, status int, title, text string) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
	body := fmt.Sprintf(pageText, html.EscapeString(title), html.EscapeString(title), html.EscapeString(text))
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Connection", "close")
	w.WriteHeader(status)
	io.WriteString(w, body)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

const pageText = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>%s</title>
<style>
:root { color-scheme: light dark }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem }
</style>
<h1>%s</h1>
<p>%s</p>
`
