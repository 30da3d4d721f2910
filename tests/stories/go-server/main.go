// Command go-server is an MCP server whose tools, prompt and resource all ask
// for input before they answer. README.md in this directory describes them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/tests/conformance/server"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

const usage = `go-server is an MCP server (protocol %s, Streamable HTTP, no sessions, or stdio)
whose every feature asks for input before it answers, to try a client against.

Usage: go-server [flags]

Once it listens it prints one line, "listening on URL", on standard output.
The log goes to standard error: a line for each round, and why a requestState
was refused. Interrupt it (Ctrl-C, SIGTERM) to stop.

  -addr host:port   where to listen; port 0 takes a free one (default 127.0.0.1:8080)
  -stdio            serve one client over standard input and output, until its end;
                    connect_account has no page then
  -ttl duration     how long a client may take to answer a round, up to 720h (default 24h0m0s)
  -key-file name    the keys that seal requestState, for several instances; SIGHUP reads
                    them again (default: a new key that ends with the process)
  -audience name    the service, the same on all instances with these keys (default parley-go-server)
  -single-use name  let a requestState of this tool or prompt be used once, on this instance;
                    may be repeated
  -users name       a file of lines "user token": nobody else may call, by bearer token
  -step duration    how long each of provision's five steps takes (default 30s)
  -json             answer with application/json instead of an event stream
  -origin URL       let pages of this web origin call the server; may be repeated
  -conformance      also offer what the MCP conformance suite calls, for no web page
  -h                print this text

Tools:
  get_weather {location}           one form
  update_work_item {id, state}     state "Resolved": a form, for a duplicate another
  provision_vm {size, region?}     consent to a cost: boolean, integer, choice of several
  summarise {text}                 sampling with the client's model
  list_files {}                    roots, in a round without requestState
  connect_account {account?}       a page to open, until its button was pressed
  plan_trip {destination}          a form, sampling and roots in one round
  busy_report {waits?}             rounds with nothing but requestState
  book_room {team}                 two forms, in straight code
  provision {name}                 consent to a cost, then a task of some minutes, which asks too
Prompt:
  code_review {code?}              one form
Resource:
  parley://report/quarterly        one form
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "go-server:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var addr, keyFile, userFile string
	var stdio, suite bool
	o := stories.Options{Logger: slog.New(slog.NewTextHandler(stderr, nil))}
	flags := flag.NewFlagSet("go-server", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main reports the error; the usage is ours
	flags.StringVar(&addr, "addr", "127.0.0.1:8080", "")
	flags.BoolVar(&stdio, "stdio", false, "")
	flags.DurationVar(&o.TTL, "ttl", stories.DefaultTTL, "")
	flags.DurationVar(&o.Step, "step", stories.DefaultStep, "")
	flags.StringVar(&keyFile, "key-file", "", "")
	flags.StringVar(&o.Audience, "audience", stories.DefaultAudience, "")
	flags.Func("single-use", "", func(s string) error { o.SingleUse = append(o.SingleUse, s); return nil })
	flags.StringVar(&userFile, "users", "", "")
	flags.BoolVar(&o.JSON, "json", false, "")
	flags.Func("origin", "", func(s string) error { o.Origins = append(o.Origins, s); return nil })
	flags.BoolVar(&suite, "conformance", false, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, usage, stories.ProtocolVersion)
		return err
	} else if err != nil {
		return fmt.Errorf("%w (go-server -h lists the flags)", err)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.TTL <= 0 || o.TTL > codec.MaxTTL {
		return fmt.Errorf("-ttl must be positive, and %v at most: %v", codec.MaxTTL, o.TTL)
	}
	if o.Step <= 0 {
		return fmt.Errorf("-step must be positive: %v", o.Step)
	}
	if suite && len(o.Origins) > 0 {
		return errors.New("-conformance serves no web pages: leave out -origin")
	}
	if suite && userFile != "" {
		return errors.New("-conformance serves anybody: leave out -users")
	}
	if stdio && (suite || userFile != "" || len(o.Origins) > 0) {
		return errors.New("-stdio serves one client: leave out -users, -origin and -conformance")
	}
	var err error
	if keyFile != "" {
		if o.Codec, err = sealing(ctx, keyFile, o.Logger); err != nil {
			return err
		}
	}
	if userFile != "" {
		if o.Users, err = readUsers(userFile); err != nil {
			return err
		}
	}
	if stdio {
		if err := stories.NewServer(o).Run(ctx, &mcp.StdioTransport{}); ctx.Err() == nil {
			return err
		}
		return nil
	}

	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%w: choose a port with -addr 127.0.0.1:N, or have a free one chosen with -addr 127.0.0.1:0", err)
	}
	server := &http.Server{Handler: routes(o, suite), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	fmt.Fprintf(stdout, "listening on http://%s/mcp\n", reachable(l.Addr()))

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	// Rounds are short; what is left after a second is a client's open stream.
	grace, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	return nil
}

// routes returns the server's paths. With the suite's fixtures there is /mcp only.
func routes(o stories.Options, suite bool) http.Handler {
	mux := http.NewServeMux()
	if suite {
		mux.Handle("/mcp", conformance.Handler(o))
		return mux
	}
	handler := stories.Handler(o)
	mux.Handle("/mcp", handler)
	mux.Handle("/connect/", handler)
	return mux
}

// reachable returns an address to connect to for one that listens on all.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	return a.String()
}
