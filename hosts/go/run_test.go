package parley_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// What the tests here and those in tests/gosdk have in common.
var (
	newRuntime, engines, pairs    = hosttest.NewRuntime, hosttest.Engines, hosttest.Pairs
	newSession, closeAll, tool    = hosttest.NewSession, hosttest.CloseAll, hosttest.Tool
	decline, fails                = hosttest.Decline, hosttest.Fails
	snapshotOf, wantErr, patience = hosttest.SnapshotOf, hosttest.WantErr, hosttest.Patience
	call                          = hosttest.Call
)

type testHost = hosttest.Host

// newRequests makes a session over a function.
func newRequests(t testing.TB, e parley.Engine, send parley.Requests, cb hosttest.Callbacks) *parley.Session {
	t.Helper()
	s, err := parley.NewSession(e, send, parley.SessionOptions{Askers: cb.Askers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { wantErr(t, "close", s.Close(), nil) })
	return s
}

// resume goes on with a call without labels.
func resume(ctx context.Context, e parley.Engine, snapshot []byte, expect engine.Expect, resend bool, h testHost) (parley.Outcome, error) {
	return hosttest.Resume(ctx, e, parley.Resumption{Snapshot: snapshot, Expect: expect, Resend: resend}, h)
}

// bubbles are the engines with a clock that goes on only while everybody waits.
func bubbles(t *testing.T, test func(*testing.T, parley.Engine)) {
	engines(t, func(t *testing.T, e parley.Engine) {
		synctest.Test(t, func(t *testing.T) { test(t, e) })
	})
}

// script answers legs with results, in order.
func script(results ...string) func(context.Context, parley.Outbound) ([]byte, error) {
	return func(_ context.Context, r parley.Outbound) ([]byte, error) {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, r.Leg, results[r.Leg-1]), nil
	}
}

const (
	done     = `{"resultType":"complete","content":[],"n":1.0}`
	oneAsk   = `{"resultType":"input_required","requestState":"secret-state","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}`
	threeAsk = `{"resultType":"input_required","inputRequests":{` +
		`"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}},` +
		`"b":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}},` +
		`"c":{"method":"roots/list"}}}`
)

