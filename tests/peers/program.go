package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/internal/testkit/sources"
)

// program is a client in another language: a process of its own. Its last argument
// is the [script]. It writes a line with its name and version, and then, for each
// line with a number of legs and one of calls that it reads, a line with the
// nanoseconds that these calls took and those of the processor, 0 where it does
// not know.
type program struct {
	client  // whose turn is not set
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	problem bytes.Buffer // what it says on standard error
}

type programs []*program

// script is the call that is played, as [hosttest.Peer] has it.
type script struct {
	Params     json.RawMessage  `json:"params"`
	Answer     json.RawMessage  `json:"answer"`     // to each question
	Discovered json.RawMessage  `json:"discovered"` // the result of server/discover
	Results    map[int][]string `json:"results"`    // of each leg, by how many legs there are
}

func scriptText() string {
	s := script{
		Params: json.RawMessage(hosttest.BenchParams), Answer: json.RawMessage(hosttest.BenchAnswer),
		Discovered: json.RawMessage(hosttest.ScriptedDiscovery), Results: map[int][]string{},
	}
	for _, legs := range legsOf {
		s.Results[legs] = hosttest.ScriptedAnswers(legs)
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // it is all our own
	}
	return string(text)
}

// startPrograms starts the clients in JavaScript, and with peers those in other
// languages, which may be missing.
func startPrograms(peers bool) (started programs, err error) {
	root, err := sources.Root()
	if err != nil {
		return nil, err
	}
	node := filepath.Join(root, "hosts", "js", "bench", "turns.js")
	sdk, err := start("node", node, "sdk")
	if err != nil {
		return nil, err
	}
	sdk.of = goSDK
	for _, name := range []string{"core", "session", "requests"} {
		p, err := start("node", node, name)
		if err != nil {
			return append(started, sdk), err
		}
		p.of = sdk.name
		started = append(started, p)
	}
	started = append(started, sdk)
	if !peers {
		return started, nil
	}
	for _, other := range []struct{ run, name string }{{"python.sh", "Python SDK"}, {"rust.sh", "rmcp"}} {
		p, err := start(filepath.Join(root, "tests", "peers", other.run))
		if err != nil {
			p = &program{client: client{name: other.name, missing: err}}
		}
		p.of = goSDK
		started = append(started, p)
	}
	return started, nil
}

// start starts a program and waits for its name. The error is what it says where
// it cannot run.
func start(command ...string) (*program, error) {
	p := &program{cmd: exec.Command(command[0], append(command[1:], scriptText())...)}
	p.cmd.Stderr = &p.problem
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReader(out)
	name, err := p.out.ReadString('\n')
	if err != nil {
		return nil, p.why(err)
	}
	p.client = client{name: strings.TrimSpace(name), foreign: true}
	return p, nil
}

// why is the last line that a program wrote before it ended, or the error itself.
func (p *program) why(err error) error {
	p.in.Close()
	p.cmd.Wait()
	lines := strings.Split(strings.TrimSpace(p.problem.String()), "\n")
	return errors.New(cmp.Or(lines[len(lines)-1], err.Error()))
}

// clients are the programs as clients of calls with so many legs.
func (all programs) clients(legs int) (clients []client) {
	for _, p := range all {
		c := p.client
		c.turn = func(calls int) (took spent, err error) {
			if _, err = fmt.Fprintf(p.in, "%d %d\n", legs, calls); err == nil {
				var wall, cpu int64
				_, err = fmt.Fscanln(p.out, &wall, &cpu)
				took = spent{time.Duration(wall), time.Duration(cpu)}
			}
			if err != nil {
				err = p.why(err)
			}
			return took, err
		}
		clients = append(clients, c)
	}
	return clients
}

// stop ends the programs: none has more to read.
func (all programs) stop() {
	for _, p := range all {
		if p.cmd != nil {
			p.in.Close()
			io.Copy(io.Discard, p.out)
			p.cmd.Wait()
		}
	}
}
