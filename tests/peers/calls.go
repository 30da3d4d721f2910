package main

import (
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// legsOf are the calls that are measured.
var legsOf = []int{1, 2, 10}

// namedEngine is what runs the engine, and what rows call it.
type namedEngine struct {
	name string
	parley.Engine
}

func enginesOf(wazero *parley.Runtime) []namedEngine {
	return []namedEngine{{"native", parley.Native{}}, {"wazero", wazero}}
}

// calls measures whole calls: by a session that is stepped by hand, in a session, and in one
// over a connection that is there already, beside other clients.
func (t *turnTaker) calls() (err error) {
	wazero, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wazero.Close()) }()
	programs, err := startPrograms(t.peers)
	defer programs.stop()
	if err != nil {
		return err
	}
	for _, legs := range legsOf {
		clients, end, err := inProcess(wazero, legs, t.peers)
		if err == nil {
			err = t.take(plural(legs, "leg"), append(clients, programs.clients(legs)...))
		}
		if err := errors.Join(err, end()); err != nil {
			return err
		}
	}
	return nil
}

// inProcess are the clients in Go. end closes them.
func inProcess(wazero *parley.Runtime, legs int, peers bool) (clients []client, end func() error, err error) {
	var open []func() error
	end = func() error {
		var err error
		for _, closes := range open {
			err = errors.Join(err, closes())
		}
		return err
	}
	peer := hosttest.NewPeer(hosttest.ScriptedAnswers(legs)...)
	for _, e := range enginesOf(wazero) {
		call, err := hosttest.CoreBenchmark(e, peer)
		if err != nil {
			return nil, end, err
		}
		clients = append(clients, once("core "+e.name, goSDK, call))
	}
	for _, way := range []struct {
		name string
		parley.Transport
	}{{"session", peer}, {"requests", hosttest.RequestsTo(peer)}} {
		for _, e := range enginesOf(wazero) {
			call, s, err := hosttest.SessionBenchmark(e, way.Transport, engine.Options{})
			if err != nil {
				return nil, end, err
			}
			open = append(open, s.Close)
			clients = append(clients, once(way.name+" "+e.name, goSDK, call))
		}
	}
	others := []func(*hosttest.Peer) (client, func() error, error){goSDKClient}
	if peers {
		others = append(others, mcpGoClient)
	}
	for _, other := range others {
		c, closes, err := other(peer)
		if err != nil {
			return nil, end, err
		}
		open = append(open, closes)
		clients = append(clients, c)
	}
	return clients, end, nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
