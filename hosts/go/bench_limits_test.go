package parley_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

// BenchmarkLimits is how long each step of a call takes in which all is as long as
// its limit allows and nothing comes in slices: the longest in milliseconds, with
// plain text and with the worst that a server may send.
func BenchmarkLimits(b *testing.B) {
	kinds := map[string]func(size int) string{
		"plain":     func(size int) string { return `"` + strings.Repeat("a", size) + `"` },
		"backslash": backslashes,
		"strings":   func(size int) string { return values(`""`, 1, size) },
		"nested":    func(size int) string { return values(strings.Repeat("[", 40)+strings.Repeat("]", 40), 40, size) },
	}
	for _, name := range []string{"native", "wazero"} {
		for _, kind := range []string{"plain", "backslash", "strings", "nested"} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				e := benchEngine(b, name)
				took := map[string][]float64{}
				for b.Loop() {
					longCall(b, e, kinds[kind], func(step string, d time.Duration) {
						took[step] = append(took[step], float64(d.Microseconds())/1000)
					})
				}
				for step, all := range took {
					slices.Sort(all)
					b.ReportMetric(all[len(all)/2], step+"-ms")
				}
			})
		}
	}
}

func backslashes(size int) string { return `"` + strings.Repeat(`\\`, size/2) + `"` }

// values is an array of as many values as are allowed, n in each text, and a string.
func values(text string, n, size int) string {
	all := strings.Repeat(text+",", (rawjson.MaxValues-20)/n)
	return "[" + all + backslashes(size-len(all)) + "]"
}

// longCall makes a call of one round, with long params, question and answer, and
// restores it from a snapshot.
func longCall(b *testing.B, e parley.Engine, long func(size int) string, lap func(step string, took time.Duration)) {
	core, err := e.NewSessionCore(session.Options{Known: modern})
	if err != nil {
		b.Fatal(err)
	}
	defer core.Close()
	timed := func(step string, do func() error) {
		begun := time.Now()
		if err := do(); err != nil {
			b.Fatal(step, err)
		}
		lap(step, time.Since(begun))
	}
	call, exchange, asked := 0, 0, false
	step := func(ev session.Event) error {
		actions, err := core.Step(0, ev)
		for _, a := range actions {
			switch a := a.(type) {
			case session.Post:
				exchange = a.Exchange
			case session.From:
				_, isAsk := a.Action.(engine.Ask)
				asked = asked || isAsk
			}
		}
		return err
	}
	params := []byte(`{"name":"t","arguments":{"a":"` + strings.Repeat("a", 1<<20-100) + `"}}`)
	round := []byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"` + strings.Repeat("a", 200<<10) +
		`","inputRequests":{"q":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":5,"metadata":{"a":` + long(1<<20-201<<10) + `}}}}}}`)
	answer := []byte(`{"role":"assistant","model":"m","content":{"type":"text","text":""},"_meta":{"a":` + long(1<<20-1<<10) + `}}`)
	timed("call", func() (err error) {
		call, err = core.Call("tools/call", params, engine.Options{Can: &engine.Can{Sampling: true}})
		return err
	})
	timed("begin", func() error { return step(session.To{Call: call, Event: engine.Begin{}}) })
	timed("round", func() error { return step(session.Message{Exchange: exchange, Last: true, Body: round}) })
	if !asked {
		b.Fatal("nothing is asked")
	}
	timed("answer", func() error { return step(session.To{Call: call, Event: engine.Answer{Ask: 1, Raw: answer}}) })
	var snapshot []byte
	timed("snapshot", func() (err error) {
		snapshot, err = core.Snapshot(call)
		return err
	})
	timed("restore", func() error {
		_, err := core.Restore(snapshot, engine.Expect{})
		return err
	})
}
