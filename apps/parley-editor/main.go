// Command parley-editor is the helper process of an editor plug-in: it calls
// MCP servers and puts their questions to the editor, over JSON-RPC on standard
// input and output with the framing of language servers. README.md in this
// directory is its protocol.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/parley-mcp/parley/apps/desk/program"
	"github.com/parley-mcp/parley/apps/desk/saved"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

const usage = `usage: parley-editor [--state-dir DIR] [--store URL] [--key-file FILE] [--engine wasm|native]
       parley-editor --new-key FILE
       parley-editor --version

Speaks JSON-RPC on standard input and output, for editor plug-ins.

  --state-dir DIR   keep calls here, so that they can be parked and outlive the editor
  --store URL       keep calls there, and only accounts in DIR: file:DIR, or
                    redis://HOST:PORT or postgres://USER@HOST:PORT/DATABASE for
                    several machines. PARLEY_STORE says the same, and may have a password
  --key-file FILE   what they are sealed with: a file that --new-key made, best
                    in another place than DIR. Without both nothing is kept
  --engine NAME     wasm, in a sandbox (the default), or native
  --new-key FILE    make a key file, and nothing else
  --version         say which version this is
`

const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, in io.Reader, out io.WriteCloser, log io.Writer) int {
	flags := flag.NewFlagSet("parley-editor", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	stateDir := flags.String("state-dir", "", "")
	storeURL := flags.String("store", "", "")
	keyFile := flags.String("key-file", "", "")
	engine := flags.String("engine", "wasm", "")
	newKey := flags.String("new-key", "", "")
	showVersion := flags.Bool("version", false, "")
	err := flags.Parse(args)
	if err == nil {
		*storeURL, err = saved.Where(*storeURL, os.Getenv)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(log, usage)
		return exitDone
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case err == nil && (*stateDir == "" && *storeURL == "") != (*keyFile == ""):
		err = errors.New("--state-dir and --key-file go together, and so do --store and --key-file: what is kept is sealed, and only you can say where its key belongs")
	}
	if err != nil {
		fmt.Fprintf(log, "parley-editor: %v\n%s", err, usage)
		return exitUsage
	}
	switch {
	case *showVersion:
		fmt.Fprintf(out, "parley-editor %s, protocol %d\n", program.Version(), protocol)
		return exitDone
	case *newKey != "":
		err = makeKey(*newKey)
	default:
		err = serve(*engine, *storeURL, *stateDir, *keyFile, in, out)
	}
	if err != nil {
		fmt.Fprintf(log, "parley-editor: %v\n", err)
		return exitFailed
	}
	return exitDone
}

// serve runs until the editor hangs up, says exit or the process is told to
// end: every call that can be resumed is kept by then.
func serve(engineName, storeURL, stateDir, keyFile string, in io.Reader, out io.WriteCloser) error {
	engine, end, err := program.Engine(engineName, maxPeers)
	if err != nil {
		return err
	}
	defer end()
	signal.Ignore(syscall.SIGPIPE) // an editor that is gone is noticed by the write that fails
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	store, err := openStore(ctx, storeURL, stateDir, keyFile)
	if err != nil {
		return err
	}
	return newHost(engine, store, stateDir).serve(ctx, newFrames(in, out))
}

func makeKey(name string) error {
	line, err := seal.GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		return err
	}
	defer clear(line)
	return seal.CreateKeyFile(name, line)
}
