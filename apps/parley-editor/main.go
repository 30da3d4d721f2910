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

	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

const usage = `usage: parley-editor [--state-dir DIR] [--store URL] [--key-file FILE] [--engine wasm|native]
       parley-editor --new-key FILE
       parley-editor --version

Speaks JSON-RPC on standard input and output, for editor plug-ins.
`

// command is what the command line says.
type command struct {
	stateDir, storeURL, keyFile string
	engine                      string
	newKey                      string
	version                     bool
}

func (c *command) groups() []flags.Group {
	return []flags.Group{{
		Flags: []flags.Flag{
			{Name: "state-dir", Value: "DIR", To: &c.stateDir, Text: "keep calls here, so that they can be parked and outlive the editor"},
			{Name: "store", Value: "URL", To: &c.storeURL, Text: "keep calls there, and only accounts in DIR: file:DIR, or redis://HOST:PORT or " +
				"postgres://USER@HOST:PORT/DATABASE for several machines. PARLEY_STORE says the same, and may have a password"},
			{Name: "key-file", Value: "FILE", To: &c.keyFile,
				Text: "what they are sealed with: a file that --new-key made, best in another place than DIR. Without both nothing is kept"},
			{Name: "engine", Value: "NAME", Default: "wasm", To: &c.engine, Text: "wasm, in a sandbox, or native"},
			{Name: "new-key", Value: "FILE", To: &c.newKey, Text: "make a key file, and nothing else"},
			{Name: "version", To: &c.version, Text: "say which version this is"},
		},
		Check: func() (err error) {
			if c.storeURL, err = saved.Where(c.storeURL, os.Getenv); err != nil {
				return err
			}
			if (c.stateDir == "" && c.storeURL == "") != (c.keyFile == "") {
				return errors.New("--state-dir and --key-file go together, and so do --store and --key-file: what is kept is sealed, and only you can say where its key belongs")
			}
			return nil
		},
	}}
}

func (c *command) read(args []string) error {
	groups := c.groups()
	before, after, err := flags.Parse(groups, args)
	switch others := append(before, after...); {
	case err != nil:
		return err
	case len(others) > 0:
		return fmt.Errorf("unexpected argument %q", others[0])
	}
	return flags.Check(groups)
}

const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, in io.Reader, out io.WriteCloser, log io.Writer) int {
	c := &command{}
	help := usage + flags.Help(c.groups())
	err := c.read(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(log, help)
		return exitDone
	case err != nil:
		fmt.Fprintf(log, "parley-editor: %v\n%s", err, help)
		return exitUsage
	case c.version:
		fmt.Fprintf(out, "parley-editor %s, protocol %d\n", system.Version(), protocol)
		return exitDone
	case c.newKey != "":
		err = makeKey(c.newKey)
	default:
		err = serve(c.engine, c.storeURL, c.stateDir, c.keyFile, in, out)
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
	engine, end, err := system.Engine(engineName, maxPeers)
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
