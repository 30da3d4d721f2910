// Command conformance-client is a client for the official MCP conformance suite
// to test: Parley's session, its engine as WebAssembly in a wazero sandbox, over
// Streamable HTTP. README.md in this directory says how to run the suite.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

const usage = `conformance-client is what the MCP conformance suite runs as a client. It calls
what the server offers, answers what the server asks, and prints a line for each
call.

Usage: conformance-client [--any-version] URL

  --any-version  find out which protocol version the server speaks

From the environment it takes what the suite puts there: the scenario
(MCP_CONFORMANCE_SCENARIO), the protocol version to speak
(MCP_CONFORMANCE_PROTOCOL_VERSION) and what else the scenario wants to be used
(MCP_CONFORMANCE_CONTEXT, JSON).
`

// patience is how long a scenario may take: less than the suite waits, which
// would leave a client that hangs running.
const patience = 280 * time.Second

func main() {
	args := os.Args[1:]
	anyVersion := len(args) > 0 && args[0] == "--any-version"
	if anyVersion {
		args = args[1:]
	}
	if len(args) != 1 || args[0] == "" || args[0][0] == '-' {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	time.AfterFunc(patience, func() {
		fmt.Fprintln(os.Stderr, "conformance-client: not finished after", patience)
		os.Exit(1)
	})
	o := options{url: args[0], scenario: os.Getenv("MCP_CONFORMANCE_SCENARIO"), context: []byte(os.Getenv("MCP_CONFORMANCE_CONTEXT"))}
	if !anyVersion {
		o.version = os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION")
	}
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "conformance-client:", err)
		os.Exit(1)
	}
}

type options struct {
	url      string
	scenario string
	version  string // to speak, "" to find out
	context  []byte // JSON, may be empty
}

// run plays one scenario in a session of its own.
func run(ctx context.Context, o options) (err error) {
	runtime, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		return err
	}
	defer runtime.Close()
	c := &client{ready: make(chan session.Ready, 1)}
	shape := parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "parley-conformance-client", Version: "1.0.0"},
		Askers:     parley.Askers{Elicit: c.elicit, Sample: sample, SampleTools: true, ListRoots: listRoots, Fill: true},
		Watchers:   parley.SessionWatchers{OnReady: c.learn, OnWarning: func(text string) { fmt.Println("warning:", text) }},
	}
	if o.version != "" {
		shape.Versions, shape.Discover = []string{o.version}, true
	}
	if len(o.context) > 0 {
		if err := json.Unmarshal(o.context, &c.given); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	login, err := signIn(o, c.given.credentials)
	if err != nil {
		return err
	}
	shape.Askers.Authorize = login.Authorize
	if c.session, err = parley.NewSession(runtime, &parley.StreamableHTTP{URL: o.url, Authorization: login.Authorization}, shape); err != nil {
		return err
	}
	if err := c.play(ctx, o.scenario); err != nil {
		c.session.Close()
		return err
	}
	if err := c.session.Close(); err != nil {
		return err
	}
	if live := runtime.Live(); live != 0 {
		return fmt.Errorf("%d calls or sessions are left in the engine", live)
	}
	return nil
}