func TestCallCompletes(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var kinds []string
		record := func(answer string) func(context.Context, parley.Question) ([]byte, error) {
			return func(_ context.Context, a parley.Question) ([]byte, error) {
				kinds = append(kinds, a.Key+" "+string(a.Kind))
				return []byte(answer), nil
			}
		}
		var retry string
		send := script(threeAsk, done)
		out, err := call(context.Background(), e, "tools/call", []byte(`{"name":"t"}`), engine.Options{}, testHost{
			Send: func(ctx context.Context, r parley.Outbound) ([]byte, error) {
				if r.Leg == 2 {
					retry = string(r.Params)
				}
				if want := `{"elicitation":{"form":{}},"roots":{},"sampling":{}}`; string(r.Capabilities) != want {
					t.Errorf("leg %d: capabilities %s, want %s", r.Leg, r.Capabilities, want)
				}
				return send(ctx, r)
			},
			Callbacks: hosttest.Callbacks{
				Askers: parley.Askers{
					Elicit:    record(`{"action":"decline"}`),
					Sample:    record(`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`),
					ListRoots: record(`{"roots":[]}`),
				},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if string(out.Result) != done {
			t.Errorf("result: got %s", out.Result)
		}
		if got, want := strings.Join(kinds, ", "), "a elicitation/create, b sampling/createMessage, c roots/list"; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		want := `{"name":"t","inputResponses":{"a":{"action":"decline"},"b":{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"},"c":{"roots":[]}}}`
		if retry != want {
			t.Errorf("retry: got %s\nwant %s", retry, want)
		}
	})
}

func TestFailures(t *testing.T) {
	errDown, errNo := errors.New("network down"), errors.New("no model")
	tests := map[string]struct {
		cb        testHost
		want      fault.Code
		cause     error
		resumable bool
	}{
		"transport fails": {
			testHost{Send: func(context.Context, parley.Outbound) ([]byte, error) { return nil, errDown }},
			fault.InDoubt, errDown, true},
		"transport panics": {
			testHost{Send: func(context.Context, parley.Outbound) ([]byte, error) { panic("boom") }},
			fault.InDoubt, nil, true},
		"callback refuses": {
			testHost{Send: script(oneAsk), Callbacks: hosttest.Callbacks{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { return nil, errNo }}}},
			fault.Refused, errNo, true},
		"callback panics": {
			testHost{Send: script(oneAsk), Callbacks: hosttest.Callbacks{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { panic("boom") }}}},
			fault.Refused, nil, true},
		"callback missing": {
			testHost{Send: script(oneAsk)},
			fault.Capability, nil, false},
		"callback answers nonsense": {
			testHost{Send: script(oneAsk), Callbacks: hosttest.Callbacks{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { return []byte("yes"), nil }}}},
			fault.Refused, nil, true},
		"server errs": {
			testHost{
				Send: func(context.Context, parley.Outbound) ([]byte, error) {
					return []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"oops"}}`), nil
				},
			},
			fault.RPC, nil, true},
		"server answers nonsense": {
			testHost{Send: script(`{"resultType":"input_required"}`)},
			fault.Malformed, nil, false},
	}
	engines(t, func(t *testing.T, e parley.Engine) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				_, err := call(context.Background(), e, "tools/call", nil, engine.Options{}, tt.cb)
				var failed *parley.Error
				if !errors.As(err, &failed) || !errors.Is(err, tt.want) {
					t.Fatalf("got %v, want %v", err, tt.want)
				}
				if tt.cause != nil && !errors.Is(err, tt.cause) {
					t.Errorf("cause: got %v, want %v", failed.Cause, tt.cause)
				}
				if failed.Resumable != tt.resumable {
					t.Errorf("resumable: got %v", failed.Resumable)
				}
				if (failed.Snapshot != nil) != tt.resumable {
					t.Errorf("snapshot: got %d bytes", len(failed.Snapshot))
				}
				if strings.Contains(err.Error(), "secret") {
					t.Errorf("the error tells the state: %v", err)
				}
			})
		}
	})
}

func TestServerErrorIsKept(t *testing.T) {
	const object = `{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}`
	first := script(oneAsk)
	_, err := call(context.Background(), parley.Native{}, "tools/call", nil, engine.Options{}, testHost{
		Send: func(ctx context.Context, r parley.Outbound) ([]byte, error) {
			if r.Leg == 1 {
				return first(ctx, r)
			}
			return []byte(`{"jsonrpc":"2.0","id":2,"error":` + object + `}`), nil
		},
		Callbacks: hosttest.Callbacks{
			Askers: parley.Askers{
				Elicit: decline,
			},
		},
	})
	var failed *parley.Error
	if !errors.As(err, &failed) || failed.Code != fault.State || string(failed.Response) != object {
		t.Errorf("got %v with %s", err, failed.Response)
	}
}

// A callback that ignores its context must not hold the caller.
func TestCancelReturnsAtOnce(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		for _, hang := range []string{"send", "elicit"} {
			t.Run(hang, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				ctx, cancel := context.WithCancelCause(context.Background())
				errClosed := errors.New("window closed")
				stuck := func() { cancel(errClosed); <-release }
				cb := testHost{Send: script(oneAsk), Callbacks: hosttest.Callbacks{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { stuck(); return parley.Decline(), nil }}}}
				if hang == "send" {
					cb.Send = func(context.Context, parley.Outbound) ([]byte, error) { stuck(); return nil, nil }
				}
				finished := make(chan error, 1)
				go func() {
					_, err := call(ctx, e, "tools/call", nil, engine.Options{}, cb)
					finished <- err
				}()
				select {
				case err := <-finished:
					if !errors.Is(err, fault.Canceled) || !errors.Is(err, errClosed) {
						t.Errorf("got %v", err)
					}
				case <-time.After(patience):
					t.Fatal("the call hangs with its callback")
				}
			})
		}
	})
}

func TestCallbackContextsEnd(t *testing.T) {
	asked, ended := make(chan string, 2), make(chan string, 2)
	watch := func(ctx context.Context, name string) {
		asked <- name
		<-ctx.Done()
		ended <- name
	}
	_, err := call(context.Background(), parley.Native{}, "tools/call", nil, engine.Options{AskConcurrency: -1}, testHost{
		Send: script(threeAsk),
		Callbacks: hosttest.Callbacks{
			Askers: parley.Askers{
				Elicit: func(ctx context.Context, _ parley.Question) ([]byte, error) {
					watch(ctx, "elicit")
					return nil, ctx.Err()
				},
				Sample: func(ctx context.Context, _ parley.Question) ([]byte, error) {
					watch(ctx, "sample")
					return nil, ctx.Err()
				},
				ListRoots: func(context.Context, parley.Question) ([]byte, error) {
					<-asked
					<-asked
					return nil, errors.New("no roots here")
				},
			},
		},
	})
	if !errors.Is(err, fault.Refused) {
		t.Fatalf("got %v", err)
	}
	for range 2 {
		select {
		case <-ended:
		case <-time.After(patience):
			t.Fatal("a withdrawn question's context did not end")
		}
	}
}

func TestStateOnlyRoundsWait(t *testing.T) {
	bubbles(t, func(t *testing.T, e parley.Engine) {
		const busy = `{"resultType":"input_required","requestState":"later"}`
		begun := time.Now()
		if _, err := call(context.Background(), e, "tools/call", nil, engine.Options{}, testHost{Send: script(busy, busy, done)}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took != 150*time.Millisecond {
			t.Errorf("two waits took %v, want 50 ms + 100 ms", took)
		}
	})
}

func TestLegTimeout(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		aborted := make(chan struct{})
		_, err := call(context.Background(), e, "tools/call", nil, engine.Options{LegTimeout: 20 * time.Millisecond}, testHost{
			Send: func(ctx context.Context, _ parley.Outbound) ([]byte, error) {
				<-ctx.Done()
				close(aborted)
				return nil, ctx.Err()
			},
		})
		if !errors.Is(err, fault.LegTimeout) {
			t.Errorf("got %v", err)
		}
		<-aborted
	})
}

func TestNotes(t *testing.T) {
	var notes []engine.Note
	_, err := call(context.Background(), parley.Native{}, "tools/call", nil, engine.Options{Audit: true}, testHost{
		Send: script(`{"content":[],"requestState":"x"}`),
		Callbacks: hosttest.Callbacks{
			Watchers: parley.Watchers{
				OnNote: func(n engine.Note) { notes = append(notes, n) },
			},
		},
	})
	var kinds []string
	for _, n := range notes {
		kinds = append(kinds, string(n.Kind))
	}
	if got, want := strings.Join(kinds, " "), "sent strayFields done"; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

// TestManyAtOnce shares one runtime among 64 goroutines; CI runs it with the
// race detector.
func TestManyAtOnce(t *testing.T) {
	rt := newRuntime(t, parley.RuntimeOptions{})
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for n := range 64 {
		wg.Go(func() {
			for i := range 20 {
				want := fmt.Sprintf(`{"id":"%d/%d"}`, n, i)
				out, err := call(context.Background(), rt, "tools/call", nil, engine.Options{}, testHost{
					Send: script(oneAsk, oneAsk, want),
					Callbacks: hosttest.Callbacks{
						Askers: parley.Askers{
							Elicit: decline,
						},
					},
				})
				if err != nil || string(out.Result) != want {
					t.Errorf("got %s, %v; want %s", out.Result, err, want)
				}
			}
		})
	}
	wg.Wait()
	if n := rt.Live(); n != 0 {
		t.Errorf("%d sessions and calls are still live", n)
	}
	hosttest.BackTo(t, before)
}
