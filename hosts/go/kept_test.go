package parley_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/store"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Two hosts share a store: one is stopped, the other goes on where it was.
func TestStoreHoldsCalls(t *testing.T) {
	pairs(t, func(t *testing.T, from, to parley.Engine) {
		ctx := t.Context()
		calls := &store.Files{Dir: filepath.Join(t.TempDir(), "calls"), Unsealed: true}
		var r record
		cb := r.callbacks(script(threeAsk, done))
		id := store.NewID()
		lease, err := calls.Create(ctx, id)
		must(t, err)
		saving := cb
		saving.Save = store.Saver(lease, store.About{Label: "x"})
		saving.Sample = fails(parley.ErrPark)
		out, err := call(ctx, from, "tools/call", nil, engine.Options{ID: id}, saving)
		if err != nil || !out.Parked {
			t.Fatalf("got %+v, %v", out, err)
		}
		must(t, parley.Settle(ctx, lease, out, err))

		var listed []string
		for call, err := range calls.List(ctx, store.Query{}) {
			must(t, err)
			listed = append(listed, call.ID)
		}
		if len(listed) != 1 || listed[0] != id {
			t.Fatalf("list: got %v", listed)
		}
		lease, snapshot, err := calls.Take(ctx, id)
		must(t, err)
		cb.Save = store.Saver(lease, store.About{})
		out, err = resume(ctx, to, snapshot, engine.Expect{}, false, cb)
		if err != nil || string(out.Result) != done {
			t.Fatalf("resumed: got %+v, %v", out, err)
		}
		must(t, parley.Settle(ctx, lease, out, err))
		_, _, err = calls.Take(ctx, id)
		wantErr(t, "the store", err, store.ErrNotFound)
		r.want(t, "the call", "send 1, ask a, ask b, ask c, send 2")
	})
}

// A call whose lease was lost stops before it sends anything more.
func TestStoreLostLeaseStopsTheCall(t *testing.T) {
	var r record
	lease := &fakeLease{}
	cb := r.callbacks(script(oneAsk, done))
	cb.Save = store.Saver(lease, store.About{})
	cb.Elicit = func(context.Context, parley.Question) ([]byte, error) {
		lease.fail(store.ErrTaken)
		return parley.Decline(), nil
	}
	_, err := call(t.Context(), parley.Native{}, "tools/call", nil, engine.Options{}, cb)
	wantErr(t, "the call", err, store.ErrTaken)
	r.want(t, "the call", "send 1")
}

// A call beyond its principal's quota ends before anything is sent, with nothing
// kept.
func TestStoreQuota(t *testing.T) {
	var r record
	memory := &store.Memory{}
	calls := &store.Quota{Store: memory, Calls: 1}
	for _, id := range []string{"a", "b"} {
		lease, err := calls.Create(t.Context(), id)
		must(t, err)
		cb := r.callbacks(script(oneAsk, done))
		cb.Save = store.Saver(lease, store.About{Principal: "ann"})
		cb.Elicit = func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark }
		out, err := call(t.Context(), parley.Native{}, "tools/call", nil, engine.Options{}, cb)
		if id == "a" {
			must(t, errors.Join(err, parley.Settle(t.Context(), lease, out, err)))
			continue
		}
		wantErr(t, "the call", err, store.ErrQuota)
		wantErr(t, "its end", parley.Settle(t.Context(), lease, out, err), store.ErrQuota)
		_, err = memory.Create(t.Context(), id)
		wantErr(t, "its id", err, nil)
	}
	r.want(t, "the calls", "send 1")
}

