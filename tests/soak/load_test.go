package soak_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

const (
	loadCalls   = 10_000
	maxInstance = 64 << 20 // bytes of an instance with so many calls
)

// Ten thousand calls at once over one session: every one asks twice, and no
// callback returns before all of them are called. Each gets the result that is
// its own, and nothing is left behind.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	engines(t, func(t *testing.T, e parley.Engine) {
		goroutines := runtime.NumGoroutine()
		s, err := parley.NewSession(e, parley.InProcess(linePeer), parley.SessionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		loadOnce(t, s, 0) // what is made once is made
		rt, inModule := e.(*parley.Runtime)
		// An instance keeps its memory, which doubles when it is full: how full it
		// gets is another matter every time.
		outside := func() int {
			if !inModule {
				return heap()
			}
			return heap() - rt.Memory()
		}
		before := outside()

		first := load(t, s)
		left := outside() - before
		second := load(t, s)
		leftAgain := outside() - before
		t.Logf("%d calls: %.2f s, %.0f us a call; heap and stacks: %.1f MiB at most, %.1f KiB a call, of which a call that waits holds %.1f KiB",
			loadCalls, first.took.Seconds(), float64(first.took.Microseconds())/loadCalls,
			mib(first.most), float64(first.most)/loadCalls/1024, float64(first.waiting-before)/loadCalls/1024)
		if inModule {
			t.Logf("the instance: %.1f MiB, %.1f KiB a call", mib(rt.Memory()), float64(rt.Memory())/loadCalls/1024)
			if rt.Live() != 1 {
				t.Errorf("%d flows, sessions and calls are live, want the session only", rt.Live())
			}
			if rt.Memory() > maxInstance {
				t.Errorf("the instance holds %d bytes, want %d at most", rt.Memory(), maxInstance)
			}
		}
		t.Logf("again: %.2f s; held after both: %.2f MiB and %.2f MiB", second.took.Seconds(), mib(left), mib(leftAgain))
		// What stays the first time is the runtime's: it keeps what it knows of
		// goroutines for those to come.
		allowed := left + 1<<20
		if inModule {
			allowed += 1 << 20 // a memory that has doubled has room to spare
		}
		if leftAgain > allowed {
			t.Errorf("%d bytes are held after %d calls, %d after twice as many", left, loadCalls, leftAgain)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		hosttest.BackTo(t, goroutines)
	})
}

// engines runs a test with both makes of the engine.
func engines(t *testing.T, test func(*testing.T, parley.Engine)) {
	t.Run("native", func(t *testing.T) { test(t, parley.Native{}) })
	t.Run("wasm", func(t *testing.T) { test(t, newRuntime(t)) })
}

func newRuntime(t *testing.T) *parley.Runtime {
	rt, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt
}

// loaded is what one load cost, in bytes.
type loaded struct {
	took          time.Duration
	most, waiting int // heap and stacks at most; heap while every call waits
}

// load makes all calls at once.
func load(t *testing.T, s *parley.Session) (l loaded) {
	stop := peak()
	begun := time.Now()
	var looking time.Duration
	rounds := [2]*gathering{newGathering(loadCalls, nil), newGathering(loadCalls, func() {
		at := time.Now()
		l.waiting = heap()
		looking = time.Since(at)
	})}
	var calls sync.WaitGroup
	for n := range loadCalls {
		calls.Go(func() { loadOnce(t, s, n, rounds[:]...) })
	}
	calls.Wait()
	l.took = time.Since(begun) - looking
	l.most = stop()
	return l
}

func loadOnce(t *testing.T, s *parley.Session, n int, rounds ...*gathering) {
	said := func(round int) string { return fmt.Sprintf("call %d answers %d", n, round) }
	elicit := func(_ context.Context, q parley.Question) ([]byte, error) {
		var params struct{ Message string }
		json.Unmarshal(q.Params, &params)
		if want := fmt.Sprintf("call %d round %d", n, q.Round); params.Message != want {
			t.Errorf("asked %q, want %q", params.Message, want)
		}
		if rounds != nil {
			rounds[q.Round-1].wait()
		}
		return parley.Accept(map[string]string{"said": said(q.Round)})
	}
	params := fmt.Appendf(nil, `{"name":"interview","arguments":{"n":%d}}`, n)
	out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: params, Options: engine.Options{LegTimeout: 10 * hosttest.Patience}, Askers: &parley.Askers{Elicit: elicit}})
	var result struct{ Content []struct{ Text string } }
	json.Unmarshal(out.Result, &result)
	if want := fmt.Sprintf("%d: %s, %s", n, said(1), said(2)); err != nil || len(result.Content) != 1 || result.Content[0].Text != want {
		t.Errorf("call %d: got %s, %v", n, out.Result, err)
	}
}

// gathering holds everybody until all are there.
type gathering struct {
	mu      sync.Mutex
	missing int
	last    func() // what the last one does before all go on
	all     chan struct{}
}

func newGathering(n int, last func()) *gathering {
	return &gathering{missing: n, last: last, all: make(chan struct{})}
}

func (g *gathering) wait() {
	g.mu.Lock()
	g.missing--
	isLast := g.missing == 0
	g.mu.Unlock()
	if isLast {
		if g.last != nil {
			g.last()
		}
		close(g.all)
	}
	<-g.all
}
