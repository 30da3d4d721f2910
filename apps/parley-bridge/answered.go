package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

// answered has what refuses a POST in words answer the requests in it instead, with
// their ids: a client otherwise waits for answers that do not come.
//
// What a message takes is held from when it is read.
func answered(bound *memory.Bound, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			user := userOf(r.Context())
			body := &readBody{ReadCloser: r.Body, full: func() error { return bound.Full(user) }, held: bound.Lease(user, 0)}
			defer body.held.Drop()
			r = r.WithContext(context.WithValue(r.Context(), heldKey{}, body.held)) // http.Server looks at the body of its own
			r.Body = body
			w = &answering{ResponseWriter: w, body: body, inSession: r.Header.Get("Mcp-Session-Id") != ""}
		}
		next.ServeHTTP(w, r)
	})
}

// heldKey is that of the lease of a POST's messages in its context.
type heldKey struct{}

// readBody collects the ids in a body while it is read, and counts the bytes that are kept.
type readBody struct {
	io.ReadCloser
	ids     message.IDs
	full    func() error // why nothing more may be held
	held    *memory.Lease
	read    int
	refused error // the rest is not kept, because of this
	over    bool  // the rest is not kept
}

// maxAnswer is how long a message is read even if there is no room: it may be an answer,
// which makes some.
const maxAnswer = 256 << 10 // bytes

// Read implements [io.Reader].
func (b *readBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ids.Write(p[:n])
	if b.over {
		return n, err
	}
	b.held.Grow(n)
	b.read += n
	if b.read > maxAnswer {
		if b.refused = b.full(); b.refused != nil {
			return n, b.refused
		}
	}
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
		if status == http.StatusRequestEntityTooLarge || a.body.refused != nil {
			a.readRest()
		}
		if a.body.refused != nil {
			status = serve.SetRefusal(a.Header(), a.body.refused)
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
	words := text
	if a.body.refused != nil {
		words = []byte(memory.Text(a.body.refused))
	}
	if a.code == 0 {
		if _, err := a.ResponseWriter.Write(words); err != nil {
			return 0, err
		}
		return len(text), nil
	}
	object := message.Error(a.code, strings.TrimSpace(string(words)), nil)
	if _, err := a.ResponseWriter.Write(message.Refusal(a.ids, object)); err != nil {
		return 0, err
	}
	return len(text), nil
}

func (a *answering) readRest() {
	a.body.over = true
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
