// Package hosttest is what tests and benchmarks of package parley have in common
// with those in tests/, which need other people's programs.
package hosttest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/sources"
)

// Patience is how long a test waits for what must happen. A machine that does
// other work, too, is no failure.
const Patience = 2 * time.Minute

// Compiled is where modules are kept compiled while the tests run: with the race
// detector, compiling takes seconds. Main sets it.
var Compiled string

// Main runs a package's tests, for its TestMain, and returns the exit code. It
// runs none where the modules are not of the engine beside them.
func Main(m *testing.M) int {
	var err error
	if Compiled, err = os.MkdirTemp("", "parley"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(Compiled)
	return sources.Run(m)
}

// Patiently runs a test that depends on real time: with a unit of time and, while
// that fails, with 4, 16 and 64 times as much. On a machine that does other work,
// too, one of them may fail. The unit is 0 where there is nothing to set.
func Patiently(t testing.TB, unit time.Duration, test func(unit time.Duration) error) {
	t.Helper()
	err := test(unit)
	for tries := 1; err != nil && tries < 4; tries++ {
		t.Logf("with %v: %v", unit, err)
		unit *= 4
		err = test(unit)
	}
	if err != nil {
		t.Errorf("with %v: %v", unit, err)
	}
}

// BackTo waits until there are no more goroutines than there were.
func BackTo(t testing.TB, goroutines int) {
	t.Helper()
	for end := time.Now().Add(Patience); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines were left behind:\n%s", runtime.NumGoroutine()-goroutines, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// NewRuntime makes a runtime for one test.
func NewRuntime(t testing.TB, opts parley.RuntimeOptions) *parley.Runtime {
	t.Helper()
	opts.CacheDir = cmp.Or(opts.CacheDir, Compiled)
	rt, err := parley.NewRuntime(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}

// Engines runs a test with both makes of the engine, with -short with the native
// one alone.
func Engines(t *testing.T, test func(*testing.T, parley.Engine)) {
	t.Helper()
	t.Run("native", func(t *testing.T) { test(t, parley.Native{}) })
	if testing.Short() {
		return
	}
	t.Run("wazero", func(t *testing.T) { test(t, NewRuntime(t, parley.RuntimeOptions{})) })
}

// Pairs runs a test in all the ways a call can move: it stops in one make of the
// engine and goes on in another.
func Pairs(t *testing.T, test func(t *testing.T, from, to parley.Engine)) {
	t.Helper()
	native, wazero := parley.Native{}, NewRuntime(t, parley.RuntimeOptions{})
	for _, pair := range []struct {
		name     string
		from, to parley.Engine
	}{
		{"native to native", native, native}, {"native to wazero", native, wazero},
		{"wazero to native", wazero, native}, {"wazero to wazero", wazero, wazero},
	} {
		t.Run(pair.name, func(t *testing.T) { test(t, pair.from, pair.to) })
	}
	if n := wazero.Live(); n != 0 {
		t.Errorf("%d flows are still live", n)
	}
}

// NewSession makes a session for one test. A server over stdio may take its time
// to say what it speaks.
func NewSession(t testing.TB, e parley.Engine, transport parley.Transport, opts parley.SessionOptions) *parley.Session {
	t.Helper()
	if opts.ClientInfo.Name == "" {
		opts.ClientInfo = parley.Implementation{Name: "parley-test", Version: "0"}
	}
	opts.ProbeTimeout = cmp.Or(opts.ProbeTimeout, Patience)
	s, err := parley.NewSession(e, transport, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// CloseAll closes sessions.
func CloseAll(t testing.TB, sessions ...*parley.Session) {
	t.Helper()
	for _, s := range sessions {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Tool is the params of tools/call.
func Tool(name, arguments string) []byte {
	return []byte(`{"name":"` + name + `","arguments":` + arguments + `}`)
}

// TextOf is the text of a tool's result.
func TextOf(t testing.TB, out parley.Outcome) string {
	t.Helper()
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(out.Result, &result); err != nil || len(result.Content) == 0 {
		t.Fatalf("result: got %s, %v", out.Result, err)
	}
	return result.Content[0].Text
}

// SnapshotOf is the snapshot of a call that failed as it should.
func SnapshotOf(t testing.TB, err error, want error) []byte {
	t.Helper()
	var failed *parley.Error
	if !errors.As(err, &failed) || !errors.Is(err, want) || !failed.Resumable || failed.Snapshot == nil {
		t.Fatalf("got %v (%+v), want %v with a snapshot", err, failed, want)
	}
	return failed.Snapshot
}

// WantErr fails a test unless an error is as it should be.
func WantErr(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Decline is a callback that declines.
func Decline(context.Context, parley.Question) ([]byte, error) { return parley.Decline(), nil }

// Fails is a callback that fails.
func Fails(err error) func(context.Context, parley.Question) ([]byte, error) {
	return func(context.Context, parley.Question) ([]byte, error) { return nil, err }
}
