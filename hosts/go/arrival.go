package parley

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptrace"
	"sync"
)

// arrival watches how far a request gets: once there was a connection to write
// it to, it may have arrived. Its hooks may be called from any goroutine.
type arrival struct {
	// Nobody sends the request again but net/http, which does where an idle
	// connection was gone before anything was written to it.
	once bool

	mu       sync.Mutex
	told     bool // the client says what it does about connections
	securing bool // a TLS handshake failed
	had      bool // there was a connection
}

func (a *arrival) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:          func(string) { a.set(func() { a.told, a.securing, a.had = true, false, a.had && !a.once }) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { a.set(func() { a.securing = err != nil }) },
		GotConn:          func(httptrace.GotConnInfo) { a.set(func() { a.had = true }) },
	}
}

func (a *arrival) set(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
}

// isExcluded reports whether a request that failed certainly never reached the
// server: whoever adds authorization says so, or there was no connection. Of
// a client that does not tell, only the error says something.
func (a *arrival) isExcluded(err error) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case errors.Is(err, ErrUnsent):
		return true
	case a.told:
		return !a.had
	}
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial"
}

func (a *arrival) failedToSecure() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.securing
}
