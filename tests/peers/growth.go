package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// tolerance is how much more each of many may cost than each of fewer. What
// doubles as it grows, such as a slice or a module's memory, may just have.
const tolerance = 2

// thing is something of which there may be many.
type thing struct {
	name   string
	counts []int
	from   int // what fewer cost is mostly what there is but once
	make   func(e parley.Engine, n int) (*load, error)
}

// load has just so many of a thing to do, once.
type load struct {
	run, end func() error
}

var things = []thing{
	{"legs of a call", []int{1, 10, 100, 1000}, 10, legsLoad},
	{"asks in a round", []int{1, 10, 100, 512}, 10, asksLoad},       // the engine takes no more
	{"10 KB of a result", []int{1, 10, 100, 1000}, 100, resultLoad}, // fewer do not come in slices
	{"calls at once", []int{1, 10, 100, 1000}, 10, callsLoad},
}

// use is what many of a thing took, allocations and bytes being the host's.
type use struct {
	n             int
	allocs, bytes int
	guest         int // bytes of the module's memory
	took          time.Duration
}

// growth prints what each of many things costs, natively and in wazero. It fails
// where many cost more than in proportion.
func (t *turnTaker) growth(things []thing) (err error) {
	compiled, err := os.MkdirTemp("", "parley")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(compiled)) }()
	fmt.Fprintln(t.report.to, t.report.Machine)
	var failed []error
	for _, thing := range things {
		for _, engine := range []string{"native", "wazero"} {
			uses, err := thing.measure(engine, compiled)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", thing.name, engine, err)
			}
			fmt.Fprintf(t.report.to, "\n%-24s %10s %12s %12s %10s\n", thing.name+", "+engine, "allocs", "B", "B of wasm", "time")
			for _, u := range uses {
				fmt.Fprintln(t.report.to, u)
				t.report.Rows = append(t.report.Rows, u.row(thing.name, engine))
			}
			if err := linear(uses, thing.from); err != nil {
				failed = append(failed, fmt.Errorf("%s, %s: %w", thing.name, engine, err))
			}
		}
	}
	return errors.Join(failed...)
}

// measure takes the least of three tries, each in an engine and a session of its
// own: what else the process does may allocate, too. The module is kept compiled
// in a folder.
func (t thing) measure(engine, compiled string) (uses []use, err error) {
	for _, n := range t.counts {
		var best use
		for range 3 {
			u, err := t.once(engine, compiled, n)
			if err != nil {
				return nil, err
			}
			if best.n == 0 {
				best = u
			}
			best.allocs, best.bytes = min(best.allocs, u.allocs), min(best.bytes, u.bytes)
			best.guest, best.took = min(best.guest, u.guest), min(best.took, u.took)
		}
		uses = append(uses, best)
	}
	return uses, nil
}

func (t thing) once(engine, compiled string, n int) (u use, err error) {
	e, memory := parley.Engine(parley.Native{}), func() int { return 0 }
	if engine == "wazero" {
		rt, err := parley.NewRuntime(parley.RuntimeOptions{Instances: 1, CacheDir: compiled})
		if err != nil {
			return u, err
		}
		defer func() { err = errors.Join(err, rt.Close()) }()
		e, memory = rt, rt.Memory
	}
	l, err := t.make(e, n)
	if err != nil {
		return u, err
	}
	defer func() { err = errors.Join(err, l.end()) }()
	u, err = counted(n, l.run)
	u.guest = memory()
	return u, err
}

// counted counts what a function allocates.
func counted(n int, run func() error) (use, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begun := time.Now()
	err := run()
	took := time.Since(begun)
	runtime.ReadMemStats(&after)
	return use{n: n, allocs: int(after.Mallocs - before.Mallocs), bytes: int(after.TotalAlloc - before.TotalAlloc), took: took}, err
}

// linear fails if each of many costs more than [tolerance] times what each of
// fewer does, from so many on.
func linear(uses []use, from int) error {
	var failed []error
	for _, what := range []struct {
		name string
		of   func(use) int
	}{
		{"allocations", func(u use) int { return u.allocs }},
		{"bytes", func(u use) int { return u.bytes }},
		{"bytes of wasm", func(u use) int { return u.guest }},
	} {
		few, least := 0, math.Inf(1)
		for _, u := range uses {
			each := float64(what.of(u)) / float64(u.n)
			if each > tolerance*least {
				failed = append(failed, fmt.Errorf("%.1f %s each of %d, and %.1f each of %d", least, what.name, few, each, u.n))
			}
			if u.n >= from && each < least {
				few, least = u.n, each
			}
		}
	}
	return errors.Join(failed...)
}

// String is a line of the table: what each costs.
func (u use) String() string {
	guest := ""
	if u.guest > 0 {
		guest = fmt.Sprint(u.guest / u.n)
	}
	return fmt.Sprintf("%24d %10.1f %12d %12s %10s", u.n, float64(u.allocs)/float64(u.n), u.bytes/u.n, guest, micros(u.micros()))
}

func (u use) micros() float64 { return float64(u.took.Nanoseconds()) / float64(u.n) / 1000 }

func (u use) row(thing, engine string) *Row {
	return &Row{
		Table: fmt.Sprintf("%s, %s", thing, engine), Client: fmt.Sprint(u.n),
		Turns: []float64{u.micros()}, Allocs: u.allocs / u.n, Bytes: u.bytes / u.n, Memory: u.guest / u.n,
	}
}

// newLoad makes a session whose peer answers with these results.
func newLoad(e parley.Engine, opts engine.Options, results ...string) (*load, error) {
	call, s, err := hosttest.SessionBenchmark(e, hosttest.NewPeer(results...), opts)
	if err != nil {
		return nil, err
	}
	return &load{call, s.Close}, nil
}

func legsLoad(e parley.Engine, n int) (*load, error) {
	return newLoad(e, engine.Options{MaxRounds: n}, hosttest.ScriptedAnswers(n)...)
}

func asksLoad(e parley.Engine, n int) (*load, error) {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprint("name", i)
	}
	opts := engine.Options{Limits: engine.Limits{Asks: n}}
	return newLoad(e, opts, hosttest.ScriptedRound(1, keys...), hosttest.ScriptedAnswer(2, 2))
}

func resultLoad(e parley.Engine, n int) (*load, error) {
	text := strings.Repeat("It is 18 degrees in New York. ", n*10_000/30)
	return newLoad(e, engine.Options{}, `{"resultType":"complete","content":[{"type":"text","text":"`+text+`"}],"isError":false}`)
}

func callsLoad(e parley.Engine, n int) (*load, error) {
	_, s, err := hosttest.SessionBenchmark(e, hosttest.NewPeer(hosttest.ScriptedAnswers(2)...), engine.Options{})
	if err != nil {
		return nil, err
	}
	return &load{func() error { return hosttest.CallsAtOnce(s, n) }, s.Close}, nil
}
