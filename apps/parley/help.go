package main

import (
	"context"
	"fmt"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
)

func (c *command) helpVerb() *verb {
	var topic []string
	return &verb{
		name: "help", args: []string{"[COMMAND | script]"}, brief: "show more; script: about --script files",
		read: func(before, after []string) error {
			topic = append(before, after...)
			return nil
		},
		local: true, run: func(context.Context, *console.Console) int {
			fmt.Fprint(c.out, c.help(topic))
			return exitDone
		},
	}
}

// help is about a command, about --script files, or about parley itself.
func (c *command) help(topic []string) string {
	if len(topic) > 0 && topic[0] == "script" {
		return scriptHelp
	}
	switch v, _ := find(c.verbs(), topic); {
	case v == nil || v.name == "help":
	case len(v.verbs) == 1:
		return v.verbs[0].help()
	default:
		return v.help()
	}
	return intro + "Usage:\n" + list(c.verbs()) + overview + "\nExit codes:\n" + callExits
}

// seeHelp says where there is more on a verb, which may be nil.
func seeHelp(v *verb) string {
	if v == nil || v.name == "help" {
		return "See  parley help"
	}
	return "See  parley help " + v.name
}

const intro = `parley calls a tool of an MCP server and asks you the questions that come back,
until there is a result. The server is behind a URL (Streamable HTTP) or is a
command (stdio), of any protocol version from 2025-03-26 to 2026-07-28, and of
2024-11-05 if it is a command.

`

const overview = `
A server that is a command comes last, after --, instead of the URL:
  parley call TOOL [ARGUMENTS] -- COMMAND [ITS ARGUMENTS]

Examples:
  parley call http://127.0.0.1:8080/mcp update_work_item id:=4711 state=Resolved
  parley tools -- ./my-server --verbose

The result goes to standard output, everything else to standard error. You can
answer a question, decline it (the server is told no) or dismiss it (it is
closed without choosing). You can also park the call (everything is kept for
later) or stop it. You see an answer in full before it is sent. A server of a
protocol version before 2026-07-28 waits for most answers itself; while it does,
its call cannot be parked, and parley says so. What a server says is shown as
text only: control characters and others that cannot be seen are spelled out,
as ␛ or <U+202E>. A pipe or a file gets what the server sent.

A tool that takes long may continue as a task, which parley asks about until it
ends. Ctrl-C then offers to park, which leaves the task running, or to stop,
which cancels it.

A server behind a URL may want you to sign in. Parley asks you, shows which host
will ask for your password, opens the browser there, and goes on with the call;
parley help login says more.

Calls are saved while they run, encrypted, in files that only you may read;
parley help call says more.
`

const callExits = `  0    there is a result
  1    there is a result, and the tool says it is an error
  2    wrong usage; nothing was sent
  3    the call failed: no connection, an error of the server, a question that
       nobody answers; or the result could not be written whole
  4    you stopped the call
  5    the call is parked: by you, or by Ctrl-C or a signal
  6    the call is in doubt: the tool was called, no answer came, and it may or
       may not have run. The call is parked, unless --no-save is given
  130  interrupted by Ctrl-C or a signal before anything was asked, or with
       --no-save, and nothing is in doubt
`

const lookExits = `  0    done
  2    wrong usage; nothing was sent
  3    it failed: no connection, an error of the server, a question that nobody
       answers; or the result could not be written whole
  4    you stopped it when you were asked something
  130  interrupted by Ctrl-C or a signal
`

const localExits = `  0    done
  2    wrong usage
  3    it failed
`
