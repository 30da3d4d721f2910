// Package engine is one call to an MCP server, with everything that lies between
// the request and its result: a deterministic machine without input or output.
//
// As of MCP 2026-07-28 a server answers a tool call, a prompt or a resource with
// its result or with questions. The client asks a person, a model or itself and
// sends the same request again, with the answers and with a requestState that
// only the server can read. A [Flow] is such a call with all its rounds. It
// checks what the server sends, says what to ask, what to send, how long to
// wait and when to give up, and can be kept in a snapshot in the meantime. It
// opens no connection, starts no goroutine and reads no clock: the host does,
// and tells the flow what came of it.
//
// Package [github.com/parley-mcp/parley/engine/session] is a whole client made of
// flows, still without input and output: it writes and reads the messages of
// servers of every era. Hosts use that, also those that have a connection
// already. [github.com/parley-mcp/parley/hosts/go] is a client with both.
//
// # Host duties
//
//  1. Say with [Options].Can what you can answer. The flow declares it to the
//     server and refuses questions of any other kind.
//  2. Feed every [Event] with the time, one after the other, [Begin] first.
//     Perform the actions of each [Flow.Step] in order. Only begin what takes
//     long, a request or a question: its outcome is an event.
//  3. Send what [Send] says as a request with an id that the call has not used
//     before, with [Info].Capabilities as its clientCapabilities. Then report a
//     [Response] with the whole answer, or [Lost] if none will come: always one
//     of the two, and never send it again yourself. [Abandon] ends a request
//     that is no longer wanted; nobody waits for the answer to a [Tell].
//  4. Put each [Ask] to whoever it is for, then report [Answer] or [Refuse]. An
//     Ask with the id of an open one replaces it, and its Problem says why;
//     [Withdraw] closes it. Never answer without asking: not from
//     [Ask.Earlier], not by opening a url.
//  5. Come back with [Tick] at the time of the last [Wait].
//  6. If you began with [Begin.Save]: at each [Save] take a [Flow.Snapshot] before
//     the next Step, keep it, then report [Saved] or [SaveFailed]. What follows
//     comes with Saved. If the process dies, its last snapshot then has
//     everything that the server has seen.
//  7. Report [Progress] when the server does, [Cancel] when the caller gives
//     up, and [Park] when the call should stop and continue later.
//  8. [Done], [Parked] and [Failed] are the last action. After Parked, and after a
//     Failed that is Resumable, [Begin] continues the flow, here or wherever
//     [Restore] makes it again.
//
// [Task], [Leg], [Pause] and [Note] are news for people and logs; a host may
// ignore them, and any action that it does not know.
//
// # Determinism
//
// The same options and the same events at the same times give the same actions,
// byte for byte, natively and in the WebAssembly modules, and a flow restored
// from its own snapshot continues as if nothing had happened, unless a [Save] was
// not reported yet: what waits for it is in no snapshot. Time is what the
// host says it is, in Unix milliseconds; if it goes backwards, it stands still
// instead.
//
// # Memory
//
// Params, Options and Expect are copied, and so is what an event carries, but for
// [Response]: actions may point into its Body, which must not change while they
// are used. Byte slices in actions and in [Info] are the flow's: read them, keep
// them, do not write into them. A snapshot is the caller's. Everything that a
// server can make grow is bounded by [Limits].
//
// # Errors
//
// An error of [New], [Restore] or Step is an [Error]: the host asked for
// something impossible, and the flow is as it was. A call that fails says so
// with [Failed]. Both have one of the codes of
// [github.com/parley-mcp/parley/engine/fault], which are errors themselves:
// errors.Is(err, fault.InDoubt). No text of either holds a requestState, an
// answer or a secret.
package engine
