package parley_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// record is a host that notes, in order, what was sent, asked and saved.
type record struct {
	mu  sync.Mutex
	log []string
}

func (r *record) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

func (r *record) want(t *testing.T, what, want string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if got := strings.Join(r.log, ", "); got != want {
		t.Errorf("%s: got %s\nwant %s", what, got, want)
	}
}

const (
	someModel = `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`
	someRoots = `{"roots":[]}`
)

// callbacks answer everything and note it.
func (r *record) callbacks(send func(context.Context, parley.Outbound) ([]byte, error)) testHost {
	answer := func(raw string) func(context.Context, parley.Question) ([]byte, error) {
		return func(_ context.Context, q parley.Question) ([]byte, error) {
			r.add("ask %s", q.Key)
			return []byte(raw), nil
		}
	}
	return testHost{
		Send: func(ctx context.Context, req parley.Outbound) ([]byte, error) {
			r.add("send %d", req.Leg)
			return send(ctx, req)
		},
		Callbacks: hosttest.Callbacks{
			Askers: parley.Askers{
				Elicit:    answer(`{"action":"decline"}`),
				Sample:    answer(someModel),
				ListRoots: answer(someRoots),
			},
		},
	}
}

var errStop = errors.New("stop here")

// Whatever stops a call between its questions, what was answered is not asked
// again, and the retry carries all the answers.
func TestStoppedAndResumed(t *testing.T) {
	const retry = `{"name":"t","inputResponses":{"a":{"action":"decline"},"b":` + someModel + `,"c":` + someRoots + `}}`
	release := make(chan struct{})
	defer close(release)
	tests := map[string]struct {
		stop func(cancel context.CancelFunc) func(context.Context, parley.Question) ([]byte, error)
		want error // nil if the call parks
	}{
		"parked": {func(context.CancelFunc) func(context.Context, parley.Question) ([]byte, error) {
			return fails(parley.ErrPark)
		}, nil},
		"parked wrapped": {func(context.CancelFunc) func(context.Context, parley.Question) ([]byte, error) {
			return fails(fmt.Errorf("later: %w", parley.ErrPark))
		}, nil},
		"refused": {func(context.CancelFunc) func(context.Context, parley.Question) ([]byte, error) { return fails(errStop) }, fault.Refused},
		"panicked": {func(context.CancelFunc) func(context.Context, parley.Question) ([]byte, error) {
			return func(context.Context, parley.Question) ([]byte, error) { panic("boom") }
		}, fault.Refused},
		"canceled": {func(cancel context.CancelFunc) func(context.Context, parley.Question) ([]byte, error) {
			return func(ctx context.Context, _ parley.Question) ([]byte, error) {
				cancel()
				<-release // it ignores its context
				return nil, ctx.Err()
			}
		}, fault.Canceled},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			pairs(t, func(t *testing.T, from, to parley.Engine) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				var first, second record
				cb := first.callbacks(script(threeAsk))
				cb.Sample = tt.stop(cancel)
				out, err := call(ctx, from, "tools/call", []byte(`{"name":"t"}`), engine.Options{ID: "call-1"}, cb)
				snapshot := out.Snapshot
				if tt.want != nil {
					snapshot = snapshotOf(t, err, tt.want)
				} else if err != nil || !out.Parked || snapshot == nil || out.Result != nil {
					t.Fatalf("got %+v, %v, want it parked", out, err)
				}
				first.want(t, "before", "send 1, ask a")

				cb = second.callbacks(func(ctx context.Context, r parley.Outbound) ([]byte, error) {
					if r.Leg != 2 || r.Method != "tools/call" || string(r.Params) != retry {
						t.Errorf("leg %d: got %s %s\nwant %s", r.Leg, r.Method, r.Params, retry)
					}
					if want := `{"elicitation":{"form":{}},"roots":{},"sampling":{}}`; string(r.Capabilities) != want {
						t.Errorf("capabilities: got %s, want %s", r.Capabilities, want)
					}
					return script("", done)(ctx, r)
				})
				out, err = resume(context.Background(), to, snapshot, engine.Expect{}, false, cb)
				if err != nil || string(out.Result) != done || out.Parked {
					t.Errorf("resumed: got %+v, %v", out, err)
				}
				second.want(t, "after", "ask b, ask c, send 2")
			})
		})
	}
}

