package parley

import (
	"context"

	"github.com/parley-mcp/parley/engine"
)

// Request is one call of a [Session]: what is asked of the server, who answers
// what the server asks, and who is told about it.
type Request struct {
	Method string
	Params []byte // a JSON object as text, nil for none

	// Options bound the call. The zero value means the engine's defaults.
	// Their Can is what the Askers can answer, unless it is set to say less.
	Options engine.Options

	// Askers answer in place of the session's, as a whole. Nil means the
	// session's; empty ones mean that nobody is asked.
	Askers *Askers

	Watchers Watchers

	// Save keeps a snapshot, which holds a secret. It is called before each leg
	// is sent, when questions open and after each answer, and the call waits
	// for it: a process that is killed then loses nothing. An error ends the
	// call.
	Save func(ctx context.Context, snapshot []byte) error

	// Park, once it is closed, parks the call as soon as it can: a leg in
	// flight is waited for, unless it can be sent again. A call that cannot be
	// parked continues.
	Park <-chan struct{}
}

// Resumption is how a call continues from its snapshot. With nothing else set
// it expects a snapshot without labels and starts where the call stopped.
type Resumption struct {
	Snapshot []byte

	// Expect says which labels the snapshot must have, and may raise its
	// bounds. Its Can is what the Askers can answer.
	Expect engine.Expect

	Resend     bool // see [engine.Begin]
	Again      bool // see [engine.Begin]
	MoreRounds int  // see [engine.Begin]

	Askers   *Askers                                          // see [Request]
	Watchers Watchers                                         // see [Request]
	Save     func(ctx context.Context, snapshot []byte) error // see [Request]
	Park     <-chan struct{}                                  // see [Request]
}
