package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

func (c *command) loginVerb() *verb {
	scope := flags.Flag{Name: "scope", Value: "'SCOPES'", To: &c.scope,
		Text: "what the account is to allow, if the server does not say so before it is called: scopes, with spaces between them"}
	return &verb{
		name: "login", args: []string{"URL [FLAGS]"}, brief: "sign in to a server beforehand",
		text: `Signs in to a server, so that no call has to ask. A call asks by itself when the
server wants it, also in the middle and for more than before, and continues
afterwards: use this for scripts and jobs where nobody is there, or to be asked
once. The server may ask you something meanwhile, as in a call.

You sign in at the authorization server that the server names, in your browser;
parley shows its host first. Without a terminal, and if neither --browser nor
BROWSER says what opens the page, its address is printed. The account is kept
beside the parked calls, in the directory accounts, encrypted. The key is in the
system's keyring or, where there is none, in a file beside the accounts; which
one it is stays so. Tokens are renewed when they expire, go to this server only,
and are never shown.
`,
		examples: "  parley login https://mcp.example.com/mcp --scope 'items items:write'\n",
		groups:   c.lookGroups("The server:\n", scope),
		exits:    lookExits, read: c.readURL, run: c.login,
	}
}

func (c *command) logoutVerb() *verb {
	return &verb{
		name: "logout", args: []string{"URL [FLAGS]"}, brief: "sign out of it",
		text: `Signs out of a server: its authorization server is told to revoke the tokens, if
it offers that, and the account is deleted here in any case. A parked call of
the account cannot be resumed as another one.
`,
		groups: []flags.Group{{Flags: []flags.Flag{c.labelFlag()}}, c.meansGroup(), c.accountGroup()},
		exits:  lookExits, read: c.readURL, run: c.logout,
	}
}

func (c *command) accountsVerb() *verb {
	return &verb{
		name: "accounts", args: []string{"[FLAGS]"}, brief: "list where you are signed in",
		text: `Lists where you are signed in: the server, its authorization server, who you are
there if that is known, what the account allows, and since when. Tokens are not
shown, with --json neither.
`,
		groups: []flags.Group{{Flags: []flags.Flag{c.jsonFlag()}}, c.accountGroup()},
		exits:  localExits, read: c.readNothing, local: true, run: c.listAccounts,
	}
}

// accountGroup is about where accounts are kept.
func (c *command) accountGroup() flags.Group {
	return flags.Group{Flags: []flags.Flag{stateFlag(&c.stateDir)}}
}

// readURL takes the URL of a server.
func (c *command) readURL(before, after []string) error {
	args := append(before, after...)
	if len(args) != 1 {
		return fmt.Errorf("%s needs the URL of one server", c.name)
	}
	err := c.byURL(args[0])
	if err == nil {
		c.SetLabel()
	}
	return err
}

// login signs in to a server before anything is called.
func (c *command) login(ctx context.Context, screen *console.Console) int {
	h, err := c.look(screen, false)
	if err != nil {
		return misused(screen, err)
	}
	defer h.conn.close()
	s := h.signer
	if ok, why := s.access.CanSignIn(); !ok {
		return misused(screen, why)
	}
	s.wanted = true
	if err := h.signsIn(ctx); err != nil {
		return c.unsigned(ctx, screen, err)
	}
	account, _, err := s.access.Account(ctx)
	if err != nil {
		return c.unsigned(ctx, screen, err)
	}
	screen.Say("%s: you are signed in %s", c.Label, signedIn(account))
	return exitDone
}

// unsigned says why nothing came of it, and returns the exit code.
func (c *command) unsigned(ctx context.Context, screen *console.Console, err error) int {
	switch {
	case errors.Is(err, errStopped):
		return exitStopped
	case errors.Is(err, dialog.ErrInterrupted), ctx.Err() != nil:
		screen.Fail("interrupted")
		return exitInterrupted
	}
	screen.Fail("%s", plain.Line(c.reason(err), maxMessage))
	return exitFailed
}

// signsIn asks the server for its tools, which shows whether it wants somebody to
// sign in. One that wants that later only is signed in to by what it has published.
func (h *host) signsIn(ctx context.Context) error {
	s := h.signer
	_, err := h.listTools(ctx)
	if err != nil {
		return err
	}
	account, signedIn, err := s.access.Account(ctx)
	if err != nil || signedIn && (h.scope == "" || covers(account.Scopes, h.scope)) {
		return err
	}
	status := 401
	if signedIn {
		status = 403
	} else if s.challenged.Load() { // and not by us
		return fmt.Errorf("%s was signed in to, and the account is gone", h.Label)
	}
	params, err := json.Marshal(map[string]any{"status": status, "scope": h.scope})
	if err == nil {
		_, err = s.authorize(ctx, parley.Question{Kind: engine.KindAuthorize, Params: params})
	}
	if !signedIn && errors.Is(err, oauth.ErrDiscovery) {
		return fmt.Errorf("%s lists its tools for everybody, and one cannot sign in beforehand: %w", h.Label, err)
	}
	return err
}

// covers reports whether scopes are among those that were granted.
func covers(granted []string, scopes string) bool {
	for scope := range strings.FieldsSeq(scopes) {
		found := false
		for _, g := range granted {
			found = found || g == scope
		}
		if !found {
			return false
		}
	}
	return true
}

// logout revokes and forgets the account at a server.
func (c *command) logout(ctx context.Context, screen *console.Console) int {
	s, err := c.newSigner(screen, nil)
	if err != nil {
		return misused(screen, err)
	}
	account, signedIn, err := s.access.Account(ctx)
	if err == nil && !signedIn {
		screen.Say("nobody is signed in to %s", c.Label)
		return exitDone
	}
	wait := screen.Wait("signing out at " + plain.Line(hostOf(account.Issuer), maxMessage))
	if out := s.access.SignOut(ctx); out != nil { // also of an account that cannot be read
		err = out
	}
	wait.Done()
	if err != nil {
		return c.unsigned(ctx, screen, err)
	}
	screen.Say("signed out of %s", c.Label)
	return exitDone
}

// listAccounts lists the accounts that are signed in. It shows no token.
func (c *command) listAccounts(ctx context.Context, screen *console.Console) int {
	accounts, err := oauth.Accounts(ctx, c.accounts())
	err = account.Words(err)
	if c.json {
		if accounts == nil {
			accounts = []oauth.Account{}
		}
		text, _ := json.Marshal(map[string]any{"accounts": accounts})
		c.out.json(text)
	} else {
		for _, a := range accounts {
			fmt.Fprintf(c.out, "%s  %s\n", plain.Line(a.URL, maxMessage), signedIn(a))
		}
	}
	switch {
	case err != nil:
		return c.unsigned(ctx, screen, err)
	case len(accounts) == 0 && !c.json:
		screen.Say("nobody is signed in anywhere")
	}
	return exitDone
}

// publicURL is the server's address if it holds nothing that is no business of
// others; "" if not.
func (c *command) publicURL() string {
	at := server.HTTPURL(c.URL)
	if at == nil || at.User != nil || at.RawQuery != "" || at.Fragment != "" {
		return ""
	}
	return c.URL
}

// hostOf is an address's host and port.
func hostOf(address string) string {
	if at := server.HTTPURL(address); at != nil {
		return at.Host
	}
	return address
}
