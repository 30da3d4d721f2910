package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/parley-mcp/parley/apps/desk/account"
	"github.com/parley-mcp/parley/apps/desk/saved"
	"github.com/parley-mcp/parley/apps/desk/server"
	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
	"github.com/parley-mcp/parley/apps/parley/internal/script"
)

// command is what the command line says.
type command struct {
	name  string        // call, prompt, read, discover, tools, resume, login, logout, accounts, parked, discard, export, import, token, store, version or help
	token *tokenCommand // of token
	move  *moveCommand  // of store

	server.Server
	means   account.Means
	scope   string // of login
	method  string
	params  []byte
	subject string // "the tool NAME", for the questions
	blank   string // the prompt without arguments, or the template of a resource: what a person is asked to fill in

	engine        string
	timeout       time.Duration // 0 means no bound
	scriptFile    string
	script        *script.Script // nil if somebody is to be asked
	model         *sampler.Command
	sampleYes     bool
	sampleTimeout time.Duration
	rootDirs      []string
	browser       []string // nil for the system's
	unaccepted    error    // what it means if the server does not accept the authorization from a file; nil without one
	trace, json   bool
	serverLog     string // a file, empty for the screen
	logLevel      string // of what the server is asked to log, empty for nothing
	known         string // a file of versions, empty for none

	out        *output // standard output
	outputFile string  // of the result, empty for standard output, - for that without anything around it
	interrupts interrupts

	stateDir string // empty for the usual place
	storeURL string // of calls, empty for files in stateDir
	noSave   bool
	asTask   bool   // of call
	id       string // of a parked call
	resend   bool
	again    bool
	file     string // to export to or import from, - for standard output or input
	keep     bool   // what is exported
}

// parse reads the command line of a program that writes to out. With
// flag.ErrHelp, the command says what help is wanted on.
func parse(args []string, out *output) (*command, error) {
	c := &command{out: out}
	if len(args) == 0 {
		return c, errors.New("there is no command")
	}
	switch name := args[0]; name {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 {
			c.name = args[1]
		}
		return c, flag.ErrHelp
	case "version", "-version", "--version":
		c.name = "version"
		return c, nil
	case "call", "prompt", "read", "discover", "tools", "resume", "login", "logout", "accounts", "parked", "discard", "export", "import":
		c.name = name
		return c, c.parse(args[1:])
	case "token":
		c.name = name
		var err error
		c.token, err = parseToken(args[1:])
		return c, err
	case "store":
		c.name = name
		var err error
		c.move, err = parseMove(args[1:])
		return c, err
	default:
		return c, fmt.Errorf("there is no command %q", name)
	}
}

