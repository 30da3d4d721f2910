package parley_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

const (
	taskMade    = `{"resultType":"task","taskId":"t-1","status":"working","ttlMs":60000,"pollIntervalMs":100}`
	taskWorking = `{"resultType":"complete","taskId":"t-1","status":"working","statusMessage":"Halfway","pollIntervalMs":100}`
	taskDone    = `{"resultType":"complete","taskId":"t-1","status":"completed","result":` + done + `}`
)

func TestTask(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var stages, methods []string
		answer := script(taskMade, taskWorking, taskDone)
		out, err := call(context.Background(), e, "tools/call", []byte(`{"name":"t"}`), engine.Options{}, testHost{
			Send: func(ctx context.Context, r parley.Outbound) ([]byte, error) {
				methods = append(methods, r.Method)
				if want := `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`; string(r.Capabilities) != want {
					t.Errorf("leg %d: capabilities %s, want %s", r.Leg, r.Capabilities, want)
				}
				return answer(ctx, r)
			},
			Callbacks: hosttest.Callbacks{
				Askers: parley.Askers{
					Tasks: true,
				},
				Watchers: parley.Watchers{
					OnTask: func(s engine.Task) { stages = append(stages, s.Status+" "+s.Message) },
				},
			},
		})
		if err != nil || string(out.Result) != done {
			t.Errorf("got %s, %v", out.Result, err)
		}
		if want := []string{"tools/call", "tasks/get", "tasks/get"}; !slices.Equal(methods, want) {
			t.Errorf("sent %q, want %q", methods, want)
		}
		if want := []string{"working ", "working Halfway", "completed "}; !slices.Equal(stages, want) {
			t.Errorf("stages %q, want %q", stages, want)
		}
	})
}

// A task whose caller gives up is canceled at the server, although the caller's
// context has ended.
func TestTaskCanceled(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		ctx, cancel := context.WithCancel(context.Background())
		told := make(chan parley.Outbound, 1)
		_, err := call(ctx, e, "tools/call", []byte(`{"name":"t"}`), engine.Options{}, testHost{
			Send: func(ctx context.Context, r parley.Outbound) ([]byte, error) {
				if r.Leg == 0 {
					if ctx.Err() != nil {
						t.Error("the context of tasks/cancel has ended before it was sent")
					}
					told <- r
					panic("nobody minds")
				}
				return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, r.Leg, taskMade), nil
			},
			Callbacks: hosttest.Callbacks{
				Askers: parley.Askers{
					Tasks: true,
				},
				Watchers: parley.Watchers{
					OnTask: func(engine.Task) { cancel() },
				},
			},
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want a canceled call", err)
		}
		if r := <-told; r.Method != "tasks/cancel" || !strings.Contains(string(r.Params), `"t-1"`) {
			t.Errorf("told %s %s, want tasks/cancel of the task", r.Method, r.Params)
		}
	})
}

// One who gives up just as a poll is to go out has the task canceled, too.
func TestTaskCanceledBeforePoll(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		ctx, cancel := context.WithCancel(context.Background())
		told := make(chan string, 1)
		made := false
		_, err := call(ctx, e, "tools/call", []byte(`{"name":"t"}`), engine.Options{}, testHost{
			Send: func(_ context.Context, r parley.Outbound) ([]byte, error) {
				if r.Leg != 1 {
					told <- r.Method
				}
				return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, r.Leg, taskMade), nil
			},
			Callbacks: hosttest.Callbacks{
				Askers: parley.Askers{
					Tasks: true,
				},
				Watchers: parley.Watchers{
					OnTask: func(engine.Task) { made = true },
				},
				Save: func(context.Context, []byte) error {
					if made {
						cancel()
					}
					return nil
				},
			},
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want a canceled call", err)
		}
		if method := <-told; method != "tasks/cancel" {
			t.Errorf("told %s, want tasks/cancel", method)
		}
	})
}

// Callbacks.Park parks what no question waits for.
func TestTaskParkedFromOutside(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		park := make(chan struct{})
		answer := script(taskMade, taskWorking, taskDone)
		polled := make(chan struct{})
		cb := testHost{
			Send: func(ctx context.Context, r parley.Outbound) ([]byte, error) {
				if r.Leg == 2 { // a poll that takes its time is given up
					close(polled)
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return answer(ctx, r)
			},
			Callbacks: hosttest.Callbacks{
				Askers: parley.Askers{
					Tasks: true,
				},
				Park: park,
			},
		}
		go func() {
			<-polled
			close(park)
		}()
		out, err := call(context.Background(), e, "tools/call", []byte(`{"name":"t"}`), engine.Options{}, cb)
		if err != nil || !out.Parked {
			t.Fatalf("got %+v, %v, want a parked call", out, err)
		}
		stages := ""
		cb.Park, cb.OnTask = nil, func(s engine.Task) { stages += s.Status + " " }
		if out, err = resume(context.Background(), e, out.Snapshot, engine.Expect{}, false, cb); err != nil || string(out.Result) != done {
			t.Errorf("resumed: got %s, %v", out.Result, err)
		}
		if want := "working completed "; stages != want {
			t.Errorf("resumed: stages %q, want %q", stages, want)
		}
	})
}

// A call whose leg may do something at the server is parked when that is over.
func TestParkWaitsForALeg(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		park := make(chan struct{})
		out, err := call(context.Background(), e, "tools/call", []byte(`{"name":"t"}`), engine.Options{}, testHost{
			Send: func(ctx context.Context, r parley.Outbound) ([]byte, error) {
				close(park)
				time.Sleep(20 * time.Millisecond)
				if ctx.Err() != nil {
					t.Error("the leg was given up")
				}
				return script(oneAsk)(ctx, r)
			},
			Callbacks: hosttest.Callbacks{
				Askers: parley.Askers{
					Elicit: decline,
				},
				Park: park,
			},
		})
		if err != nil || !out.Parked {
			t.Errorf("got %+v, %v, want a parked call", out, err)
		}
	})
}
