package parley

import (
	"encoding/json"

	"github.com/parley-mcp/parley/sentence"
)

// Outcome is how a call ended without failing: done or parked.
type Outcome struct {
	// Result is the server's final result as JSON text, byte for byte; nil if
	// the call was parked.
	Result []byte

	// NoStore says that the result must not be cached, because its request
	// carried answers or requestState (MCP 2026-07-28, server/utilities/caching).
	NoStore bool

	// Cached says that the result is one that the server has given before, and lets
	// be used again: nothing was sent.
	Cached bool

	// Next is the cursor of a list's next page, as JSON text that goes back as it is:
	// the next params are {"cursor":…}. Nil if this is the last page, or no list.
	Next json.RawMessage

	// Lacks says what Result does not have that its method must bring, such as content;
	// "" if it has that. The call was carried out all the same, and Result is what came.
	Lacks sentence.Text

	// Parked says that an asker parked the call. Snapshot then holds
	// everything; [Session.Resume] continues it. It holds a secret.
	Parked   bool
	Snapshot []byte
}