// A call may stop as often as it likes.
func TestStoppedAtEveryQuestion(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		var r record
		cb := r.callbacks(script(threeAsk, done))
		park := cb
		for _, f := range []*func(context.Context, parley.Question) ([]byte, error){&park.Elicit, &park.Sample, &park.ListRoots} {
			*f = fails(parley.ErrPark)
		}
		out, err := call(context.Background(), from, "tools/call", nil, engine.Options{}, park)
		for i := 0; err == nil && out.Parked && i < 3; i++ {
			from, to = to, from
			one := park // answers a, then b, then c, and parks at what follows
			switch i {
			case 0:
				one.Elicit = cb.Elicit
			case 1:
				one.Sample = cb.Sample
			case 2:
				one.ListRoots = cb.ListRoots
			}
			out, err = resume(context.Background(), from, out.Snapshot, engine.Expect{}, false, one)
		}
		if err != nil || string(out.Result) != done {
			t.Errorf("got %+v, %v", out, err)
		}
		r.want(t, "the call", "send 1, ask a, ask b, ask c, send 2")
	})
}

// Prompts and resources are read again when the connection is lost, up to a
// bound, and once more when the call is resumed.
func TestLostAndResumed(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		errDown := errors.New("network down")
		var r record
		up := false
		cb := r.callbacks(func(ctx context.Context, req parley.Outbound) ([]byte, error) {
			if req.Leg > 1 && !up {
				return nil, errDown
			}
			result := oneAsk
			if up {
				result = done
			}
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":%s}`, result), nil
		})
		_, err := call(context.Background(), from, "prompts/get", nil, engine.Options{}, cb)
		snapshot := snapshotOf(t, err, fault.Lost)
		wantErr(t, "cause", err, errDown)
		up = true
		out, err := resume(context.Background(), to, snapshot, engine.Expect{}, false, cb)
		if err != nil || string(out.Result) != done {
			t.Errorf("resumed: got %+v, %v", out, err)
		}
		r.want(t, "the call", "send 1, ask who, send 2, send 3, send 4, send 5")
	})
}

// A tool may have done its work when the connection broke: only a person's
// word calls it again.
func TestInDoubt(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		var r record
		cb := r.callbacks(func(ctx context.Context, req parley.Outbound) ([]byte, error) {
			if req.Leg == 2 {
				return nil, errStop
			}
			return script(oneAsk, "", done)(ctx, req)
		})
		_, err := call(context.Background(), from, "tools/call", nil, engine.Options{}, cb)
		snapshot := snapshotOf(t, err, fault.InDoubt)
		for range 2 { // however often it is tried
			_, err = resume(context.Background(), to, snapshot, engine.Expect{}, false, cb)
			snapshot = snapshotOf(t, err, fault.InDoubt)
		}
		r.want(t, "without resend", "send 1, ask who, send 2")
		info, err := engine.SnapshotInfo(snapshot)
		if err != nil || !info.InDoubt || info.Questions != 0 {
			t.Errorf("info: got %+v, %v", info, err)
		}
		out, err := resume(context.Background(), to, snapshot, engine.Expect{}, true, cb)
		if err != nil || string(out.Result) != done {
			t.Errorf("with resend: got %+v, %v", out, err)
		}
		r.want(t, "with resend", "send 1, ask who, send 2, send 3")
	})
}

