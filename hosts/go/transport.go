package parley

import (
	"context"

	"github.com/parley-mcp/parley/engine/session"
)

// Transport carries a [Session]'s messages to its server and back.
// [StreamableHTTP], [Stdio], [Lines] and [Requests] are transports; one of your own needs
// these three methods. A transport belongs to one session.
type Transport interface {
	// Kind is how messages travel: [session.HTTP] if each [session.Post] has
	// a response of its own, [session.Stdio] if they are sent and received in
	// order over one connection, [session.Requests] if the connection is another
	// client's.
	Kind() session.Transport

	// Perform begins an exchange, which is what a [session.Post] asks for
	// and, over HTTP, a [session.Listen] or a [session.Delete]. What comes of
	// it goes to report, as the events [session.Opened], [session.Message],
	// [session.Ended] and [session.Down]; their documentation says when each is due. The error is
	// what failed, if something did: it is the Cause of the calls that fail
	// with the event. A message that was not sent ends with Unsent.
	//
	// Perform is called from one goroutine at a time, in the order in which
	// the messages must travel: the next exchange begins when it returns, so
	// over HTTP it should leave the waiting to a goroutine of its own. report
	// may be called from any goroutine, also before Perform returns, and may
	// block. When ctx ends, the exchange is not wanted any more: give it up,
	// and report nothing.
	Perform(ctx context.Context, a session.Action, report func(session.Event, error))

	// Close ends all that is under way and returns when it has ended. Perform
	// is not called any more.
	Close() error
}

// defaultMaxMessage is a little more than what the engine takes.
const defaultMaxMessage = 65 << 20

func maxMessage(set int) int {
	if set <= 0 {
		return defaultMaxMessage
	}
	return set
}
