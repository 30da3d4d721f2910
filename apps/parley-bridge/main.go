// Command parley-bridge is an MCP server in front of another one that is of another era:
// clients of 2025 use servers of MCP 2026-07-28, and the other way round.
// README.md in this directory describes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

const usage = `parley-bridge lets MCP clients and servers of different eras work together:
clients of 2025-03-26 to 2025-11-25 with a server of 2026-07-28, and clients of
2026-07-28 with a server of 2025. It finds out which is which.

Usage: parley-bridge [flags] URL
       parley-bridge [flags] -- COMMAND [ARGUMENT...]
       parley-bridge --help

URL or COMMAND is the server. The bridge serves one client over stdio, or any
number over Streamable HTTP with --listen; it then prints one line, "listening
on URL", on standard output. The log goes to standard error, and holds no
questions, answers or arguments. Interrupt it (Ctrl-C, SIGTERM) to stop.
`

// command is what was asked for on the command line.
type command struct {
	listen      string
	origins     []string
	hosts       []string
	users       string
	bearerFile  string
	signIn      signInFlags
	engine      string
	timeout     time.Duration
	heartbeat   time.Duration
	hold        time.Duration
	maxHeld     int
	maxSessions int
	idle        time.Duration
	clientLimits
	storeURL string
	keyFile  string
	quota    int
	server.Server
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage + flags.Help(new(command).groups()))
	case err != nil:
		fmt.Fprintln(os.Stderr, "parley-bridge:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	c, err := parse(args)
	if err != nil {
		return err
	}
	c.SetLabel()
	log := slog.New(slog.NewTextHandler(stderr, nil))
	server := &upstream.Server{Server: c.Server, Stderr: stderr, Timeout: c.timeout, Log: log}
	if c.bearerFile != "" {
		if server.Bearer, err = readBearer(c.bearerFile); err != nil {
			return err
		}
	}
	var end func()
	if server.Engine, end, err = system.Engine(c.engine, 0); err != nil {
		return err
	}
	defer end()
	if err := server.Check(); err != nil {
		return err
	}
	if c.storeURL != "" {
		box := &seal.KeyFileBox{Name: c.keyFile}
		if _, err := box.SealBytes(nil, nil); err != nil {
			return errors.New("--key-file: " + saved.Problem(err))
		}
		calls, err := saved.Open(ctx, c.storeURL, store.Sealing{Box: box})
		if err != nil {
			return errors.New("--store: " + saved.Problem(err))
		}
		server.Calls, server.Resume = &store.Quota{Store: calls, Calls: c.quota}, c.resumeLine
	}
	defer server.Wait()
	if c.listen == "" {
		return c.serveStdio(ctx, server, log, stdin, stdout)
	}
	return c.serveHTTP(ctx, server, log, stdout)
}

// parse reads the command line.
func parse(args []string) (*command, error) {
	c := &command{}
	groups := c.groups()
	ours, theirs, err := flags.Parse(groups, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w (parley-bridge --help lists the flags)", err)
	}
	if err := c.target(ours, theirs); err != nil {
		return nil, err
	}
	return c, flags.Check(groups)
}

// groups are the flags.
func (c *command) groups() []flags.Group {
	return []flags.Group{c.clientGroup(), c.serverGroup(), c.signInGroup(), c.storeGroup(), c.limitGroup()}
}

// clientGroup is about who may call.
func (c *command) clientGroup() flags.Group {
	return flags.Group{
		Text: "Clients over HTTP:\n",
		Flags: []flags.Flag{
			{Name: "listen", Value: "HOST:PORT", To: &c.listen, Text: `serve HTTP there, at /mcp; ":8932" is 127.0.0.1:8932, port 0 a free one`},
			{Name: "origin", Value: "URL", To: &c.origins, Text: "let pages of this web origin call; may be repeated (default: none)"},
			{Name: "host", Value: "NAME", To: &c.hosts, Text: "the Host header of a proxy in front of the bridge; may be repeated"},
			{Name: "users", Value: "FILE", To: &c.users, Text: `lines "user token": nobody else may call, by bearer token. Needed to listen anywhere but on this machine`},
		},
		Check: c.checkClients,
	}
}

func (c *command) checkClients() error {
	if c.listen == "" && (len(c.origins) > 0 || len(c.hosts) > 0 || c.users != "") {
		return errors.New("--origin, --host and --users need --listen")
	}
	for i, origin := range c.origins {
		u, err := url.Parse(strings.TrimSuffix(strings.ToLower(origin), "/"))
		if err != nil || u.Scheme == "" || u.Host == "" || *u != (url.URL{Scheme: u.Scheme, Host: u.Host}) {
			return errors.New("--origin is a scheme and host, such as http://localhost:5173")
		}
		c.origins[i] = u.Scheme + "://" + strings.TrimSuffix(u.Host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme]) // as browsers spell it
	}
	return nil
}