func TestResumeRefusesBeforeSending(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		var r record
		cb := r.callbacks(script(threeAsk, done))
		park := cb
		park.ListRoots = fails(parley.ErrPark)
		out, err := call(context.Background(), from, "tools/call", nil, engine.Options{Peer: "shop", Principal: "ann"}, park)
		if err != nil || !out.Parked {
			t.Fatalf("got %+v, %v", out, err)
		}
		r.log = nil
		ours := engine.Expect{Peer: "shop", Principal: "ann"}
		damaged := bytes.Replace(out.Snapshot, []byte("shop"), []byte("shoq"), 1)
		without := func(remove func(*testHost)) testHost {
			less := cb
			remove(&less)
			return less
		}
		tests := map[string]struct {
			snapshot []byte
			expect   engine.Expect
			cb       testHost
			want     error
			words    string
		}{
			"another peer":      {out.Snapshot, engine.Expect{Peer: "bank", Principal: "ann"}, cb, fault.Peer, ""},
			"another principal": {out.Snapshot, engine.Expect{Peer: "shop", Principal: "bob"}, cb, fault.Peer, ""},
			"no labels":         {out.Snapshot, engine.Expect{}, cb, fault.Peer, ""},
			"damaged":           {damaged, engine.Expect{Peer: "shoq", Principal: "ann"}, cb, fault.Snapshot, ""},
			"empty":             {nil, ours, cb, fault.Snapshot, ""},
			"too long":          {out.Snapshot, engine.Expect{Peer: "shop", Principal: "ann", Size: 10}, cb, fault.Snapshot, ""},
			"without Elicit":    {out.Snapshot, ours, without(func(c *testHost) { c.Elicit = nil }), fault.Options, "a form"},
			"without Sample":    {out.Snapshot, ours, without(func(c *testHost) { c.Sample = nil }), fault.Options, "sampling"},
			"without ListRoots": {out.Snapshot, ours, without(func(c *testHost) { c.ListRoots = nil }), fault.Options, "roots"},
		}
		for name, tt := range tests {
			got, err := resume(context.Background(), to, tt.snapshot, tt.expect, true, tt.cb)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("%s: got %+v, %v; want %v", name, got, err, tt.want)
			}
		}
		r.want(t, "refused", "")
		if got, err := resume(context.Background(), to, out.Snapshot, ours, false, cb); err != nil || string(got.Result) != done {
			t.Errorf("as it should be: got %+v, %v", got, err)
		}
		r.want(t, "as it should be", "ask c, send 2")
	})
}

// Save comes before a leg goes out, when questions open and after each answer;
// from each of those snapshots the call can go on.
func TestSave(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		var r record
		var saved [][]byte
		cb := r.callbacks(script(threeAsk, done))
		cb.Save = func(_ context.Context, snapshot []byte) error {
			r.add("save")
			saved = append(saved, bytes.Clone(snapshot))
			return nil
		}
		out, err := call(context.Background(), from, "tools/call", nil, engine.Options{}, cb)
		if err != nil || string(out.Result) != done {
			t.Fatalf("got %+v, %v", out, err)
		}
		r.want(t, "the call", "save, send 1, save, ask a, save, ask b, save, ask c, save, send 2")
		want := []string{ // of a call that is killed right after each
			"in doubt", "ask a, ask b, ask c, send 2", "ask b, ask c, send 2", "ask c, send 2", "in doubt",
		}
		resend := []string{"send 2", "", "", "", "send 3"}
		for i, snapshot := range saved {
			var r record
			cb := r.callbacks(func(context.Context, parley.Outbound) ([]byte, error) {
				return []byte(`{"jsonrpc":"2.0","id":1,"result":` + done + `}`), nil
			})
			out, err := resume(context.Background(), to, snapshot, engine.Expect{}, false, cb)
			if want[i] == "in doubt" {
				r.want(t, "in doubt", "")
				snapshotOf(t, err, fault.InDoubt)
				out, err = resume(context.Background(), to, snapshot, engine.Expect{}, true, cb)
				want[i] = resend[i]
			}
			if err != nil || string(out.Result) != done {
				t.Errorf("from save %d: got %+v, %v", i+1, out, err)
			}
			r.want(t, fmt.Sprint("from save ", i+1), want[i])
		}
	})
}

