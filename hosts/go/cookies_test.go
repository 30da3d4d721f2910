package parley_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// balancer is a server that gives each client a number by a cookie, whatever it
// answers, and notes the cookies that come.
type balancer struct {
	*httptest.Server
	mu    sync.Mutex
	came  []string
	given int
}

// newBalancer has answer say the rest of a response.
func newBalancer(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, body []byte)) *balancer {
	b := &balancer{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		b.came = append(b.came, strings.Join(r.Header["Cookie"], "|"))
		if r.Header.Get("Cookie") == "" {
			b.given++
			w.Header().Set("Set-Cookie", fmt.Sprintf("node=%d; Path=/; HttpOnly", b.given))
		}
		b.mu.Unlock()
		answer(w, r, body)
	}))
	t.Cleanup(b.Close)
	return b
}

// wants has these cookies have come, one request after another.
func (b *balancer) wants(t *testing.T, want ...string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Equal(b.came, want) {
		t.Errorf("cookies: got %q, want %q", b.came, want)
	}
	b.came = nil
}

// result answers a tool's call.
func result(w http.ResponseWriter, _ *http.Request, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[]}}`, readRPC(body).ID)
}

func callTool(t *testing.T, s *parley.Session) error {
	t.Helper()
	_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("greet", "{}")})
	return err
}

// A balancer's cookie counts on every answer, and goes back with every method.
func TestCookiesOfEveryAnswer(t *testing.T) {
	actions := map[string]session.Action{"POST": session.Post{Exchange: 1, Body: []byte("{}")}, "GET": session.Listen{Exchange: 1}, "DELETE": session.Delete{Exchange: 1}}
	for name, tt := range map[string]answer{
		"result": {200, "application/json", "{}"}, "accepted": {202, "", ""}, "stream": {200, "text/event-stream", "data: {}\n\n"}, "empty stream": {200, "text/event-stream", ""},
		"redirect": {307, "", ""}, "not found": {404, "text/plain", "no such session"}, "challenge": {401, "", ""}, "not allowed": {405, "", ""}, "unavailable": {503, "text/html", "<html>"},
	} {
		for method, action := range actions {
			t.Run(method+" "+name, func(t *testing.T) {
				b := newBalancer(t, func(w http.ResponseWriter, r *http.Request, _ []byte) { answerWith(tt).ServeHTTP(w, r) })
				transport := &parley.StreamableHTTP{URL: b.URL + "/mcp"}
				exchange(t, transport, action)
				exchange(t, transport, actions["POST"])
				exchange(t, transport, actions["GET"])
				exchange(t, transport, actions["DELETE"])
				b.wants(t, "", "node=1", "node=1", "node=1")
			})
		}
	}
}

// What goes out while a response is still read has the cookie of its head.
func TestCookiesBeforeTheBody(t *testing.T) {
	for _, kind := range []string{"text/event-stream", "application/json"} {
		t.Run(kind, func(t *testing.T) {
			answered := make(chan struct{})
			b := newBalancer(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
				if r.Header.Get("Cookie") != "" {
					w.WriteHeader(http.StatusAccepted)
					return
				}
				w.Header().Set("Content-Type", kind)
				w.(http.Flusher).Flush()
				select {
				case <-answered:
				case <-r.Context().Done():
				}
			})
			body := &watchedBody{begun: make(chan struct{})}
			transport := &parley.StreamableHTTP{URL: b.URL, Client: &http.Client{Transport: body}}
			transport.Perform(t.Context(), session.Post{Exchange: 1}, newReports().report)
			<-body.begun
			second := newReports()
			transport.Perform(t.Context(), session.Post{Exchange: 2}, second.report)
			second.wait(t, 1)
			close(answered)
			transport.Close()
			b.wants(t, "", "node=1")
		})
	}
}

// watchedBody tells when the body of a response begins to be read.
type watchedBody struct {
	once  sync.Once
	begun chan struct{}
}

func (b *watchedBody) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		response.Body = &watchedRead{b, response.Body}
	}
	return response, err
}

type watchedRead struct {
	*watchedBody
	body io.ReadCloser
}

func (w *watchedRead) Read(p []byte) (int, error) {
	w.once.Do(func() { close(w.begun) })
	return w.body.Read(p)
}

func (w *watchedRead) Close() error { return w.body.Close() }

// Transports share a client, and no cookie. One with a jar keeps them itself.
func TestCookiesOfAClient(t *testing.T) {
	b := newBalancer(t, result)
	shared := &http.Client{}
	for _, want := range []string{"node=1", "node=2"} {
		transport := &parley.StreamableHTTP{URL: b.URL, Client: shared}
		exchange(t, transport, session.Post{Exchange: 1})
		exchange(t, transport, session.Post{Exchange: 2})
		b.wants(t, "", want)
	}
	if shared.Jar != nil {
		t.Error("the host's client was changed")
	}
	jar, _ := cookiejar.New(nil)
	transport := &parley.StreamableHTTP{URL: b.URL, Client: &http.Client{Jar: jar}}
	exchange(t, transport, session.Post{Exchange: 1})
	exchange(t, transport, session.Post{Exchange: 2, Jar: 1})
	b.wants(t, "", "node=3")
}

// What another server sets is not kept, though the host's client follows redirects
// there.
func TestCookiesOfARedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Set-Cookie", "other=1; Path=/") }))
	defer elsewhere.Close()
	moved := true
	b := newBalancer(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		if moved {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}
	})
	transport := &parley.StreamableHTTP{URL: b.URL, Client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}}
	exchange(t, transport, session.Post{Exchange: 1})
	moved = false
	exchange(t, transport, session.Post{Exchange: 2})
	b.wants(t, "", "")
}

// A cookie that came with the challenge goes on with who signs in first. Who signs
// in next begins with none, and what was sent for the one before sets none.
func TestCookiesOfAnAccount(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var mu sync.Mutex
		takes, token, account := "Bearer a", "", ""
		b := newBalancer(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
			mu.Lock()
			defer mu.Unlock()
			if r.Header.Get("Authorization") != takes {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			result(w, r, body)
		})
		s := newSession(t, e, &parley.StreamableHTTP{URL: b.URL, Authorization: func(context.Context) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			return token, nil
		}}, parley.SessionOptions{Askers: parley.Askers{Authorize: func(context.Context, parley.Question) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			token = takes
			return fmt.Appendf(nil, `{"account":%q}`, account), nil
		}}})
		signIn := func(wanted, who string) {
			mu.Lock()
			takes, account = wanted, who
			mu.Unlock()
			if err := callTool(t, s); err != nil {
				t.Fatal(err)
			}
		}
		signIn("Bearer a", "a-1")
		b.wants(t, "", "node=1")
		signIn("Bearer a2", "a-1") // the same account, with a new token
		b.wants(t, "node=1", "node=1")
		signIn("Bearer b", "b-2")
		b.wants(t, "node=1", "")
		signIn("Bearer b", "b-2")
		b.wants(t, "node=2")
		closeAll(t, s)
	})
}

// An engine that is made in the place of one that trapped does not know whose the
// cookies are.
func TestCookiesAfterATrap(t *testing.T) {
	b, e := newBalancer(t, result), &trapping{Engine: parley.Native{}}
	s := newSession(t, e, &parley.StreamableHTTP{URL: b.URL}, parley.SessionOptions{})
	for range 2 {
		if err := callTool(t, s); err != nil {
			t.Fatal(err)
		}
	}
	b.wants(t, "", "node=1")
	e.next = "step"
	if err := callTool(t, s); !errors.Is(err, errTrap) {
		t.Fatalf("got %v, want the trap", err)
	}
	for range 2 {
		if err := callTool(t, s); err != nil {
			t.Fatal(err)
		}
	}
	b.wants(t, "", "node=2")
	closeAll(t, s)
}

// What a host sees of a session has no cookie in it, even if that ends it.
func TestCookiesAreShownNowhere(t *testing.T) {
	const secret = "c00kie-s3cret"
	for name, odd := range map[string]string{"odd": "odd=" + secret, "malformed": "odd=" + secret + "\x01"} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			shown, legs := "", 0
			show := func(all ...any) {
				mu.Lock()
				defer mu.Unlock()
				shown += fmt.Sprintf("%+v %#v\n", all, all)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				mu.Lock()
				legs++
				first := legs == 1
				mu.Unlock()
				w.Header().Add("Set-Cookie", "node="+secret)
				w.Header().Add("Set-Cookie", "long="+strings.Repeat(secret, 1000))
				if first {
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","requestState":"the-state","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}}}}`, readRPC(body).ID)
					return
				}
				if got := r.Header.Get("Cookie"); got != "node="+secret {
					t.Errorf("the cookie has %d bytes, want the one that was set", len(got))
				}
				conn, _, _ := w.(http.Hijacker).Hijack()
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nSet-Cookie: %s\r\nContent-Length: 5\r\n\r\n{", odd)
				conn.Close()
			}))
			defer server.Close()
			s := newSession(t, parley.Native{}, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{
				Askers: parley.Askers{Elicit: func(_ context.Context, q parley.Question) ([]byte, error) {
					show(q)
					return parley.Accept(struct{}{})
				}},
				Watchers: parley.SessionWatchers{OnWarning: func(text string) { show(text) }, OnReady: func(r session.Ready) { show(r) }},
			})
			request := parley.Request{
				Method: "tools/call", Params: tool("greet", "{}"), Options: engine.Options{Audit: true},
				Save:     func(_ context.Context, snapshot []byte) error { show(string(snapshot)); return nil },
				Watchers: parley.Watchers{OnNote: func(n engine.Note) { show(n) }, OnLeg: func(l engine.Leg) { show(l) }},
			}
			_, err := s.Call(t.Context(), request)
			var failed *parley.Error
			if !errors.As(err, &failed) {
				t.Fatalf("got %v, want the loss of the response", err)
			}
			show(err, failed, failed.Cause, string(failed.Snapshot))
			closeAll(t, s)
			if strings.Contains(shown, secret) {
				t.Error("a cookie was shown")
			}
			if !strings.Contains(shown, "the-state") {
				t.Error("no snapshot was shown: this proves nothing")
			}
		})
	}
}
