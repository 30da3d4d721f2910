package main

import (
	"context"
	"fmt"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// change asks whether to sign in at another authorization server than before. A
// script agrees by naming it.
func (s *signer) change(ctx context.Context, c oauth.Change) error {
	now, before := plain.Line(hostOf(c.Issuer), maxMessage), plain.Line(hostOf(c.Account.Issuer), maxMessage)
	moved := fmt.Sprintf("%s has people sign in at %s now, no longer at %s", s.Label, now, before)
	switch {
	case s.answer != nil && s.answer.At == hostOf(c.Issuer):
		return nil
	case s.answer != nil:
		return fmt.Errorf(`%s: say in %s that you agree, by {"action": "accept", "at": %q}`, moved, s.scriptFile, hostOf(c.Issuer))
	case s.dialogs == nil:
		return fmt.Errorf("%s, and nobody is here to agree: run  %s  in a terminal", moved, s.signInLine(nil))
	}
	s.show()
	s.console.Warn("%s", moved)
	s.console.Entry("you signed in", signedIn(c.Account))
	s.console.Entry("if you agree", "calls that you began with that account continue with the new one")
	chosen, err := s.dialogs.Choose(ctx, "Sign in at "+now+" from now on?", "Sign in there", notNow)
	if err == nil && chosen == 1 {
		return s.refused()
	}
	return s.ended(err)
}
