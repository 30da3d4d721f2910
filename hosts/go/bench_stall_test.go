package parley_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// timed is an engine that notes its longest step, and counts slices.
type timed struct {
	parley.Engine
	longest, parts *atomic.Int64 // nanoseconds; slices
}

type timedCore struct {
	parley.SessionCore
	timed
}

func (t timed) NewSessionCore(opts session.Options) (parley.SessionCore, error) {
	core, err := t.Engine.NewSessionCore(opts)
	return timedCore{core, t}, err
}

func (c timedCore) Step(now int64, ev session.Event) ([]session.Action, error) {
	begun := time.Now()
	if _, ok := ev.(session.Part); ok {
		c.parts.Add(1)
	}
	defer func() {
		took := int64(time.Since(begun))
		for {
			longest := c.longest.Load()
			if took <= longest || c.longest.CompareAndSwap(longest, took) {
				return
			}
		}
	}()
	return c.SessionCore.Step(now, ev)
}

// BenchmarkStall is how long an answer, a cancel and a park of a call take beside
// eight sessions whose servers send 60 MiB of the worst bytes: the median and
// the worst of 200 each, and the longest step of any session meanwhile. Also
// while another goroutine collects garbage.
func BenchmarkStall(b *testing.B) {
	for _, name := range []string{"native", "wazero"} {
		for _, load := range []string{"idle", "hostile", "hostile and collected"} {
			b.Run(fmt.Sprintf("%s/%s", name, load), func(b *testing.B) { stall(b, name, load) })
		}
	}
}

// stalls is how often each is measured.
const stalls = 200

func stall(b *testing.B, name, load string) {
	var longest, parts atomic.Int64
	e := timed{benchEngine(b, name), &longest, &parts}
	ctx, stop := context.WithCancel(context.Background())
	var busy sync.WaitGroup
	if load != "idle" {
		for _, result := range worst(60 << 20) {
			body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":%s}`, result) // made once: making it is no session's
			s, err := parley.NewSession(e, parley.Requests(func(context.Context, parley.Outbound) ([]byte, error) { return body, nil }), parley.SessionOptions{})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			busy.Go(func() {
				for ctx.Err() == nil {
					s.Call(ctx, parley.Request{Method: "tools/call"})
				}
			})
		}
	}
	if load == "hostile and collected" {
		busy.Go(func() {
			for ctx.Err() == nil {
				runtime.GC()
			}
		})
	}
	defer busy.Wait()
	defer stop()
	for b.Loop() {
		waits := map[string][]time.Duration{}
		for range stalls {
			for at := parts.Load(); load != "idle" && parts.Load() < at+3; { // they are at it
				time.Sleep(time.Millisecond)
			}
			for how, wait := range waits1(b, e) {
				waits[how] = append(waits[how], wait)
			}
		}
		for how, all := range waits {
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, how+"-median-ms")
			b.ReportMetric(float64(all[len(all)-1].Microseconds())/1000, how+"-worst-ms")
		}
		b.ReportMetric(float64(longest.Load())/1e6, "step-worst-ms")
	}
}

// waits1 is how long each thing takes that a person may do at a question.
func waits1(b *testing.B, e parley.Engine) map[string]time.Duration {
	waits := map[string]time.Duration{}
	for _, how := range []string{"answer", "cancel", "park"} {
		asked, back := make(chan bool, 1), make(chan error, 1)
		var sent atomic.Int64
		transport := answers(func(r rpc) {
			if r.Params.InputResponses != nil {
				sent.Store(time.Now().UnixNano())
			}
		}, hosttest.ScriptedAnswer(1, 2), done)
		s := newSession(b, e, transport, parley.SessionOptions{Known: modern})
		ctx, cancel := context.WithCancel(context.Background())
		call := make(chan error, 1)
		go func() {
			_, err := s.Call(ctx, parley.Request{Method: "tools/call", Askers: &parley.Askers{Elicit: func(ctx context.Context, _ parley.Question) ([]byte, error) {
				asked <- true
				select {
				case err := <-back:
					return []byte(`{"action":"accept","content":{"name":"octocat"}}`), err
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}}})
			call <- err
		}()
		<-asked
		begun := time.Now()
		switch how {
		case "answer":
			back <- nil
		case "cancel":
			cancel()
		case "park":
			back <- parley.ErrPark
		}
		err := <-call
		waits[how] = time.Since(begun)
		if how == "answer" {
			waits[how] = time.Unix(0, sent.Load()).Sub(begun)
		}
		if how == "answer" && err != nil || how == "cancel" && !errors.Is(err, fault.Canceled) {
			b.Fatal(how, err)
		}
		cancel()
	}
	return waits
}
