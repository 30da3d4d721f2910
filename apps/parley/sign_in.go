package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/parley/internal/script"
	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// signer signs in to the server when it wants that: the person is asked in two
// steps, whether and where, or the script has the answer.
type signer struct {
	*command
	console *console.Console
	dialogs *dialog.Screen // nil if nobody can be asked
	access  *account.Access
	wanted  bool // the person has said so already: parley login

	turn  sync.Mutex
	watch *watch                    // of the connection
	pause func() (resume func())    // stops a clock while somebody is asked; may be nil
	shows func()                    // is told that something is put to somebody; may be nil
	ends  func(how error) (e error) // makes of how a dialog ended what becomes of the call; nil: as it is

	challenged atomic.Bool // the server has wanted it
	shown      bool
	answer     *script.SignIn
	host       string         // of the authorization server
	open       sync.WaitGroup // dialogs on the screen while the browser is
}

// meansGroup is about signing in and what else authorizes requests.
func (c *command) meansGroup() flags.Group {
	return flags.Group{
		Text: `Signing in, and secrets, for servers behind a URL. Each flag but --header may be
in the environment instead, for all servers, as PARLEY_ and its name:
PARLEY_BEARER_FILE, say. Files that others may read are refused.
`,
		Flags: c.means.Flags(),
		Check: func() error {
			switch {
			case c.Command == nil:
				return c.means.Environment(os.Getenv)
			case c.means.IsGiven():
				return errors.New("a server that is a command has its secrets in its environment: flags about header fields and signing in go with a URL")
			}
			return nil
		},
	}
}

// newSigner makes what authorizes requests to the command's server. It sends
// nothing.
func (c *command) newSigner(screen *console.Console, dialogs *dialog.Screen) (*signer, error) {
	s := &signer{command: c, console: screen, dialogs: dialogs}
	var err error
	s.access, err = account.New(&c.Server, c.means, c.accounts(), account.Person{Ask: s.ask, Change: s.change, Choose: s.choose, Open: s.visit})
	return s, err
}

// accounts is where accounts are kept: beside the parked calls. Where there is no
// place for those, an account ends with the program.
func (c *command) accounts() oauth.Store {
	dir, err := stateDir(c.stateDir)
	if err != nil {
		return &oauth.Memory{}
	}
	return account.Store(dir)
}

// asker is the signer for [parley.Askers], nil if nobody is asked to sign in.
func (s *signer) asker() asker {
	if fixed, why := s.access.IsFixed(); fixed {
		s.unaccepted = why
		return nil
	}
	return s.authorize
}

// authorize is for [parley.Askers].
func (s *signer) authorize(ctx context.Context, q parley.Question) ([]byte, error) {
	s.challenged.Store(true)
	s.turn.Lock()
	defer s.turn.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.pause != nil {
		defer s.pause()()
	}
	s.watch.ask()
	defer s.watch.asked()
	s.console.Hold()
	defer s.console.Release()
	s.shown, s.host = false, ""
	if q.Problem != "" {
		s.console.Warn("%s", plain.Line(q.Problem.String(), maxMessage))
	}
	raw, err := s.access.Authorize(ctx, q)
	s.open.Wait()
	switch {
	case err != nil:
		return nil, err
	case s.host != "":
		s.console.Done("signed in at %s", plain.Line(s.host, maxMessage))
	}
	return raw, nil
}

// ask puts the first question: whether to sign in.
func (s *signer) ask(ctx context.Context, p oauth.Prompt) error {
	if s.wanted {
		return nil
	}
	if s.dialogs == nil && (s.script == nil || len(s.script.SignIns) == 0) {
		return fmt.Errorf("%s wants you to sign in (HTTP status %d), and nobody is here to be asked: run  %s  first%s", s.Label, p.Status, s.loginLine(p), ended(p))
	}
	s.show()
	more := p.Status == 403
	if more {
		s.console.Head("%s wants you to allow more", s.Label)
	} else {
		s.console.Head("%s wants you to sign in", s.Label)
	}
	if s.subject != "" {
		s.console.Trace("for %s", s.subject)
	}
	if p.Account.Label != "" {
		s.console.Entry("you signed in", signedIn(p.Account))
	}
	if len(p.Scopes) > 0 {
		s.console.Entry("it asks for", strings.Join(p.Scopes, " "))
	}
	if p.Reason != "" && !more {
		s.console.Entry("it says", p.Reason)
	}
	if p.Over != nil {
		s.console.Entry("the last sign-in is over", p.Over.Text)
	}
	if s.script != nil {
		return s.scripted(p)
	}
	chosen, err := s.dialogs.Choose(ctx, "Sign in to "+plain.Line(p.Host, maxMessage)+"?", "Sign in", notNow)
	if err == nil && chosen == 1 {
		return s.refused()
	}
	return s.ended(err)
}

// ended is why the last sign-in is over, to follow another sentence.
func ended(p oauth.Prompt) string {
	if p.Over == nil {
		return ""
	}
	return ". The last sign-in is over: " + p.Over.Text
}

// notNow is what ends the request, but not the call for good.
const notNow = "Not now"

func (s *signer) refused() error {
	s.console.Done("not now")
	return fmt.Errorf("%s wants you to sign in, and you did not", s.Label)
}