// What becomes of a call decides what becomes of it in the store.
func TestSettle(t *testing.T) {
	for name, tt := range map[string]struct {
		out  parley.Outcome
		err  error
		want string
	}{
		"done":                 {parley.Outcome{Result: []byte(`{}`)}, nil, "done"},
		"parked":               {parley.Outcome{Parked: true, Snapshot: []byte("s")}, nil, "save s, release"},
		"parked, typed":        {parley.Outcome{}, &parley.Error{Resumable: true, Snapshot: []byte("s"), Cause: parley.ErrPark}, "save s, release"},
		"failed, goes on":      {parley.Outcome{}, &parley.Error{Code: fault.Lost, Resumable: true, Snapshot: []byte("s")}, "save s, release"},
		"failed for good":      {parley.Outcome{}, &parley.Error{Code: fault.Malformed}, "done"},
		"no snapshot was made": {parley.Outcome{}, &parley.Error{Code: fault.Lost}, "release"},
		"did not begin":        {parley.Outcome{}, &engine.Error{Code: fault.Peer}, "release"},
		"the engine is gone":   {parley.Outcome{}, parley.ErrInstance, "release"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // which is no reason to leave a call taken
			lease := &fakeLease{}
			must(t, parley.Settle(ctx, lease, tt.out, tt.err))
			lease.want(t, tt.want)
		})
	}
	full := errors.New("disk full")
	lease := &fakeLease{}
	lease.fail(full)
	wantErr(t, "a store that fails", parley.Settle(t.Context(), lease, parley.Outcome{}, nil), full)
}

// A lease is renewed three times in its term; what fails is tried again until the
// term is over, and a lease that is lost ends the context at once.
func TestKeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lease := &fakeLease{}
		ctx, stop := parley.Keep(t.Context(), lease)
		time.Sleep(lease.Term()*2 + time.Second)
		if lease.renewals() != 6 || ctx.Err() != nil {
			t.Errorf("%d renewals, %v", lease.renewals(), ctx.Err())
		}
		full := errors.New("disk full")
		lease.fail(full)
		time.Sleep(lease.Term() / 2)
		lease.fail(nil)
		time.Sleep(lease.Term() * 2)
		if ctx.Err() != nil {
			t.Errorf("a renewal that failed once ended it: %v", context.Cause(ctx))
		}
		before := lease.renewals()
		lease.fail(full)
		begun := time.Now()
		<-ctx.Done()
		wantErr(t, "a store that stays full", context.Cause(ctx), full)
		if took := time.Since(begun); took > lease.Term() {
			t.Errorf("the context ended %v after the last renewal", took)
		}
		if tries := lease.renewals() - before; tries < 10 {
			t.Errorf("it was tried %d times", tries)
		}
		stop()

		lease = &fakeLease{}
		ctx, stop = parley.Keep(t.Context(), lease)
		lease.fail(store.ErrTaken)
		time.Sleep(lease.Term() / 2)
		wantErr(t, "a lost lease", context.Cause(ctx), store.ErrTaken)
		stop()

		lease = &fakeLease{}
		ctx, stop = parley.Keep(t.Context(), lease)
		stop()
		time.Sleep(lease.Term() * 2)
		if lease.renewals() != 0 || ctx.Err() == nil {
			t.Errorf("stopped: %d renewals, %v", lease.renewals(), ctx.Err())
		}
	})
}

// fakeLease notes what is done with it.
type fakeLease struct {
	mu     sync.Mutex
	err    error
	log    record
	renews int
}

func (l *fakeLease) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

func (l *fakeLease) renewals() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.renews
}

func (l *fakeLease) want(t *testing.T, want string) { l.log.want(t, "the lease", want) }

func (l *fakeLease) do(ctx context.Context, what string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log.add("%s", what)
	return l.err
}

func (l *fakeLease) Term() time.Duration { return 30 * time.Second }

func (l *fakeLease) Renew(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renews++
	return l.err
}

func (l *fakeLease) Save(ctx context.Context, snapshot []byte, _ store.About) error {
	return l.do(ctx, "save "+string(snapshot))
}

func (l *fakeLease) Done(ctx context.Context) error    { return l.do(ctx, "done") }
func (l *fakeLease) Release(ctx context.Context) error { return l.do(ctx, "release") }
