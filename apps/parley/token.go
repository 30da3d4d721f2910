package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// tokenCommand is what the command line of parley token says: what a server's
// operator does with the codec. Keys come from files, and tokens from files or
// standard input: arguments can be seen by others and stay in a shell's history.
type tokenCommand struct {
	out     *output
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

func tokenVerb(out *output) *verb {
	c := &tokenCommand{out: out}
	return &verb{
		name: "token", brief: "for operators of servers: requestState",
		text: `For operators of servers that seal their requestState with Parley's codec. Keys
come from the file that --key-file FILE or PARLEY_KEY_FILE names, which only its
owner may use (chmod 600); tokens come from FILE or standard input. Neither is
ever an argument: others can see those, and the shell remembers them.
parley help token rotate, say, tells more.
`,
		examples: `  parley token new-key server.key
  export PARLEY_KEY_FILE=server.key
  parley token inspect < token.txt
  printf hello | parley token seal --context parley-sdk/1 | parley token open
  parley token rotate accept
`,
		exits: tokenExits,
		verbs: []*verb{c.inspectVerb(), c.openVerb(), c.sealVerb(), c.newKeyVerb(), c.rotateVerb()},
	}
}

const tokenExits = `  0    done
  2    wrong usage
  3    it failed: the token does not open, a file cannot be used
`

// finish adds what the verbs of parley token have in common.
func (c *tokenCommand) finish(v verb, run func(context.Context, *console.Console) error) *verb {
	v.secret, v.local, v.exits = true, true, tokenExits
	v.run = func(ctx context.Context, screen *console.Console) int {
		c.keyFile = cmp.Or(c.keyFile, os.Getenv(envKeyFile))
		err := run(ctx, screen)
		if err == nil {
			return exitDone
		}
		screen.Fail("%s", plain.Line(tokenReason(err), maxMessage))
		if errors.Is(err, errNoKeyFile) {
			return exitUsage
		}
		return exitFailed
	}
	return &v
}

func (c *tokenCommand) keyFileFlag() flags.Flag {
	return flags.Flag{Name: "key-file", Value: "FILE", To: &c.keyFile, Text: "the file with the keys; PARLEY_KEY_FILE says the same"}
}

func (c *tokenCommand) contextFlag() flags.Flag {
	return flags.Flag{Name: "context", Value: "CONTEXT", To: &c.context,
		Text: "what the token is for: it opens under the same context only. parley-guard/1 is a Guard's, parley-sdk/1 an SDK's own"}
}

func (c *tokenCommand) suiteFlag() flags.Flag {
	return flags.Flag{Name: "suite", Value: "SUITE", To: &c.suite, Text: "of a new key: 11, or 21 or 22 for age tokens"}
}

// readFile takes the file with a token, if there is one.
func (c *tokenCommand) readFile(name string) func(before, after []string) error {
	return func(before, after []string) error {
		args := append(before, after...)
		if len(args) > 1 {
			return fmt.Errorf("token %s takes one FILE, or standard input", name)
		}
		if len(args) == 1 && args[0] != "-" {
			c.file = args[0]
		}
		return nil
	}
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
