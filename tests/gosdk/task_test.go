package gosdk_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// provisioner is the example server, whose tool "provision" goes on as a task of
// five steps and asks in the middle.
type provisioner struct {
	url string

	mu      sync.Mutex
	methods []string
}

func provisions(t *testing.T, o stories.Options) *provisioner {
	t.Helper()
	p := new(provisioner)
	handler := stories.Handler(o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.methods = append(p.methods, r.Header.Get("Mcp-Method"))
		p.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *provisioner) count(method string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.methods {
		if m == method {
			n++
		}
	}
	return n
}

// session is a session with the server of a user.
func (p *provisioner) session(t *testing.T, e parley.Engine, user string) *parley.Session {
	t.Helper()
	transport := &parley.StreamableHTTP{URL: p.url}
	if user != "" {
		transport.Client = &http.Client{Transport: bearer(user)}
	}
	s, err := parley.NewSession(e, transport, parley.SessionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// bearer is a user's token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

const (
	provisionWeb = `{"name":"provision","arguments":{"name":"web-1"}}`
	confirmed    = `{"action":"accept","content":{"confirm":true}}`
	adaLogsIn    = `{"action":"accept","content":{"user":"ada"}}`
	provisioned  = "Provisioned web-1 for 48 EUR a month. ada may log in with a key."
)

// consenting confirms the cost, and answers what the task asks by the function.
func consenting(inTask func() ([]byte, error)) hosttest.Callbacks {
	return hosttest.Callbacks{
		Askers: parley.Askers{
			Tasks: true,
			Elicit: func(_ context.Context, q parley.Question) ([]byte, error) {
				if q.Key == "confirm" {
					return []byte(confirmed), nil
				}
				return inTask()
			},
		},
	}
}

func says(text string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(text), nil }
}

// TestTaskSession sees several tasks through at once, whose rounds come first.
func TestTaskSession(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		s := provisions(t, stories.Options{Step: 5 * time.Millisecond}).session(t, e, "")
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				name := fmt.Sprintf("web-%d", n)
				var last engine.Task
				cb := consenting(says(adaLogsIn))
				cb.OnTask = func(task engine.Task) { last = task }
				out, err := s.Call(t.Context(), cb.Request("tools/call", fmt.Appendf(nil, `{"name":"provision","arguments":{"name":%q}}`, name), engine.Options{}))
				if want := strings.Replace(provisioned, "web-1", name, 1); err != nil || !bytes.Contains(out.Result, []byte(want)) {
					t.Errorf("got %s, %v, want %s", out.Result, err, want)
				}
				if want := (engine.Task{Status: "completed", Message: name + " is ready."}); last != want {
					t.Errorf("at last: got %v, want %v", last, want)
				}
			})
		}
		all.Wait()
	})
}

// TestTaskParked parks a call in the middle of its task, and another session goes
// on with it. A user who is not the one that made the task does not.
func TestTaskParked(t *testing.T) {
	users := stories.Users{sha256.Sum256([]byte("ada")): "ada", sha256.Sum256([]byte("grace")): "grace"}
	engines(t, func(t *testing.T, e parley.Engine) {
		p := provisions(t, stories.Options{Step: 5 * time.Millisecond, Users: users})
		out, err := p.session(t, e, "ada").Call(t.Context(), consenting(func() ([]byte, error) { return nil, parley.ErrPark }).Request("tools/call", []byte(provisionWeb), engine.Options{}))
		if err != nil || !out.Parked {
			t.Fatalf("got %+v, %v, want a call that is parked", out, err)
		}
		_, err = p.session(t, e, "grace").Resume(t.Context(), consenting(says(adaLogsIn)).Resumption(parley.Resumption{Snapshot: out.Snapshot}))
		if !errors.Is(err, fault.Task) {
			t.Errorf("another user: got %v, want that there is no such task", err)
		}
		done, err := p.session(t, parley.Native{}, "ada").Resume(t.Context(), consenting(says(adaLogsIn)).Resumption(parley.Resumption{Snapshot: out.Snapshot}))
		if err != nil || !bytes.Contains(done.Result, []byte(provisioned)) {
			t.Errorf("got %s, %v, want %s", done.Result, err, provisioned)
		}
		if n := p.count("tasks/cancel"); n != 0 {
			t.Errorf("tasks/cancel: got %d, want none", n)
		}
	})
}

// TestTaskRefused has a callback refuse what a task asks: the call fails, and the
// task waits for whoever goes on with it.
func TestTaskRefused(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		p := provisions(t, stories.Options{Step: 5 * time.Millisecond})
		s := p.session(t, e, "")
		_, err := s.Call(t.Context(), consenting(func() ([]byte, error) { return nil, io.EOF }).Request("tools/call", []byte(provisionWeb), engine.Options{}))
		var failed *parley.Error
		if !errors.As(err, &failed) || failed.Code != fault.Refused || !failed.Resumable {
			t.Fatalf("got %v, want a refusal that can be resumed", err)
		}
		out, err := s.Resume(t.Context(), consenting(says(`{"action":"decline"}`)).Resumption(parley.Resumption{Snapshot: failed.Snapshot}))
		if want := "Nobody may log in yet."; err != nil || !bytes.Contains(out.Result, []byte(want)) {
			t.Errorf("got %s, %v, want %s", out.Result, err, want)
		}
	})
}

// TestTaskCanceledAtServer gives a call up while its task works: the server is
// told, and whoever goes on finds that it is cancelled.
func TestTaskCanceledAtServer(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		p := provisions(t, stories.Options{Step: time.Hour})
		s := p.session(t, e, "")
		ctx, cancel := context.WithCancel(t.Context())
		cb := consenting(says(adaLogsIn))
		cb.OnTask = func(engine.Task) { cancel() }
		_, err := s.Call(ctx, cb.Request("tools/call", []byte(provisionWeb), engine.Options{}))
		var failed *parley.Error
		if !errors.As(err, &failed) || failed.Code != fault.Canceled || !failed.Resumable {
			t.Fatalf("got %v, want a call that was canceled", err)
		}
		for limit := time.Now().Add(hosttest.Patience); p.count("tasks/cancel") == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatal("the server was not told")
			}
		}
		_, err = s.Resume(t.Context(), cb.Resumption(parley.Resumption{Snapshot: failed.Snapshot}))
		if !errors.As(err, &failed) || failed.Code != fault.Task || !strings.Contains(failed.Detail, "cancelled") {
			t.Errorf("afterwards: got %v, want that the task was cancelled", err)
		}
	})
}

// TestTaskUndeclared calls without Tasks: the server says what it needs.
func TestTaskUndeclared(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		s := provisions(t, stories.Options{}).session(t, e, "")
		cb := consenting(says(adaLogsIn))
		cb.Tasks = false
		_, err := s.Call(t.Context(), cb.Request("tools/call", []byte(provisionWeb), engine.Options{}))
		var failed *parley.Error
		if !errors.As(err, &failed) || failed.Code != fault.RPC || !bytes.Contains(failed.Response, []byte(`-32021`)) {
			t.Errorf("got %v, want the error -32021", err)
		}
	})
}