// serverGroup is about the server, and what waits for it.
func (c *command) serverGroup() flags.Group {
	g := flags.Group{Text: "The server:\n", Check: c.checkServer}
	g.Flags = append(c.Server.Flags(), []flags.Flag{
		{Name: "bearer-file", Value: "FILE", To: &c.bearerFile, Text: "a token for URL, sent as Authorization: Bearer for everybody; " +
			"without one, each user signs in at URL when it wants that"},
		{Name: "engine", Value: "NAME", Default: "wasm", To: &c.engine, Text: "wasm (sandboxed) or native"},
		{Name: "timeout", Value: "TIME", Default: "10m", To: &c.timeout, Text: "how long the server may take for one request"},
		{Name: "heartbeat", Value: "TIME", Default: "10s", To: &c.heartbeat,
			Text: "how often a 2025 client that waits for an answer is told so, if it asked for progress"},
		{Name: "hold", Value: "TIME", Default: "10m", To: &c.hold,
			Text: "how long a call of a 2026-07-28 client waits for its answers; then the server is told that it is cancelled"},
		{Name: "max-held", Value: "N", Default: "100", To: &c.maxHeld, Text: "how many calls may wait like that at once"},
		{Name: "max-sessions", Value: "N", Default: "100", To: &c.maxSessions,
			Text: "how many sessions there may be with clients, and as many with the server"},
		{Name: "idle", Value: "TIME", Default: "1h", To: &c.idle, Text: "how long a session may go unused before it ends"},
	}...)
	return g
}

func (c *command) checkServer() error {
	switch {
	case c.timeout <= 0 || c.heartbeat <= 0 || c.hold <= 0 || c.idle <= 0:
		return errors.New("--timeout, --heartbeat, --hold and --idle must be positive")
	case c.hold > maxHold:
		return fmt.Errorf("--hold is %v at most", maxHold)
	case c.maxHeld < 1 || c.maxSessions < 1:
		return errors.New("--max-held and --max-sessions must be positive")
	case c.bearerFile != "" && c.URL == "":
		return errors.New("--bearer-file is for a URL: a command gets the environment")
	}
	return nil
}

// storeGroup is about where calls are kept.
func (c *command) storeGroup() flags.Group {
	return flags.Group{
		Text: "Calls that outlive the bridge:\n",
		Flags: []flags.Flag{
			{Name: "store", Value: "URL", To: &c.storeURL, Text: "keep the calls of 2025 clients here, sealed, so that they outlive the bridge (parley resume): " +
				"file:DIR, redis://HOST:PORT or postgres://USER@HOST:PORT/DATABASE, or what PARLEY_STORE says, where a password belongs (default: nowhere)"},
			{Name: "key-file", Value: "FILE", To: &c.keyFile, Text: "what they are sealed with; parley token new-key makes one"},
			{Name: "quota", Value: "N", To: &c.quota,
				Text: "how many calls of one user of --users may be kept there; one more continues without (default: any number)"},
		},
		Check: c.checkStore,
	}
}

func (c *command) checkStore() (err error) {
	if c.storeURL, err = saved.Where(c.storeURL, os.Getenv); err != nil {
		return err
	}
	if (c.storeURL == "") != (c.keyFile == "") {
		return errors.New("--store and --key-file go together: what is kept is sealed, and everybody who shares the store has the same key")
	}
	if c.quota < 0 || c.quota > 0 && (c.storeURL == "" || c.users == "") {
		return errors.New("--quota is a number of calls, and needs --store and --users: it is of each user")
	}
	return nil
}

// target takes the server. theirs is nil unless there is a "--".
func (c *command) target(ours, theirs []string) error {
	isCommand := theirs != nil
	switch {
	case isCommand && len(ours) > 0:
		return errors.New("give a URL or, after --, a command, not both")
	case isCommand && (len(theirs) == 0 || theirs[0] == ""):
		return errors.New("there is no command after --")
	case isCommand:
		c.Command = theirs
		return nil
	case len(ours) != 1:
		return errors.New("give the server's URL, or its command after -- (parley-bridge --help)")
	}
	if server.HTTPURL(ours[0]) == nil {
		return errors.New("the server is no http or https URL; a server that is a command comes last, after --")
	}
	c.URL = ours[0]
	return nil
}

// maxHold is less than the longest a requestState lives.
const maxHold = 7 * 24 * time.Hour
