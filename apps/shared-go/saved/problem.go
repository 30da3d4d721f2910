package saved

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// maxProblem bounds the words for an error, in characters.
const maxProblem = 1200

// SealsAll is a command that seals all calls of the usual store.
const SealsAll = "parley token rotate --snapshots"

// Problem is what the store says, in words for the person.
func Problem(err error) string {
	var missing *fs.PathError
	switch {
	case errors.Is(err, store.ErrTaken):
		return "somebody else is at this call right now. When they are done, or have been gone for half a minute, it can be taken"
	case errors.Is(err, store.ErrNotFound):
		return "there is no parked call of this id"
	case errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist):
		return "there is no key file " + plain.Line(missing.Path, maxProblem)
	case errors.Is(err, store.ErrUnsealed):
		return "it is not sealed, so anybody may have written it. What you know to be yours is sealed by  " + SealsAll
	case errors.Is(err, refusal.TooLarge):
		return "with all that was asked and answered it is longer than 8 MiB, the most that is sealed"
	case errors.Is(err, refusal.UnknownKey):
		return "it is sealed with a key that is not there any more"
	case errors.Is(err, refusal.Forged), errors.Is(err, refusal.Malformed):
		return "its file was changed since it was written, or is another call's"
	}
	return plain.Line(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "store: "), "seal: "), maxProblem)
}
