package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
	"github.com/parley-mcp/parley/apps/parley/internal/script"
	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/server"
)

// command is what the command line says.
type command struct {
	name string // of the verb

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

// verbs are parley's commands, as the help lists them.
func (c *command) verbs() []*verb {
	return []*verb{
		c.callVerb(), c.promptVerb(), c.readVerb(), c.discoverVerb(), c.toolsVerb(), c.loginVerb(), c.logoutVerb(), c.accountsVerb(),
		c.resumeVerb(), c.parkedVerb(), c.discardVerb(), c.exportVerb(), c.importVerb(), storeVerb(), tokenVerb(c.out), c.versionVerb(), c.helpVerb(),
	}
}

// parse reads the command line of a program. With an error, the verb is what help is
// there on; it may be nil.
func (c *command) parse(args []string) (*verb, error) {
	if len(args) == 0 {
		return nil, errors.New("there is no command")
	}
	name := args[0]
	switch {
	case isHelp(name):
		name = "help"
	case name == "-version" || name == "--version":
		name = "version"
	}
	v, rest := find(c.verbs(), append([]string{name}, args[1:]...))
	if v == nil {
		return nil, fmt.Errorf("there is no command %q", name)
	}
	c.name = v.name
	return v, v.parse(rest)
}

// readNothing takes no arguments.
func (c *command) readNothing(before, after []string) error {
	if len(before)+len(after) > 0 {
		return fmt.Errorf("%s takes no arguments", c.name)
	}
	return nil
}