func (c *command) parse(args []string) error {
	var sampleCommand, sampleModel, open string
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the errors are main's, the help is ours
	c.engine = "wasm"
	local := slices.Contains([]string{"logout", "accounts", "parked", "discard", "export", "import"}, c.name) // at most an authorization server is asked
	calls := slices.Contains([]string{"call", "prompt", "read", "resume"}, c.name)
	flags.StringVar(&c.stateDir, "state-dir", "", "")
	keeps := calls || slices.Contains([]string{"parked", "discard", "export", "import"}, c.name)
	if keeps {
		flags.StringVar(&c.storeURL, "store", "", "")
	}
	if !local || c.name == "logout" {
		c.means.Flags(flags)
	}
	switch c.name {
	case "login":
		flags.StringVar(&c.scope, "scope", "", "")
	case "logout":
		flags.StringVar(&c.Label, "label", "", "")
	case "export":
		flags.BoolVar(&c.keep, "keep", false, "")
	case "import":
		flags.StringVar(&c.Label, "label", "", "")
	}
	if c.name == "resume" {
		flags.BoolVar(&c.resend, "resend", false, "")
		flags.BoolVar(&c.again, "again", false, "")
	} else if !local {
		flags.DurationVar(&c.timeout, "timeout", time.Minute, "")
	}
	if calls {
		flags.StringVar(&c.outputFile, "output", "", "")
	}
	if calls && c.name != "resume" {
		flags.BoolVar(&c.noSave, "no-save", false, "")
	}
	if c.name == "call" {
		flags.BoolVar(&c.asTask, "task", false, "")
	}
	if !local && c.name != "resume" || c.name == "import" { // a saved call has them
		c.Server.Flags(flags)
	}
	if !local {
		flags.StringVar(&c.Label, "label", "", "")
		flags.StringVar(&c.engine, "engine", c.engine, "")
		flags.StringVar(&c.serverLog, "server-log", "", "")
		flags.StringVar(&c.known, "known", "", "")
	}
	if !local && c.name != "login" || c.name == "accounts" {
		flags.BoolVar(&c.json, "json", false, "")
	}
	if !local {
		flags.StringVar(&open, "browser", "", "")
	}
	if calls || c.name == "discover" {
		flags.BoolVar(&c.trace, "trace", false, "")
	}
	if !local { // a server may ask whatever it is asked for
		flags.StringVar(&c.logLevel, "log-level", "", "")
		flags.StringVar(&c.scriptFile, "script", "", "")
		flags.StringVar(&sampleCommand, "sample-cmd", "", "")
		flags.StringVar(&sampleModel, "sample-model", "", "")
		flags.BoolVar(&c.sampleYes, "sample-yes", false, "")
		flags.DurationVar(&c.sampleTimeout, "sample-timeout", 5*time.Minute, "")
		flags.Func("root", "", func(dir string) error { c.rootDirs = append(c.rootDirs, dir); return nil })
	}
	before, after, err := interspersed(flags, args)
	if err != nil {
		return err
	}
	if err := c.readPositional(before, after); err != nil {
		return err
	}
	if keeps {
		if c.storeURL, err = saved.Where(c.storeURL, os.Getenv); err != nil {
			return err
		}
	}
	switch {
	case c.Command != nil && c.means.IsGiven():
		return errors.New("a server that is a command has its secrets in its environment: flags about header fields and signing in go with a URL")
	case c.Command == nil:
		if err := c.means.Environment(os.Getenv); err != nil {
			return err
		}
	}
	if c.engine != "wasm" && c.engine != "native" {
		return fmt.Errorf("--engine is wasm or native, not %q", c.engine)
	}
	if c.timeout < 0 || c.sampleTimeout < 0 {
		return errors.New("a timeout cannot be negative")
	}
	if err := errors.Join(checkLogLevel(c.logLevel), c.checkOutputFile()); err != nil {
		return err
	}
	if open != "" {
		if c.browser, err = sampler.Split(open); err != nil {
			return fmt.Errorf("--browser: %w", err)
		}
	}
	if sampleCommand != "" {
		words, err := sampler.Split(sampleCommand)
		if err != nil {
			return fmt.Errorf("--sample-cmd: %w", err)
		}
		c.model = &sampler.Command{Words: words, Model: sampleModel}
	} else if sampleModel != "" || c.sampleYes && c.name != "resume" {
		return errors.New("--sample-model and --sample-yes go with --sample-cmd")
	}
	if c.scriptFile == "" {
		return nil
	}
	if c.model != nil && !c.sampleYes {
		return errors.New("--script with --sample-cmd needs --sample-yes: nobody is there to be asked")
	}
	c.script, err = script.Load(c.scriptFile)
	return err
}

// readPositional takes the arguments that are no flags, before and after "--".
func (c *command) readPositional(before, after []string) error {
	switch c.name {
	case "parked", "accounts":
		if len(before)+len(after) > 0 {
			return fmt.Errorf("%s takes no arguments", c.name)
		}
		return nil
	case "login", "logout":
		args := append(before, after...)
		if len(args) != 1 {
			return fmt.Errorf("%s needs the URL of one server", c.name)
		}
		err := c.byURL(args[0])
		if err == nil {
			c.SetLabel()
		}
		return err
	case "export":
		args := append(before, after...)
		if len(args) < 1 || len(args) > 2 {
			return fmt.Errorf("export needs the ID of one parked call, and perhaps a FILE; this lists them:  %s", c.line("parked"))
		}
		c.id, c.file = args[0], args[0]+".parley"
		if len(args) == 2 {
			c.file = args[1]
		}
		return nil
	case "import":
		if len(before) != 1 {
			return errors.New("import needs the FILE that a parked call was exported to, or - for standard input")
		}
		c.file = before[0]
		if after == nil {
			return nil
		}
		return c.byCommand(after)
	case "resume", "discard":
		args := append(before, after...)
		if len(args) != 1 {
			return fmt.Errorf("%s needs the ID of one parked call; this lists them:  %s", c.name, c.line("parked"))
		}
		c.id = args[0]
		return nil
	}
	args, err := c.readServer(before, after)
	if err != nil {
		return err
	}
	return c.readRequest(args)
}

// interspersed parses flags before, between and after the other arguments,
// which it returns. What follows "--" is no flag; after is nil if there is no
// "--".
func interspersed(flags *flag.FlagSet, args []string) (before, after []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, nil, err
		}
		rest := flags.Args()
		if parsed := len(args) - len(rest); parsed > 0 && args[parsed-1] == "--" {
			return before, append([]string{}, rest...), nil
		}
		if len(rest) == 0 {
			return before, nil, nil
		}
		before, args = append(before, rest[0]), rest[1:]
	}
}
