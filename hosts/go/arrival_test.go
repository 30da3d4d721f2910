package parley_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// tripper is a RoundTripper of the host's.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// again is a copy of a request.
func again(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	r.Body, _ = r.GetBody()
	return r
}

// What a client of the host's own does on the way decides whether a request may
// have arrived; where it does not tell, its error does.
func TestStreamableArrival(t *testing.T) {
	const nowhere = "127.0.0.1:1" // nothing listens there, and no test is given this port
	elsewhere := func(r *http.Request) (*http.Response, error) {
		r = again(r)
		r.URL.Host = nowhere
		return http.DefaultTransport.RoundTrip(r)
	}
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	tests := map[string]struct {
		path   string
		trip   http.RoundTripper
		unsent bool
		words  string
	}{
		"there is nothing":                 {"", tripper(elsewhere), true, "was refused"},
		"there is nothing the second time": {"", tripper(func(r *http.Request) (*http.Response, error) { send(r); return elsewhere(r) }), false, "was lost"},
		"nobody signs in": {"", tripper(func(*http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("nobody signed in: %w", parley.ErrUnsent)
		}), true, "nobody signed in"},
		"nobody signs in again": {"", tripper(func(r *http.Request) (*http.Response, error) {
			send(r)
			return nil, errors.Join(parley.ErrUnsent, errors.New("nobody signed in"))
		}), true, "nobody signed in"},
		"does not tell":                                           {"", tripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("no luck") }), false, "was lost: no luck"},
		"does not tell, no connection":                            {"", tripper(func(*http.Request) (*http.Response, error) { return nil, refused }), true, "no connection to the server can be made"},
		"gets no connection in time":                              {"", dials(os.ErrDeadlineExceeded), true, "takes too long"},
		"gets no answer in time":                                  {"/silent", &http.Transport{ResponseHeaderTimeout: 1}, false, "did not answer in time"},
		"is sent elsewhere by the client":                         {"/moved", &http.Transport{}, false, "was lost"},
		"an idle connection is gone":                              {"/idle", idle(t, false), true, "no more connections"},
		"an idle connection is gone, and somebody may send again": {"/idle", struct{ http.RoundTripper }{idle(t, false)}, false, "no more connections"},
		"an idle connection breaks":                               {"/idle", idle(t, true), false, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				switch r.URL.Path {
				case "/silent":
					<-r.Context().Done()
				case "/moved":
					http.Redirect(w, r, "http://"+nowhere, http.StatusSeeOther)
				}
			}))
			defer server.Close()
			if tt.path == "/idle" {
				response, err := (&http.Client{Transport: tt.trip}).Get(server.URL)
				must(t, err)
				response.Body.Close()
			}
			client := &http.Client{Transport: tt.trip}
			if tt.path == "/moved" {
				client.CheckRedirect = func(*http.Request, []*http.Request) error { return nil }
			}
			got := exchange(t, &parley.StreamableHTTP{URL: server.URL + tt.path, Client: client}, session.Post{Exchange: 3, Body: []byte("{}")})
			ended, ok := got[len(got)-1].(session.Ended)
			if !ok || ended.Unsent != tt.unsent || !strings.Contains(ended.Reason.String(), tt.words) {
				t.Errorf("got %s, want unsent %v: %s", spell(got), tt.unsent, tt.words)
			}
			if strings.Contains(ended.Reason.String(), "127.0.0.1") || strings.Contains(ended.Reason.String(), "parley:") {
				t.Errorf("the words for a person: %s", ended.Reason)
			}
		})
	}
}

// send sends a request and throws away what comes of it.
func send(r *http.Request) {
	if response, err := http.DefaultTransport.RoundTrip(again(r)); err == nil {
		response.Body.Close()
	}
}

// dials fails to connect.
func dials(err error) http.RoundTripper {
	return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}}
}

// idle has a connection from an earlier request, of which it finds out only when
// it writes that it is gone. Another cannot be made.
func idle(t *testing.T, part bool) http.RoundTripper {
	dialed := 0
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if dialed++; dialed > 1 {
			return nil, errors.New("no more connections")
		}
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &broken{Conn: conn, part: part}, err
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// broken is a connection that can be written to once.
type broken struct {
	net.Conn
	writes int
	part   bool // is written before it breaks
}

func (b *broken) Write(data []byte) (int, error) {
	if b.writes++; b.writes == 1 {
		return b.Conn.Write(data)
	}
	if b.part {
		n, _ := b.Conn.Write(data[:len(data)/2])
		return n, errors.New("broken")
	}
	return 0, errors.New("broken")
}
