package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// tokenCommand is what the command line of parley token says: what a server's
// operator does with the codec. Keys come from files, and tokens from files or
// standard input: arguments can be seen by others and stay in a shell's history.
type tokenCommand struct {
	out     *output
	verb    string // inspect, open, seal, new-key or rotate
	file    string // to read from or, for new-key, to make; empty for standard input
	keyFile string // empty if none was named
	context string // empty if none was given

	json, state bool // of inspect

	suite     string // of a new key
	phase     string // of rotate: accept, activate, drop, or empty
	key       string // of rotate: a key's id, or empty
	snapshots bool   // of rotate: the keys of parked calls
	stateDir  string
	storeURL  string
}

// The environment names files, as the flags do.
const (
	envKeyFile         = "PARLEY_KEY_FILE"
	envSnapshotKeyFile = "PARLEY_SNAPSHOT_KEY_FILE"
)

var tokenVerbs = []string{"inspect", "open", "seal", "new-key", "rotate"}

func parseToken(args []string) (*tokenCommand, error) {
	if len(args) > 0 && slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		return nil, flag.ErrHelp
	}
	if len(args) == 0 || !slices.Contains(tokenVerbs, args[0]) { // which may be a token, and is not repeated
		return nil, errors.New("token needs one of " + strings.Join(tokenVerbs, ", "))
	}
	c := &tokenCommand{verb: args[0], keyFile: os.Getenv(envKeyFile)}
	flags := flag.NewFlagSet("token "+c.verb, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if c.verb != "new-key" {
		flags.StringVar(&c.keyFile, "key-file", c.keyFile, "")
	}
	switch c.verb {
	case "inspect":
		flags.StringVar(&c.context, "context", "", "")
		flags.BoolVar(&c.json, "json", false, "")
		flags.BoolVar(&c.state, "state", false, "")
	case "open", "seal":
		flags.StringVar(&c.context, "context", "", "")
	case "rotate":
		flags.BoolVar(&c.snapshots, "snapshots", false, "")
		flags.StringVar(&c.stateDir, "state-dir", "", "")
		flags.StringVar(&c.storeURL, "store", "", "")
		flags.StringVar(&c.suite, "suite", "", "")
	case "new-key":
		flags.StringVar(&c.suite, "suite", "", "")
	}
	before, after, err := interspersed(flags, args[1:])
	switch {
	case err == nil:
		err = c.readPositional(append(before, after...))
	case !errors.Is(err, flag.ErrHelp): // what it repeats may be a token or a key: some begin with "-"
		err = fmt.Errorf("token %s has no such flag, or a flag of it no such value", c.verb)
	}
	return c, err
}

func (c *tokenCommand) readPositional(args []string) error {
	switch c.verb {
	case "new-key":
		if len(args) != 1 {
			return errors.New("token new-key needs the FILE to make, or - for standard output")
		}
		c.file = args[0]
	case "rotate":
		return c.readRotation(args)
	default:
		if len(args) > 1 {
			return fmt.Errorf("token %s takes one FILE, or standard input", c.verb)
		}
		if len(args) == 1 && args[0] != "-" {
			c.file = args[0]
		}
		if c.verb == "seal" && c.context == "" {
			return fmt.Errorf("token seal needs --context, such as %s", codec.ContextSDK)
		}
	}
	return nil
}

// run does what the command line says and returns the exit code.
func (c *tokenCommand) run(ctx context.Context, screen *console.Console) int {
	var err error
	switch c.verb {
	case "inspect":
		err = c.inspect()
	case "open":
		err = c.open()
	case "seal":
		err = c.seal()
	case "new-key":
		err = c.newKey(screen)
	case "rotate":
		err = c.rotate(ctx, screen)
	}
	if err == nil {
		return exitDone
	}
	screen.Fail("%s", plain.Line(tokenReason(err), mostMessage))
	if errors.Is(err, errNoKeyFile) {
		return exitUsage
	}
	return exitFailed
}

// tokenReason is why nothing came of the command, in words for the operator.
func tokenReason(err error) string {
	var refused *codec.Error
	if errors.As(err, &refused) && !refused.Minting {
		switch refused.Code {
		case refusal.UnknownKey:
			return "it does not open: the key it names is not in the key file"
		case refusal.Forged:
			return "it does not open: it was changed, or sealed under another context, or with another secret"
		case refusal.Malformed:
			return "this is no token: it has another form"
		case refusal.TooLarge:
			return "this is no token: it is too long for one"
		}
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "seal: "), "codec: ")
}

var errNoKeyFile = errors.New("which keys? --key-file FILE or the variable " + envKeyFile + " names the key file")

func (c *tokenCommand) ring() (*codec.KeyRing, error) {
	if c.keyFile == "" {
		return nil, errNoKeyFile
	}
	return seal.LoadKeyFile(c.keyFile)
}

// input reads the file that was named, or standard input. An error does not
// repeat the name: it may be a token that somebody took for an argument.
func (c *tokenCommand) input(most int) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if c.file != "" {
		f, err := os.Open(c.file)
		if err != nil {
			return nil, errors.New("the FILE cannot be opened (a token itself goes to standard input): " + causeOf(err))
		}
		defer f.Close()
		in = f
	} else if term.IsTerminal(os.Stdin.Fd()) {
		fmt.Fprintln(os.Stderr, "reading from the terminal; Ctrl-D ends it")
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	switch {
	case err != nil:
		return nil, errors.New("the input cannot be read: " + causeOf(err))
	case len(data) > most:
		return nil, &codec.Error{Code: refusal.TooLarge}
	}
	return data, nil
}

func causeOf(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}
