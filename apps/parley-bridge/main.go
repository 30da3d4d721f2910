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

	"github.com/parley-mcp/parley/apps/desk/program"
	"github.com/parley-mcp/parley/apps/desk/saved"
	"github.com/parley-mcp/parley/apps/desk/server"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

const usage = `parley-bridge lets MCP clients and servers of different eras work together:
clients of 2025-03-26 to 2025-11-25 with a server of 2026-07-28, and clients of
2026-07-28 with a server of 2025. It finds out which is which.

Usage: parley-bridge [flags] URL
       parley-bridge [flags] -- COMMAND [ARGUMENT...]

URL or COMMAND is the server. The bridge serves one client over stdio, or any
number over Streamable HTTP with --listen; it then prints one line, "listening on
URL", on standard output. The log goes to standard error, and holds no questions,
answers or arguments. Interrupt it (Ctrl-C, SIGTERM) to stop.

  --listen host:port   serve HTTP there, at /mcp; ":8932" is 127.0.0.1:8932, port 0 a free one
  --origin URL         let pages of this web origin call; may be repeated (default none)
  --host name          the Host header of a proxy in front of the bridge; may be repeated
  --users file         lines "user token": nobody else may call, by bearer token. Needed to
                       listen anywhere but on this machine
  --bearer-file file   a token for URL, sent as Authorization: Bearer for everybody; without
                       one, each user signs in at URL when it wants that
  --public-url URL     where browsers reach the bridge to sign in, if not where it listens
  --client-id id       of a client registered with the server's authorization server, whose
                       redirect URI is /sign-in/callback of the bridge
  --client-secret-file file  the secret of that client
  --callback-port n    without --listen: the port on 127.0.0.1 of the pages to sign in
                       (default any)
  --state-dir dir      where accounts are kept, sealed (default: where parley keeps its own)
  --store URL          keep the calls of 2025 clients here, sealed, so that they outlive the
                       bridge (parley resume): file:DIR, redis://HOST:PORT or
                       postgres://USER@HOST:PORT/DATABASE, or what
                       PARLEY_STORE says, where a password belongs (default: nowhere)
  --key-file file      what they are sealed with; parley token new-key makes one
  --quota n            how many calls of one user of --users may be kept there; one more goes
                       on without (default 0: any number)
  --protocol-version v one that may be spoken with the server, the preferred one first; may be
                       repeated (default: all that the bridge knows)
  --dialect name       a proposal from before 2026-07-28 that the server follows: SEP-2322,
                       SEP-2322-draft, SEP-2322-draft-camel or SEP-1685. With SEP-2322,
                       versions may be the server's own
  --engine name        wasm (sandboxed) or native (default wasm)
  --timeout duration   how long the server may take for one request (default 10m0s)
  --heartbeat duration how often a 2025 client that waits for an answer is told so, if it asked
                       for progress (default 10s)
  --hold duration      how long a call of a 2026-07-28 client waits for its answers; then the
                       server is told that it is cancelled (default 10m0s)
  --max-held n         how many calls may wait like that at once (default 100)
  --max-sessions n     how many sessions there may be with clients, and as many with the
                       server (default 100)
  --idle duration      how long a session may go unused before it ends (default 1h0m0s)
  --max-requests n     how many requests over HTTP may be served at once (default 500)
  --max-connections n  how many connections there may be (default 1000); one that waits for
                       its next request makes room for another
  --max-body n         how long one message of a client over HTTP may be, in MiB (default 8)
  --max-memory n       how much the bridge may hold of messages over HTTP at once, in MiB: what
                       clients send until it is carried out, and what they have not read
                       (default 256)
  --user-share n       how many percent of these numbers one user of --users may take, but for
                       connections (default 25)
  --stall duration     how long a connection may take to send a request, wait for its next
                       one, or take nothing of an answer (default 1m0s; a header 10s)
  --grace duration     how long requests may take to end once the bridge is to stop; calls
                       that wait for somebody are kept, or end, at once (default 10s)
  -h, --help           print this text
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
		fmt.Print(usage)
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
	if server.Engine, end, err = program.Engine(c.engine, 0); err != nil {
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
	flags := flag.NewFlagSet("parley-bridge", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main reports the error; the usage is ours
	flags.StringVar(&c.listen, "listen", "", "")
	flags.Func("origin", "", func(s string) error { c.origins = append(c.origins, s); return nil })
	flags.Func("host", "", func(s string) error { c.hosts = append(c.hosts, s); return nil })
	flags.StringVar(&c.users, "users", "", "")
	flags.StringVar(&c.bearerFile, "bearer-file", "", "")
	c.signIn.define(flags)
	c.Server.Flags(flags)
	flags.StringVar(&c.engine, "engine", "wasm", "")
	flags.DurationVar(&c.timeout, "timeout", 10*time.Minute, "")
	flags.DurationVar(&c.heartbeat, "heartbeat", 10*time.Second, "")
	flags.DurationVar(&c.hold, "hold", 10*time.Minute, "")
	flags.IntVar(&c.maxHeld, "max-held", 100, "")
	flags.IntVar(&c.maxSessions, "max-sessions", 100, "")
	flags.DurationVar(&c.idle, "idle", time.Hour, "")
	c.clientLimits.define(flags)
	flags.StringVar(&c.storeURL, "store", "", "")
	flags.StringVar(&c.keyFile, "key-file", "", "")
	flags.IntVar(&c.quota, "quota", 0, "")
	ours, theirs, isCommand := args, []string(nil), false
	for i, arg := range args {
		if arg == "--" {
			ours, theirs, isCommand = args[:i], args[i+1:], true
			break
		}
	}
	if err := flags.Parse(ours); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, fmt.Errorf("%w (parley-bridge --help lists the flags)", err)
	}
	if err := c.target(flags.Args(), theirs, isCommand); err != nil {
		return nil, err
	}
	return c, c.check()
}

// target takes the server.
func (c *command) target(ours, theirs []string, isCommand bool) error {
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

// check looks at flags and their combinations.
func (c *command) check() error {
	switch {
	case c.timeout <= 0 || c.heartbeat <= 0 || c.hold <= 0 || c.idle <= 0:
		return errors.New("--timeout, --heartbeat, --hold and --idle must be positive")
	case c.hold > maxHold:
		return fmt.Errorf("--hold is %v at most", maxHold)
	case c.maxHeld < 1 || c.maxSessions < 1:
		return errors.New("--max-held and --max-sessions must be positive")
	case c.clientLimits.problem() != nil:
		return c.clientLimits.problem()
	case c.bearerFile != "" && c.URL == "":
		return errors.New("--bearer-file is for a URL: a command gets the environment")
	case c.listen == "" && (len(c.origins) > 0 || len(c.hosts) > 0 || c.users != ""):
		return errors.New("--origin, --host and --users need --listen")
	}
	var err error
	if c.storeURL, err = saved.Where(c.storeURL, os.Getenv); err != nil {
		return err
	}
	if (c.storeURL == "") != (c.keyFile == "") {
		return errors.New("--store and --key-file go together: what is kept is sealed, and everybody who shares the store has the same key")
	}
	if c.quota < 0 || c.quota > 0 && (c.storeURL == "" || c.users == "") {
		return errors.New("--quota is a number of calls, and needs --store and --users: it is of each user")
	}
	if err := c.checkSignIn(); err != nil {
		return err
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

// maxHold is less than the longest a requestState lives.
const maxHold = 7 * 24 * time.Hour
