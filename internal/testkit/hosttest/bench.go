package hosttest

import (
	"context"
	"errors"
	"sync"

	"github.com/parley-mcp/parley/engine"
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

// CoreBenchmark makes its calls by hand: it gives the core of a session the answers
// to the messages that this writes.
func CoreBenchmark(e parley.Engine, peer *Peer) (Benchmark, error) {
	core, err := e.NewSessionCore(session.Options{
		Transport: session.Stdio, Versions: []string{session.ProtocolVersion}, FirstID: benchID,
		ClientInfo: []byte(`{"name":"bench","version":"1"}`), Can: &engine.Can{Form: true},
	})
	if err != nil {
		return nil, err
	}
	return func() error {
		call, err := core.Call("tools/call", benchParams, engine.Options{})
		if err != nil {
			return err
		}
		defer core.Free(call)
		var next session.Event = session.To{Call: call, Event: engine.Begin{}}
		for next != nil {
			actions, err := core.Step(0, next)
			if err != nil {
				return err
			}
			next = nil
			for _, a := range actions {
				if post, ok := a.(session.Post); ok {
					next = session.Message{Body: peer.Answer(post.Body)}
				}
				of, _ := a.(session.From)
				switch a := of.Action.(type) {
				case engine.Ask:
					next = session.To{Call: call, Event: engine.Answer{Ask: a.ID, Raw: benchAnswer}}
				case engine.Done:
					return nil
				case engine.Failed:
					return errors.New(a.Detail.String())
				}
			}
		}
		return errNoResult
	}, nil
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
