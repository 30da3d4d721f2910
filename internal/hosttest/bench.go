package hosttest

import (
	"context"
	"errors"
	"sync"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

const (
	// What a benchmark calls, and the answer to its questions.
	BenchParams = `{"name":"get_weather","arguments":{"location":"New York"}}`
	BenchAnswer = `{"action":"accept","content":{"name":"octocat"}}`

	benchID = 1 << 20 // the first id, so that all are as long
)

var (
	benchParams = []byte(BenchParams)
	benchAnswer = []byte(BenchAnswer)
)

// A Benchmark makes one whole call on the client's side, from the caller's params
// to the final result.
type Benchmark func() error

var errNoResult = errors.New("the call has no result")

// FlowBenchmark makes its calls by hand: it writes the requests itself and gives a
// flow the answers.
func FlowBenchmark(e parley.Engine, peer *Peer) Benchmark {
	info := []byte(`{"name":"bench","version":"1"}`)
	opts := engine.Options{Can: &engine.Can{Form: true}}
	return func() error {
		flow, err := e.NewFlow("tools/call", benchParams, opts)
		if err != nil {
			return err
		}
		defer flow.Close()
		described, err := flow.Info()
		if err != nil {
			return err
		}
		var next engine.Event = engine.Begin{}
		for next != nil {
			actions, err := flow.Step(0, next)
			if err != nil {
				return err
			}
			next = nil
			for _, a := range actions {
				switch a := a.(type) {
				case engine.Send:
					request, err := envelope.Append(nil, &envelope.Request{ID: 1, Method: a.Method, Params: a.Params, Capabilities: described.Capabilities, ClientInfo: info})
					if err != nil {
						return err
					}
					next = engine.Response{Leg: a.Leg, Body: peer.Answer(request)}
				case engine.Ask:
					next = engine.Answer{Ask: a.ID, Raw: benchAnswer}
				case engine.Done:
					return nil
				case engine.Failed:
					return errors.New(a.Detail.String())
				}
			}
		}
		return errNoResult
	}
}

// SessionBenchmark makes its calls through a session, which is to be closed.
func SessionBenchmark(e parley.Engine, transport parley.Transport, o engine.Options) (Benchmark, *parley.Session, error) {
	opts := parley.SessionOptions{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { return benchAnswer, nil }}}
	if transport.Kind() != session.Requests {
		opts.ClientInfo = parley.Implementation{Name: "bench", Version: "1"}
		opts.FirstID = benchID
	}
	s, err := parley.NewSession(e, transport, opts)
	if err != nil {
		return nil, nil, err
	}
	return func() error {
		out, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: benchParams, Options: o})
		if err == nil && len(out.Result) == 0 {
			err = errNoResult
		}
		return err
	}, s, nil
}

// RequestsTo is somebody else's connection to a peer.
func RequestsTo(peer *Peer) parley.Requests {
	var responses [][]byte
	for _, result := range peer.results {
		responses = append(responses, reply(nil, []byte("1"), result))
	}
	return func(_ context.Context, r parley.Outbound) ([]byte, error) { return responses[r.Leg-1], nil }
}

// CallsAtOnce makes so many calls, all of which are at their question before any
// is answered.
func CallsAtOnce(s *parley.Session, n int) error {
	var asked, finished sync.WaitGroup
	asked.Add(n)
	askers := parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
		asked.Done()
		asked.Wait()
		return benchAnswer, nil
	}}
	errs := make([]error, n)
	for i := range n {
		finished.Go(func() {
			_, errs[i] = s.Call(context.Background(), parley.Request{Method: "tools/call", Params: benchParams, Askers: &askers})
		})
	}
	finished.Wait()
	return errors.Join(errs...)
}
