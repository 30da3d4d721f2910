package engine

// Dialect is how a server asks. It follows from the protocol version that was
// negotiated; it is never guessed from what a server sends.
type Dialect string

const (
	// MRTR is asking by results, as of MCP 2026-07-28.
	MRTR Dialect = ""

	// ServerRequests is asking by JSON-RPC requests of the server's own while
	// a leg is in flight, and by the error -32042, as of MCP 2025-11-25 and
	// earlier.
	ServerRequests Dialect = "2025-11-25"

	// Approved is SEP-2322 as it was approved: MRTR, where resultType may be
	// "incomplete" too, and tasks whose result is fetched by tasks/result and
	// which ask in the answer to it.
	Approved Dialect = "SEP-2322"
)

func (d Dialect) isKnown() bool { return d == MRTR || d == ServerRequests || d == Approved }

// nestsTasks reports whether a tool call may become a task as of 2025-11-25:
// under "task" in its result, where the caller asked for one.
func (f *Flow) nestsTasks() bool {
	return f.dialect == Approved || f.dialect == ServerRequests && member(f.params, "task") != nil
}

// speak changes the dialect. What a round left behind can be answered in its
// own dialect only.
func (f *Flow) speak(ev Speak) *Error {
	switch {
	case ev.Dialect == f.dialect:
		return nil
	case !ev.Dialect.isKnown():
		return &Error{ErrOrder, "unknown dialect"}
	case f.looped, f.phase == asking, f.phase == serving, f.phase == reading:
		return &Error{ErrOrder, "the call is in the middle of another dialect"}
	}
	f.dialect = ev.Dialect
	f.inputRequests, f.asks, f.consented, f.completed = nil, nil, false, nil
	f.firstAsk = f.issued + 1
	return nil
}