// A call that cannot be saved ends with nothing lost, and nothing in doubt: the
// leg it was about to send was not sent.
func TestSaveFails(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		for failing, want := range []string{"", "send 1", "send 1, ask a"} {
			var r record
			saves := 0
			cb := r.callbacks(script(threeAsk, done))
			cb.Save = func(context.Context, []byte) error {
				if saves++; saves <= failing {
					return nil
				}
				return errStop
			}
			_, err := call(context.Background(), from, "tools/call", nil, engine.Options{}, cb)
			snapshot := snapshotOf(t, err, errStop)
			r.want(t, "before", want)
			r.log = nil
			cb.Save = nil
			out, err := resume(context.Background(), to, snapshot, engine.Expect{}, false, cb)
			if err != nil || string(out.Result) != done {
				t.Errorf("resumed: got %+v, %v", out, err)
			}
			r.want(t, "after", []string{"send 1, ask a, ask b, ask c, send 2", "ask a, ask b, ask c, send 2", "ask b, ask c, send 2"}[failing])
		}
	})
}

func TestProblem(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var r record
		var problems []string
		cb := r.callbacks(script(oneAsk, done))
		cb.Elicit = func(ctx context.Context, q parley.Question) ([]byte, error) {
			problems = append(problems, q.Problem.String())
			if ctx.Err() != nil || q.Key != "who" || q.Params == nil {
				t.Errorf("asked again: got %+v, %v", q, ctx.Err())
			}
			return []byte([]string{`{"action":"accept","content":{"n":"seven"}}`, `nonsense`, `{"action":"accept","content":{"n":7}}`}[len(problems)-1]), nil
		}
		saves := 0
		cb.Save = func(context.Context, []byte) error { saves++; return nil }
		out, err := call(context.Background(), e, "tools/call", nil, engine.Options{}, cb)
		if err != nil || string(out.Result) != done {
			t.Fatalf("got %+v, %v", out, err)
		}
		if len(problems) != 3 || problems[0] != "" || !strings.Contains(problems[1], "n") || problems[2] == "" || problems[1] == problems[2] {
			t.Errorf("problems: got %q", problems)
		}
		if saves != 3 { // two legs and one question; bad answers save nothing
			t.Errorf("saves: got %d, want 3", saves)
		}
	})
}

func TestProblemsEnd(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		asked := 0
		cb := testHost{
			Send: script(oneAsk, done),
			Callbacks: hosttest.Callbacks{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
				asked++
				return []byte(`{"action":"accept","content":{"n":"seven"}}`), nil
			}}},
		}
		_, err := call(context.Background(), from, "tools/call", nil, engine.Options{}, cb)
		snapshot := snapshotOf(t, err, fault.Refused)
		if !strings.Contains(err.Error(), `"n" must be a whole number`) {
			t.Errorf("got %v, which does not say what was wrong with the answers", err)
		}
		if asked != 20 {
			t.Errorf("asked %d times, want 20", asked)
		}
		cb.Elicit = decline
		if out, err := resume(context.Background(), to, snapshot, engine.Expect{}, false, cb); err != nil || string(out.Result) != done {
			t.Errorf("resumed: got %+v, %v", out, err)
		}
	})
}

// While the server reports progress, a leg may take longer than LegTimeout.
func TestProgress(t *testing.T) {
	bubbles(t, func(t *testing.T, e parley.Engine) {
		const timeout = 200 * time.Millisecond
		send := func(reports int) func(context.Context, parley.Outbound) ([]byte, error) {
			return func(ctx context.Context, r parley.Outbound) ([]byte, error) {
				for i := range 6 { // 1.5 timeouts altogether
					select {
					case <-ctx.Done():
						return nil, ctx.Err()
					case <-time.After(timeout / 4):
					}
					if i < reports {
						r.Progress(fmt.Appendf(nil, `{"progress":%d}`, i))
					}
				}
				return script(done)(ctx, r)
			}
		}
		var got []string
		cb := testHost{
			Send: send(6),
			Callbacks: hosttest.Callbacks{Watchers: parley.Watchers{OnProgress: func(leg int, params []byte) {
				got = append(got, fmt.Sprint(leg, string(params)))
			}}},
		}
		out, err := call(context.Background(), e, "tools/call", nil, engine.Options{LegTimeout: timeout}, cb)
		if err != nil || string(out.Result) != done {
			t.Errorf("with progress: got %+v, %v", out, err)
		}
		if want := `1{"progress":0} 1{"progress":1} 1{"progress":2} 1{"progress":3} 1{"progress":4} 1{"progress":5}`; strings.Join(got, " ") != want {
			t.Errorf("progress: got %v", got)
		}
		cb.Send = send(0)
		_, err = call(context.Background(), e, "tools/call", nil, engine.Options{LegTimeout: timeout}, cb)
		wantErr(t, "without progress", err, fault.LegTimeout)
		cb.Send, cb.OnProgress = send(6), nil
		_, err = call(context.Background(), e, "tools/call", nil, engine.Options{LegTimeout: timeout, LegMax: timeout}, cb)
		wantErr(t, "longer than LegMax", err, fault.LegTimeout)
	})
}

