package script

import (
	"errors"
	"fmt"
)

// SignIn is the answer to a server that wants somebody to sign in.
type SignIn struct {
	Action string `json:"action"` // accept, decline or stop
	At     string `json:"at"`     // the authorization server's host, and port if it has one; empty for any

	used bool
}

func (a *SignIn) check() error {
	switch a.Action {
	case Accept, Stop:
	case Decline:
		if a.At != "" {
			return errors.New(`"at" is where to sign in, so it goes with accept`)
		}
	default:
		return fmt.Errorf("the action %q is none of accept, decline and stop", a.Action)
	}
	return nil
}

// SignIn takes the next answer, nil if there is none. What is left over is not
// unused: an account may be there already.
func (s *Script) SignIn() *SignIn {
	for _, a := range s.SignIns {
		if !a.used {
			a.used = true
			return a
		}
	}
	return nil
}
