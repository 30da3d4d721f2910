package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// guarded is a server whose tool asks a question and then wants a wider scope
// for the answers: a token of its own for each of them.
type guarded struct {
	*httptest.Server
	mu      sync.Mutex
	answers []string // that came, with the token that they came with
	ran     int
}

func newGuarded(t *testing.T) *guarded {
	g := &guarded{}
	g.Server = httptest.NewServer(http.HandlerFunc(g.serve))
	t.Cleanup(g.Close)
	return g
}

func (g *guarded) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	request := readRPC(body)
	g.mu.Lock()
	defer g.mu.Unlock()
	token := r.Header.Get("Authorization")
	answered := request.Params.InputResponses != nil
	switch {
	case token == "":
		w.Header().Add("WWW-Authenticate", `Basic realm="x"`)
		w.Header().Add("WWW-Authenticate", `Bearer scope="read"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	case answered:
		g.answers = append(g.answers, token+" "+string(request.Params.InputResponses["who"]))
	}
	if answered && token != "Bearer wide" {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="deploy"`)
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"more is needed"}}`, request.ID)
		return
	}
	result := `{"resultType":"complete","content":[]}`
	if !answered {
		result = `{"resultType":"input_required","requestState":"s","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}}}`
	} else {
		g.ran++
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
}

// signedIn is a person who signs in as often as is asked, and gets what the server
// wants.
type signedIn struct {
	mu    sync.Mutex
	token string
	asked []string // what the server wanted
}

func (p *signedIn) authorization(context.Context) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.token, nil
}

func (p *signedIn) authorize(_ context.Context, q parley.Question) ([]byte, error) {
	var wanted struct {
		Status                  int
		Scope, Error, Challenge string
	}
	if err := json.Unmarshal(q.Params, &wanted); err != nil || q.Kind != engine.KindAuthorize {
		return nil, errors.New("not a question to sign in")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, fmt.Sprint(wanted.Status, " ", wanted.Scope, " ", wanted.Error, " ", wanted.Challenge))
	p.token = "Bearer narrow"
	if wanted.Scope == "deploy" {
		p.token = "Bearer wide"
	}
	return []byte(`{"account":"a-1"}`), nil
}

// The challenge in the middle of a round costs no answer: they go out again with
// the next token.
func TestAuthorize(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server, person := newGuarded(t), &signedIn{}
		elicited := 0
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.URL, Authorization: person.authorization}, parley.SessionOptions{Askers: parley.Askers{
			Authorize: person.authorize,
			Elicit: func(context.Context, parley.Question) ([]byte, error) {
				elicited++
				return parley.Accept(struct{}{})
			},
		}})
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("deploy", `{}`)})
		if err != nil || out.Result == nil {
			t.Fatalf("got %s, %v", out.Result, err)
		}
		wanted := []string{`401 read  Basic realm="x", Bearer scope="read"`, `403 deploy insufficient_scope Bearer error="insufficient_scope", scope="deploy"`}
		if got := strings.Join(person.asked, "\n"); got != strings.Join(wanted, "\n") {
			t.Errorf("asked for\n%s\nwant\n%s", got, strings.Join(wanted, "\n"))
		}
		answer := `{"action":"accept","content":{}}`
		if got, want := strings.Join(server.answers, "; "), "Bearer narrow "+answer+"; Bearer wide "+answer; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		if elicited != 1 || server.ran != 1 {
			t.Errorf("asked %d times, ran %d times; want 1 and 1", elicited, server.ran)
		}
		closeAll(t, s)
	})
}

// A call that is parked while somebody is asked to sign in keeps its answers, and
// goes on in another session, with another token.
func TestAuthorizePark(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server, person := newGuarded(t), &signedIn{token: "Bearer narrow"}
		askers := parley.Askers{
			Authorize: func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark },
			Elicit:    func(context.Context, parley.Question) ([]byte, error) { return parley.Accept(struct{}{}) },
		}
		transport := func() *parley.StreamableHTTP {
			return &parley.StreamableHTTP{URL: server.URL, Authorization: person.authorization}
		}
		s := newSession(t, e, transport(), parley.SessionOptions{Askers: askers})
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("deploy", `{}`)})
		if err != nil || !out.Parked {
			t.Fatalf("got %+v, %v; want it parked", out, err)
		}
		closeAll(t, s)
		person.token = "Bearer wide"
		askers.Elicit = func(context.Context, parley.Question) ([]byte, error) {
			t.Error("what was answered was asked again")
			return parley.Decline(), nil
		}
		s = newSession(t, e, transport(), parley.SessionOptions{Askers: askers})
		out, err = s.Resume(t.Context(), parley.Resumption{Snapshot: out.Snapshot})
		if err != nil || out.Result == nil || server.ran != 1 {
			t.Fatalf("got %s, %v, ran %d times", out.Result, err, server.ran)
		}
		closeAll(t, s)
	})
}

// What keeps somebody from signing in is the cause of the failure; nothing is in
// doubt, and the call can go on.
func TestAuthorizeRefused(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server := newGuarded(t)
		refusal := errors.New("not now")
		tests := map[string]struct {
			askers        parley.Askers
			authorization func(context.Context) (string, error)
			code          fault.Code
			words         string
		}{
			"refused":  {parley.Askers{Authorize: func(context.Context, parley.Question) ([]byte, error) { return nil, refusal }}, nil, fault.Unauthorized, "nobody signed in: not now"},
			"nobody":   {parley.Askers{}, nil, fault.Unauthorized, "HTTP status 401"},
			"no token": {parley.Askers{}, func(context.Context) (string, error) { return "", errors.New("the token file is empty") }, fault.Lost, "the token file is empty"},
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				s := newSession(t, e, &parley.StreamableHTTP{URL: server.URL, Authorization: test.authorization}, parley.SessionOptions{Askers: test.askers})
				_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("deploy", `{}`)})
				if !errors.Is(err, test.code) || !strings.Contains(err.Error(), test.words) {
					t.Fatalf("got %v, want %v with %q", err, test.code, test.words)
				}
				if test.askers.Authorize != nil && !errors.Is(err, refusal) {
					t.Errorf("%v: the cause is missing", err)
				}
				snapshotOf(t, err, test.code)
				closeAll(t, s)
			})
		}
	})
}
