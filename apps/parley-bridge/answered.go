package main

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// answered has what refuses a POST in words answer the requests in it instead, with
// their ids: a client otherwise waits for answers that do not come.
func answered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body := &readBody{ReadCloser: r.Body}
			r = r.WithContext(r.Context()) // http.Server looks at the body of its own
			r.Body = body
			w = &answering{ResponseWriter: w, body: body, inSession: r.Header.Get("Mcp-Session-Id") != ""}
		}
		next.ServeHTTP(w, r)
	})
}

// readBody reads the ids in a body as it passes.
type readBody struct {
	io.ReadCloser
	ids message.IDs
}

// Read implements [io.Reader].
func (b *readBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ids.Write(p[:n])
	return n, err
}

// answering turns a refusal in words into one in JSON-RPC.
type answering struct {
	http.ResponseWriter
	body      *readBody
	inSession bool
	code      int // of the error while a refusal is written, else 0
	ids       [][]byte
}

// What is too long is read on, though not kept: its id may come last, and a client that
// is still sending would lose the answer with the connection.
const (
	maxRest   = 64 << 20 // bytes
	restTime  = time.Minute
	restPause = time.Second // that its client may pause for
)

// Unwrap is for [http.ResponseController].
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (a *answering) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(a.Header().Get("Content-Type"), "text/plain") {
		if status == http.StatusRequestEntityTooLarge {
			a.readRest()
		}
		if a.ids = a.body.ids.All(); len(a.ids) > 0 {
			a.code = message.InvalidRequest
			if status == http.StatusTooManyRequests || status >= http.StatusInternalServerError {
				a.code = message.Internal
			}
			if a.inSession && status != http.StatusBadRequest && status != http.StatusNotFound {
				status = http.StatusOK // some clients end with their session at any other
			}
			a.Header().Set("Content-Type", "application/json")
		}
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [io.Writer]. The words of a refusal come at once.
func (a *answering) Write(text []byte) (int, error) {
	if a.code == 0 {
		return a.ResponseWriter.Write(text)
	}
	object := message.Error(a.code, strings.TrimSpace(string(text)), nil)
	if _, err := a.ResponseWriter.Write(message.Refusal(a.ids, object)); err != nil {
		return 0, err
	}
	return len(text), nil
}

func (a *answering) readRest() {
	conn, late := http.NewResponseController(a.ResponseWriter), time.Now().Add(restTime)
	buffer := make([]byte, 32<<10)
	for rest := maxRest; rest > 0 && time.Now().Before(late); {
		conn.SetReadDeadline(time.Now().Add(restPause))
		n, err := a.body.Read(buffer)
		if rest -= n; err != nil {
			return
		}
	}
}