func (s *signer) scripted(p oauth.Prompt) error {
	switch s.answer = s.script.SignIn(); {
	case s.answer == nil:
		return fmt.Errorf(`%s has no answer left for signing in to %s; add one to its "signIn": {"action": "accept"}, or run  %s  first`,
			s.scriptFile, p.Host, s.loginLine(p))
	case s.answer.Action == script.Stop:
		return s.ended(dialog.ErrStop)
	case s.answer.Action == script.Decline:
		return s.refused()
	}
	return nil
}

// choose lets the person choose where to sign in.
func (s *signer) choose(ctx context.Context, issuers []string) (string, error) {
	switch {
	case s.answer != nil && s.answer.At != "":
		for _, issuer := range issuers {
			if hostOf(issuer) == s.answer.At {
				return issuer, nil
			}
		}
		return "", s.elsewhere(strings.Join(issuers, ", "))
	case s.dialogs == nil:
		return issuers[0], nil
	}
	s.show()
	options := make([]string, len(issuers))
	for i, issuer := range issuers {
		options[i] = plain.Line(issuer, maxKey)
	}
	chosen, err := s.dialogs.Choose(ctx, "Where do you sign in? "+s.Label+" accepts several.", append(options, notNow)...)
	switch {
	case err != nil:
		return "", s.ended(err)
	case chosen == len(issuers):
		return "", s.refused()
	}
	return issuers[chosen], nil
}

// elsewhere is that the script does not want to sign in there.
func (s *signer) elsewhere(where string) error {
	return fmt.Errorf("%s signs in at %s, and %s wants it at %s", s.scriptFile, s.answer.At, s.Label, plain.Line(where, maxMessage))
}

// visit is the second step: it shows who will ask for a password before the
// browser goes there, and waits beside the browser.
func (s *signer) visit(ctx context.Context, p oauth.Page) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.open.Add(1)
	defer s.open.Done()
	if s.answer != nil && s.answer.At != "" && s.answer.At != p.Host {
		return s.elsewhere(p.Host)
	}
	s.show()
	s.host = p.Host
	s.console.Host("you sign in at:", p.Host)
	if len(p.Scopes) > 0 {
		s.console.Entry("allowing", strings.Join(p.Scopes, " "))
	}
	if strings.Contains("."+p.Host, ".xn--") {
		s.console.Warn("%s", punycode)
	}
	if s.dialogs == nil {
		return s.visitAlone(p)
	}
	if err := s.askToOpen(ctx, p); err != nil {
		return err
	}
	return s.waitBeside(ctx, p)
}

// visitAlone opens the page without asking: the script has said so, or the
// person who runs parley login without a terminal.
func (s *signer) visitAlone(p oauth.Page) error {
	if s.browser == nil && os.Getenv("BROWSER") == "" {
		s.console.Say("  open this page in a browser on this machine:")
		s.console.Verbatim(p.URL)
		return nil
	}
	if err := system.OpenPage(s.browser, p.URL); err != nil {
		return fmt.Errorf("the browser did not open: %w", err)
	}
	s.console.Done("opened in the browser")
	return nil
}

func (s *signer) askToOpen(ctx context.Context, p oauth.Page) error {
	for {
		chosen, err := s.dialogs.Choose(ctx, "Open its page?", "Open in the browser", "I will open it myself", notNow)
		switch {
		case err != nil:
			return s.ended(err)
		case chosen == 2:
			return s.refused()
		case chosen == 1:
			s.console.Done("to be opened by you, in a browser on this machine:")
			s.console.Verbatim(p.URL)
			return nil
		case s.opens(p.URL):
			return nil
		}
	}
}

// waitBeside is there for who does not find the page, or does not want to. It
// goes away when the browser comes back.
func (s *signer) waitBeside(ctx context.Context, p oauth.Page) error {
	for {
		chosen, err := s.dialogs.Choose(ctx, "Waiting until you are done at "+plain.Line(p.Host, maxMessage)+" …", "Open the page again", "Show its address", notNow)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return s.ended(err)
		case chosen == 0:
			s.opens(p.URL)
		case chosen == 1:
			s.console.Verbatim(p.URL)
		default:
			return s.refused()
		}
	}
}

func (s *signer) opens(url string) bool {
	if err := system.OpenPage(s.browser, url); err != nil {
		s.console.Warn("the browser did not open: %s. Here is the address:", plain.Line(err.Error(), maxMessage))
		s.console.Verbatim(url)
		return false
	}
	s.console.Done("opened in the browser")
	return true
}

func (s *signer) show() {
	if !s.shown && s.shows != nil {
		s.shows()
	}
	s.shown = true
}

// ended makes of how a dialog ended what becomes of the call.
func (s *signer) ended(err error) error {
	switch {
	case err == nil:
		return nil
	case s.ends != nil:
		return s.ends(err)
	case errors.Is(err, dialog.ErrStop):
		s.console.Done("stopped")
		return errStopped
	}
	return err
}

// loginLine is what signs in beforehand.
func (s *signer) loginLine(p oauth.Prompt) string {
	if p.Status == 403 {
		return s.signInLine(p.Scopes)
	}
	return s.signInLine(nil)
}

// signedIn is an account in words. It tells no secret.
func signedIn(a oauth.Account) string {
	text := "at " + plain.Line(a.Issuer, maxKey)
	if a.Subject != "" {
		text += " as " + plain.Line(a.Subject, maxKey)
	}
	if len(a.Scopes) > 0 {
		text += " for " + plain.Line(strings.Join(slices.Sorted(slices.Values(a.Scopes)), " "), maxMessage)
	}
	return text + " since " + a.Since.Local().Format(time.DateTime)
}
