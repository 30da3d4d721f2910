package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// Limit is next within the server's limits of requests: a request's body is read
// before next sees it, at most Limits.BodyBytes of it, and then the request counts
// as in flight until next returns.
//
// client tells whose request it is; nil is the address that it comes from. One
// that is too long is answered 413, one that takes too long 408, one too many of a
// client 429, of all 503.
func (s *Server) Limit(next http.Handler, client func(*http.Request) string) http.Handler {
	if client == nil {
		client = address
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			body, ok := read(w, r, s.bounds().BodyBytes)
			if !ok {
				return
			}
			r = r.WithContext(r.Context())
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.ContentLength, r.TransferEncoding = int64(len(body)), nil
		}
		who := client(r)
		if err := s.flights.begin(who, s.bounds().Requests); err != nil {
			Refuse(w, err)
			return
		}
		defer s.flights.end(who)
		next.ServeHTTP(w, r)
	})
}

// address is the one that a request comes from.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// read reads a body, or answers why not. A length that is said to be too long is
// refused before anything of it is read.
func read(w http.ResponseWriter, r *http.Request, most int64) (body []byte, ok bool) {
	long := func() {
		w.Header().Set("Connection", "close")
		http.Error(w, fmt.Sprintf("the request's body is longer than %d bytes, which is the most that this server takes", most), http.StatusRequestEntityTooLarge)
	}
	if r.ContentLength > most {
		long()
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var over *http.MaxBytesError
	switch {
	case err == nil:
		return body, true
	case errors.As(err, &over):
		long()
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		http.Error(w, "the request's body took too long to arrive", http.StatusRequestTimeout)
	default:
		http.Error(w, "the request's body cannot be read", http.StatusBadRequest)
	}
	return nil, false
}

// arriving is a request whose time is up only while it arrives: without this a
// long answer would end with [http.Server]'s ReadTimeout.
func arriving(w http.ResponseWriter, r *http.Request) *http.Request {
	c, _ := r.Context().Value(connectionKey{}).(*connection)
	arrived := func() {
		http.NewResponseController(w).SetReadDeadline(time.Time{})
		c.set(busy)
	}
	if r.Body == nil || r.Body == http.NoBody {
		arrived()
		return r
	}
	c.set(sending)
	r = r.WithContext(r.Context()) // http.Server looks at the body of its own
	r.Body = &arrivingBody{ReadCloser: r.Body, arrived: sync.OnceFunc(arrived)}
	return r
}

// arrivingBody notes its end.
type arrivingBody struct {
	io.ReadCloser
	arrived func()
}

// Read implements [io.Reader].
func (b *arrivingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.arrived()
	}
	return n, err
}

// flights are the requests in flight.
type flights struct {
	mu    sync.Mutex
	count map[string]int // by client
	whole int
	empty []chan struct{} // of those who wait
}

func (f *flights) begin(client string, share Share) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := share.Claim(f.count[client], f.whole); err != nil {
		return err
	}
	if f.count == nil {
		f.count = map[string]int{}
	}
	f.count[client]++
	f.whole++
	return nil
}

func (f *flights) end(client string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count[client]--; f.count[client] == 0 {
		delete(f.count, client)
	}
	if f.whole--; f.whole == 0 {
		for _, waiting := range f.empty {
			close(waiting)
		}
		f.empty = nil
	}
}

// ended is closed when no request is in flight.
func (f *flights) ended() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	waiting := make(chan struct{})
	if f.whole == 0 {
		close(waiting)
	} else {
		f.empty = append(f.empty, waiting)
	}
	return waiting
}
