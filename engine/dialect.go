package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/rawjson"
)

// Dialect is how a server asks. It follows from the negotiated protocol
// version, or the host names it; it is never guessed from what a server sends.
type Dialect string

const (
	// DialectMRTR is asking by results, as of MCP 2026-07-28.
	DialectMRTR Dialect = ""

	// DialectServerRequests is asking by JSON-RPC requests of the server's own
	// while a leg is in flight, and by the error -32042, as of MCP 2025-11-25
	// and earlier.
	DialectServerRequests Dialect = "2025-11-25"

	// DialectApproved is SEP-2322 as it was approved: DialectMRTR, where
	// resultType may be "incomplete" too, and tasks whose result is fetched by
	// tasks/result and which ask in the answer to it.
	DialectApproved Dialect = "SEP-2322"

	// DialectAgreed is DialectApproved within a session of an earlier era, where
	// both sides agreed on it by a protocol version of their own, as the C# SDK
	// did. The server may ask by requests of its own as well, and result_type is
	// read as resultType. A host names DialectApproved; the session tells calls
	// this one.
	DialectAgreed Dialect = "SEP-2322-agreed"

	// DialectDraft is the first draft of SEP-2322, as of 13 February 2026: a
	// server asks by input_requests and request_state beside the id of a
	// response without a result, and the retry carries input_responses, each as
	// {"result":…}, and request_state beside its params. Tasks are those of
	// MCP 2025-11-25 and ask like that in the answer to tasks/result.
	DialectDraft Dialect = "SEP-2322-draft"

	// DialectDraftCamel is DialectDraft with its names in camel case, as of 18
	// February 2026: inputRequests, inputResponses and requestState.
	DialectDraftCamel Dialect = "SEP-2322-draft-camel"

	// DialectState is SEP-1685 as it was revised in February 2026:
	// DialectServerRequests, where the server's own requests may carry a state
	// that the answer echoes beside its result, and where a response may ask by
	// dependent_requests, an array, which the retry answers by
	// dependent_responses beside its params.
	DialectState Dialect = "SEP-1685"
)

// nestsTasks reports whether a tool call may become a task as of 2025-11-25:
// under "task" in its result, where the caller or the session asked for one.
func (f *Flow) nestsTasks() bool {
	return f.dialect.IsApproved() || f.dialect != drafts.MRTR && (f.asTask || rawjson.Member(f.params, "task") != nil)
}

// IsOfEarlierEra reports whether the call is in the middle of something that a
// server of MCP 2025-11-25 or earlier began.
func (f *Flow) IsOfEarlierEra() bool { return f.dialect.SendsRequests() || f.dialect.AsksBeside() }

// IsOfThisEra reports whether the call is in the middle of rounds that a server of
// MCP 2026-07-28 began.
func (f *Flow) IsOfThisEra() bool { return f.looped && f.dialect == drafts.MRTR }

// Dialect is how the server asked so far. bound reports whether the call can go
// on in no other: what a round left behind can be answered in its own dialect
// only.
func (f *Flow) Dialect() (d Dialect, bound bool) {
	return Dialect(f.dialect.Name()), f.looped || f.phase == asking || f.phase == serving || f.phase == reading
}

// speak changes the dialect. A call that can go on in no other fails as one whose
// state the server does not take: what people answered is kept for a new start.
func (f *Flow) speak(dialect string) *Error {
	d := drafts.Named(dialect)
	_, bound := f.Dialect()
	switch {
	case d == f.dialect:
		return nil
	case d == drafts.Unknown:
		return newError(fault.Order, "unknown dialect")
	case bound && f.phase == flying: // the leg waited for this, and does not go out
		f.unsent = true
		f.fail(fault.State, "the server now speaks a version in which the call cannot go on; start over")
		return nil
	case bound:
		return newError(fault.Order, "the call is in the middle of another dialect")
	}
	f.dialect = d
	f.inputRequests, f.asks, f.consented, f.completed = nil, nil, false, nil
	f.firstAsk = f.issued + 1
	return nil
}
