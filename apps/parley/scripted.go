package main

import (
	"errors"

	"github.com/parley-mcp/parley/apps/parley/internal/script"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
)

// scriptGroup comes after that of the model, which its check needs.
func (c *command) scriptGroup() flags.Group {
	return flags.Group{
		Text: "Answering without a person:\n",
		Flags: []flags.Flag{{Name: "script", Value: "FILE", To: &c.scriptFile,
			Text: "take the answers from a JSON file; see parley help script"}},
		Check: func() (err error) {
			switch {
			case c.scriptFile == "":
				return nil
			case c.model != nil && !c.sampleYes:
				return errors.New("--script with --sample-cmd needs --sample-yes: nobody is there to be asked")
			}
			c.script, err = script.Load(c.scriptFile)
			return err
		},
	}
}

const scriptHelp = `A --script file answers a call's questions when nobody is there. It is JSON:

{
  "answers": [
    {"key": "resolution", "action": "accept",
     "content": {"resolution": "Duplicate"}},
    {"key": "duplicate", "action": "decline"}
  ],
  "sample": [
    {"key": "summary", "text": "It is short.", "model": "a-model"}
  ],
  "roots": [
    {"uri": "file:///home/me/project", "name": "project"}
  ],
  "signIn": [
    {"action": "accept", "at": "login.example.com"}
  ]
}

answers  for forms and pages. The key is the server's name for the question:
         --trace shows it. Servers of versions before 2026-07-28 name none, or
         draw its name at random: the key is "" then. The action is accept,
         decline, cancel (which dismisses the question) or stop (which ends the
         call). To accept a form, give its content, which is sent as written
         here (null, numbers, lists and all); where there is nothing to fill in,
         it may be left out. To accept a page, give none: it is opened only if
         --browser is given. A question takes the first unused answer with its
         key, or else the first one with the key "".
sample   for a model, taken in the same way. The model's name may be left out.
         Questions without an entry go to --sample-cmd, if there is one.
roots    for every question about folders, after those of --root.
signIn   for a server that wants you to sign in, each time in its turn. The
         action is accept, decline or stop. "at" is the host, and port if it
         names one, where you sign in, and no other will do; it may be left
         out, except if the server has people sign in elsewhere than before: it
         says that you agree. The page is opened as --browser or BROWSER say, or
         its address is printed. Without an entry the call ends: sign in with
         parley login.

Each part may be left out. A question without an answer ends the call, and
parley says what is missing; answers that nothing asked for are reported at the
end. A question may come again if its answer cannot be used: give it a second
one.
`
