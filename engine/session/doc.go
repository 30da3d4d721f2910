// Package session is a whole MCP client without its input and output: JSON-RPC
// text in, JSON-RPC text and header fields out. It owns what lies between a
// call and the wire: request ids, the _meta of every request, the choice of a
// protocol version and the fallback to servers of earlier eras, header fields,
// cancellation, progress, and which message belongs to which call.
//
// The calls themselves are [engine.Flow]s, any number at once; whatever the
// server's era, they ask the same questions.
//
// What a host wants to be told of beside its calls, it says by [Subscribe]; the
// session keeps that up in every era, and says what changed by [Changed].
//
// # Host duties
//
//  1. Feed every [Event] with the time, and perform every [Action] in order.
//  2. Open one exchange for each [Post], [Request], [Listen] and [Delete], and report what
//     comes of it by [Message] and [Ended]. Over HTTP an exchange is one
//     request and its response. Over stdio a Post is one line to the server's
//     process and has no end of its own, and every line that comes back is a
//     Message of exchange 0. Over somebody else's connection an exchange is a
//     Request and its response.
//  3. Take the snapshot of an [engine.Save] in its place among the actions, and
//     report [engine.Saved] when it is kept. Nothing else of that call comes before.
//     An [Abort] of an exchange that has not begun is answered by [Ended] with
//     Unsent at once, and so is a Post that Cancels it, which is dropped then.
//  4. With Options.Cache, keep what [Keep] says and bring it back for [Recall], an
//     exchange whatever the transport. What is kept is opaque, and may be lost.
//  5. Feed a message that is longer than 256 KiB in slices, as [Part], if a Step
//     must not take long. [engine.Done] then names a span of it.
//  6. Tick: a call's [engine.Wait] with [To] and [engine.Tick], a session's
//     [Wait] with [Tick].
package session