// A callback that hangs and ignores its context harms nobody else: the others
// learn that the call ended, what they answered is kept, and what the one says
// later goes nowhere.
func TestHangingCallback(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		ctx, cancel := context.WithCancel(context.Background())
		release, returned, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
		var open sync.WaitGroup
		open.Add(2)
		cb := testHost{
			Send: script(threeAsk),
			Callbacks: hosttest.Callbacks{
				Askers: parley.Askers{
					Elicit: func(context.Context, parley.Question) ([]byte, error) {
						open.Done()
						<-release
						defer close(returned)
						return []byte(`{"action":"cancel"}`), nil
					},
					Sample: func(ctx context.Context, _ parley.Question) ([]byte, error) {
						open.Done()
						<-ctx.Done()
						close(ended)
						<-release
						return nil, ctx.Err()
					},
					ListRoots: func(context.Context, parley.Question) ([]byte, error) { return []byte(someRoots), nil },
				},
			},
		}
		answered := false
		cb.Save = func(_ context.Context, snapshot []byte) error {
			if bytes.Contains(snapshot, []byte(someRoots)) && !answered {
				answered = true
				go func() { open.Wait(); cancel() }()
			}
			return nil
		}
		_, err := call(ctx, from, "tools/call", nil, engine.Options{AskConcurrency: -1}, cb)
		snapshot := snapshotOf(t, err, fault.Canceled)
		wantErr(t, "cause", err, context.Canceled)
		<-ended
		close(release)
		<-returned

		var r record
		var retry string
		out, err := resume(context.Background(), to, snapshot, engine.Expect{}, false, r.callbacks(func(ctx context.Context, req parley.Outbound) ([]byte, error) {
			retry = string(req.Params)
			return script("", done)(ctx, req)
		}))
		if err != nil || string(out.Result) != done {
			t.Errorf("resumed: got %+v, %v", out, err)
		}
		slices.Sort(r.log) // the two that were open are asked at once
		r.want(t, "resumed", "ask a, ask b, send 2")
		var params struct {
			InputResponses map[string]json.RawMessage
		}
		if err := json.Unmarshal([]byte(retry), &params); err != nil || string(params.InputResponses["a"]) != `{"action":"decline"}` {
			t.Errorf("retry: got %s, %v", retry, err)
		}
	})
}

// If the caller has given up before a parked call is resumed, the call stays as it was.
func TestResumeGivenUp(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		s := newSession(t, e, &fake{kind: session.HTTP, perform: lean}, parley.SessionOptions{})
		parks := &parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark }}
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Askers: parks})
		if err != nil || !out.Parked {
			t.Fatalf("got %+v (%v), want it parked", out, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = s.Resume(ctx, parley.Resumption{Snapshot: out.Snapshot, Askers: parks})
		again, err := s.Resume(t.Context(), parley.Resumption{Snapshot: snapshotOf(t, err, fault.Canceled), Askers: parks})
		if err != nil || !again.Parked {
			t.Errorf("got %+v (%v), want it parked again", again, err)
		}
		closeAll(t, s)
	})
}
