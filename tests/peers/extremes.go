package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// extremes measures calls that are many, large, parked or waiting.
func (t *turnTaker) extremes() (err error) {
	wazero, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wazero.Close()) }()
	var atOnce, large []client
	for _, e := range enginesOf(wazero) {
		alone, s, err := hosttest.SessionBenchmark(e, hosttest.NewPeer(hosttest.ScriptedAnswers(2)...), engine.Options{})
		if err != nil {
			return err
		}
		defer s.Close()
		atOnce = append(atOnce, crowd(e, t.many), once("alone "+e.name, "", alone))
		result, err := resultLoad(e, 1000)
		if err != nil {
			return err
		}
		defer result.end()
		large = append(large, once("session "+e.name, "session native", result.run))
	}
	large[0].of = ""
	parked, err := parking()
	if err != nil {
		return err
	}
	seldom := *t // a turn takes seconds
	seldom.turns = (t.turns + 2) / 3
	if err := seldom.take(fmt.Sprintf("%d calls at once, each", t.many), atOnce); err != nil {
		return err
	}
	if err := t.take("a result of 10 MB", large); err != nil {
		return err
	}
	if err := t.take("restore and snapshot", parked); err != nil {
		return err
	}
	return t.held()
}

// crowd is a client that makes many calls at once, in a session of its own.
func crowd(e namedEngine, many int) client {
	return client{name: "at once " + e.name, of: "alone " + e.name, calls: many, turn: func(calls int) (spent, error) {
		_, s, err := hosttest.SessionBenchmark(e, hosttest.NewPeer(hosttest.ScriptedAnswers(2)...), engine.Options{})
		if err != nil {
			return spent{}, err
		}
		begun, cpu := time.Now(), processorTime()
		err = hosttest.CallsAtOnce(s, calls)
		took := spent{time.Since(begun), processorTime() - cpu}
		return took, errors.Join(err, s.Close())
	}}
}

// parking are a call that is continued to park it again, and a whole one.
func parking() ([]client, error) {
	core, err := hosttest.WaitingCore(parley.Native{})
	if err != nil {
		return nil, err
	}
	waiting, err := hosttest.WaitingCall(core)
	if err != nil {
		return nil, err
	}
	snapshot, err := core.Snapshot(waiting)
	if err != nil {
		return nil, err
	}
	whole, err := hosttest.CoreBenchmark(parley.Native{}, hosttest.NewPeer(hosttest.ScriptedAnswers(2)...))
	if err != nil {
		return nil, err
	}
	return []client{
		once("snapshot native", "core native, 2 legs", func() error {
			call, err := core.Restore(snapshot, engine.Expect{})
			if err != nil {
				return err
			}
			defer core.Free(call)
			_, err = core.Snapshot(call)
			return err
		}),
		once("core native, 2 legs", "", whole),
	}, nil
}

// held is what a call holds that waits for an answer.
func (t *turnTaker) held() (err error) {
	wazero, err := parley.NewRuntime(parley.RuntimeOptions{Instances: 1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wazero.Close()) }()
	native, err := hosttest.WaitingInHeap(t.many)
	if err != nil {
		return err
	}
	module, err := hosttest.WaitingInModule(wazero, 16<<20)
	if err != nil {
		return err
	}
	const table = "a call that waits"
	t.report.add([]*Row{
		{Table: table, Client: "core native", Bytes: native},
		{Table: table, Client: "core wazero", Bytes: module},
		{Table: table, Client: "its payload", Bytes: hosttest.WaitingPayload},
	})
	return nil
}
