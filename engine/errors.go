package engine

// Code classifies every failure of this package. Values are part of the wasm
// ABI: append only, never renumber. A Code is itself an error, so
// errors.Is(err, engine.ErrRounds) works.
type Code int32

const (
	ErrOptions    Code = 1  // New was given a method, params or options it cannot use
	ErrOrder      Code = 2  // the host broke the Step contract
	ErrAnswer     Code = 3  // kept free: an answer that cannot be sent is asked for again
	ErrMalformed  Code = 4  // the server sent what the schema forbids
	ErrResultType Code = 5  // the server sent a resultType that was not negotiated
	ErrLimit      Code = 6  // the server sent more than Limits allows
	ErrRounds     Code = 7  // the server asked in more rounds than MaxRounds
	ErrWaits      Code = 8  // more state-only rounds in a row than MaxWaits
	ErrRPC        Code = 9  // the server answered with a JSON-RPC error
	ErrState      Code = 10 // -32602 on a leg with requestState: expired, forged or moved
	ErrLost       Code = 11 // no answer to a leg will come
	ErrLegTimeout Code = 12 // a leg was in flight for longer than LegTimeout
	ErrRefused    Code = 13 // the host refused an ask
	ErrCanceled   Code = 14 // the caller gave up
	ErrCapability Code = 15 // the server asked for what was not declared
	ErrInDoubt    Code = 16 // a tool call was lost, and it cannot be told whether the tool has run
	ErrAskTimeout Code = 17 // a question was open for longer than AskTimeout
	ErrBudget     Code = 18 // Budget is used up
	ErrDeadline   Code = 19 // Deadline has passed
	ErrSnapshot   Code = 20 // a snapshot is damaged, foreign or of another version
	ErrPeer       Code = 21 // a snapshot is of another peer or principal

	ErrNotParkable Code = 22 // a server of an earlier era waits for an answer, so the flow cannot stop
	ErrTask        Code = 23 // the task that the call became has ended without a result
	ErrSave        Code = 24 // the host could not keep a snapshot, and nothing more was sent
)

var names = [...]string{
	ErrOptions: "unusable options", ErrOrder: "call out of order", ErrAnswer: "unusable answer",
	ErrMalformed: "malformed message from the server", ErrResultType: "unknown resultType", ErrLimit: "limit exceeded",
	ErrRounds: "too many rounds", ErrWaits: "too many state-only rounds", ErrRPC: "error from the server",
	ErrState: "requestState not accepted", ErrLost: "no usable answer", ErrLegTimeout: "no answer in time",
	ErrRefused: "question refused", ErrCanceled: "canceled", ErrCapability: "capability not declared",
	ErrInDoubt: "call in doubt", ErrAskTimeout: "question open too long", ErrBudget: "time budget used up",
	ErrDeadline: "deadline passed", ErrSnapshot: "unusable snapshot", ErrPeer: "snapshot of another peer or principal",
	ErrNotParkable: "cannot be parked now", ErrTask: "task ended without a result",
	ErrSave: "the call could not be saved",
}

// String is the fixed English name of the code, such as "too many rounds".
func (c Code) String() string {
	if c <= 0 || int(c) >= len(names) {
		return "unknown error"
	}
	return names[c]
}

// Error implements error.
func (c Code) Error() string { return "engine: " + c.String() }

// Resumable reports whether a flow that failed with this code keeps what it
// collected and can go on later: the fault is not in what the server said.
func (c Code) Resumable() bool {
	switch c {
	case ErrRounds, ErrWaits, ErrRPC, ErrState, ErrLost, ErrLegTimeout, ErrRefused, ErrCanceled,
		ErrInDoubt, ErrAskTimeout, ErrBudget, ErrDeadline, ErrSave:
		return true
	}
	return false
}

// Error is the concrete type of every error this package returns.
type Error struct {
	Code   Code
	Detail string // what is wrong and where; never requestState, an answer or a secret
}

// Error implements error: "engine: what failed: detail".
func (e *Error) Error() string { return e.Code.Error() + ": " + e.Detail }

// Is reports whether target is e's code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}
