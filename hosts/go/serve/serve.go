// Package serve bounds what strangers can take of an HTTP server: connections,
// time, bytes and requests. It stops the server so that nobody's request is lost.
//
//	server := &serve.Server{}
//	mux.Handle("/mcp", server.Limit(handler, user)) // user is who sends a request
//	err := server.Serve(ctx, listener, mux)         // until ctx ends, on SIGTERM say
//
// It is for HTTP/1.1, behind a proxy that ends TLS or with a listener that does.
// It knows nothing of MCP: an answer may take as long as it likes, an event
// stream for ever.
package serve

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of a [Server]. Zero fields are the defaults.
type Limits struct {
	Header time.Duration // that a request's header may take: 10 s
	Body   time.Duration // that header and body together may take: 1 min
	Idle   time.Duration // that a connection may wait for its next request: 2 min
	Write  time.Duration // that a client may take nothing of its answer: 30 s
	Grace  time.Duration // that requests in flight may take to end when the server stops: 10 s

	HeaderBytes int   // 64 KiB
	BodyBytes   int64 // 4 MiB

	// Connections are 1024, half of them from one address. Where there are as many,
	// one that has waited longest for a request makes room. Behind a proxy all come
	// from its address: set Each to All there.
	Connections Share
	// Requests in flight are 512, half of them of one client.
	Requests Share

	// Health is the path at which GET is answered 200, or 503 once the server stops,
	// to anybody: "/healthz".
	Health string
}

func (l Limits) withDefaults() Limits {
	l.Header = cmp.Or(l.Header, 10*time.Second)
	l.Body = cmp.Or(l.Body, time.Minute)
	l.Idle = cmp.Or(l.Idle, 2*time.Minute)
	l.Write = cmp.Or(l.Write, 30*time.Second)
	l.Grace = cmp.Or(l.Grace, 10*time.Second)
	l.HeaderBytes = cmp.Or(l.HeaderBytes, 64<<10)
	l.BodyBytes = cmp.Or(l.BodyBytes, 4<<20)
	l.Connections = l.Connections.withDefault(1024)
	l.Requests = l.Requests.withDefault(512)
	l.Health = cmp.Or(l.Health, "/healthz")
	return l
}

// Server serves HTTP within its Limits. The zero value is ready; its fields do not
// change once it serves.
type Server struct {
	Limits Limits

	// Stopping is called when the server begins to stop, before requests in flight
	// are waited for: it ends those that would not end by themselves, such as event
	// streams. It must not wait for them. It may be nil.
	Stopping func()

	stopping atomic.Bool
	flights  flights
	once     sync.Once
	limits   Limits
}

// bounds are the limits with their defaults.
func (s *Server) bounds() *Limits {
	s.once.Do(func() { s.limits = s.Limits.withDefaults() })
	return &s.limits
}

// Serve serves h until ctx ends, and closes l. Then the health endpoint and new
// requests are answered 503, requests in flight have Limits.Grace to end, and
// Serve returns nil. Any other error is one of the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	b := s.bounds()
	connections := &connections{Listener: l, share: b.Connections, write: b.Write}
	web := &http.Server{
		Handler:           s.outer(h),
		ReadHeaderTimeout: b.Header, ReadTimeout: b.Body, IdleTimeout: b.Idle, MaxHeaderBytes: b.HeaderBytes,
		ConnState: func(c net.Conn, state http.ConnState) { connections.note(c, state) },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, c)
		},
	}
	served := make(chan error, 1)
	go func() { served <- web.Serve(connections) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	if s.Stopping != nil {
		s.Stopping()
	}
	web.SetKeepAlivesEnabled(false)
	connections.closeWaiting()
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.Grace)
	defer cancel()
	select { // the listener stays: to be told 503 is better than to be refused
	case <-s.flights.ended():
	case <-late.Done():
	}
	connections.closeWaiting()
	if web.Shutdown(late) != nil {
		web.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// outer answers health, and nothing else once the server stops.
func (s *Server) outer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stopping := s.stopping.Load()
		switch {
		case r.URL.Path == s.bounds().Health && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			w.Header().Set("Cache-Control", "no-store")
			if stopping {
				http.Error(w, "stopping", http.StatusServiceUnavailable)
				return
			}
			io.WriteString(w, "ok\n")
			return
		case stopping:
			w.Header().Set("Connection", "close")
			Refuse(w, errStopping)
			return
		}
		next.ServeHTTP(w, arriving(w, r))
	})
}
