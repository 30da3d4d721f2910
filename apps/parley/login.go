package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/parley-mcp/parley/apps/desk/account"
	"github.com/parley-mcp/parley/apps/desk/server"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// login signs in to a server before anything is called.
func (c *command) login(ctx context.Context, screen *console.Console) int {
	s, err := c.newSigner(screen, dialogs(c, screen, false))
	if err != nil {
		return misused(screen, err)
	}
	if ok, why := s.access.CanSignIn(); !ok {
		return misused(screen, why)
	}
	s.wanted = true
	if err := c.signsIn(ctx, s); err != nil {
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
	screen.Fail("%s", plain.Line(c.reason(err), mostMessage))
	return exitFailed
}

// signsIn asks the server for its tools, which shows whether it wants somebody to
// sign in. One that wants that later only is signed in to by what it has published.
func (c *command) signsIn(ctx context.Context, s *signer) error {
	var challenged atomic.Bool
	authorize := func(ctx context.Context, q parley.Question) ([]byte, error) {
		challenged.Store(true)
		return s.authorize(ctx, q)
	}
	conn, err := c.connect(s.console, s, parley.Askers{Authorize: authorize}, false)
	if err != nil {
		return err
	}
	defer conn.close()
	_, err = c.listTools(ctx, conn, s)
	if err != nil {
		return err
	}
	account, signedIn, err := s.access.Account(ctx)
	if err != nil || signedIn && (c.scope == "" || covers(account.Scopes, c.scope)) {
		return err
	}
	status := 401
	if signedIn {
		status = 403
	} else if challenged.Load() { // and not by us
		return fmt.Errorf("%s was signed in to, and the account is gone", c.Label)
	}
	params, err := json.Marshal(map[string]any{"status": status, "scope": c.scope})
	if err == nil {
		_, err = s.authorize(ctx, parley.Question{Kind: engine.KindAuthorize, Params: params})
	}
	if !signedIn && errors.Is(err, oauth.ErrDiscovery) {
		return fmt.Errorf("%s lists its tools for everybody, and one cannot sign in beforehand: %w", c.Label, err)
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
	wait := screen.Wait("signing out at " + plain.Line(hostOf(account.Issuer), mostMessage))
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
		printJSON(os.Stdout, text)
	} else {
		for _, a := range accounts {
			fmt.Printf("%s  %s\n", plain.Line(a.URL, mostMessage), signedIn(a))
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
