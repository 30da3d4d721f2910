// Package fault names what can go wrong with a call: the codes of an
// [github.com/parley-mcp/parley/engine.Error] and of an engine.Failed.
//
//	if errors.Is(err, fault.InDoubt) {
//		// the tool may or may not have run: ask before sending it again
//	}
package fault

// Code classifies every failure of the engine. Values are part of the wasm ABI:
// append only, never renumber. A Code is itself an error, so that
// errors.Is(err, fault.Rounds) works.
type Code int32

const (
	Options    Code = 1  // New was given a method, params or options it cannot use
	Order      Code = 2  // the host broke the Step contract
	Malformed  Code = 4  // the server sent what the schema forbids
	ResultType Code = 5  // the server sent a resultType that was not negotiated
	Limit      Code = 6  // the server sent more than Limits allows
	Rounds     Code = 7  // the server asked in more rounds than MaxRounds
	Waits      Code = 8  // more state-only rounds in a row than MaxWaits
	RPC        Code = 9  // the server answered with a JSON-RPC error
	State      Code = 10 // -32602 on a leg with requestState: expired, forged or moved; or the server speaks no version in which the round can be answered
	Lost       Code = 11 // no answer to a leg will come
	LegTimeout Code = 12 // a leg was in flight for longer than LegTimeout
	Refused    Code = 13 // the host refused an ask
	Canceled   Code = 14 // the caller gave up
	Capability Code = 15 // the server asked for what was not declared
	InDoubt    Code = 16 // a tool call was lost, and nobody can tell whether the tool ran
	AskTimeout Code = 17 // a question was open for longer than AskTimeout
	Budget     Code = 18 // Budget is used up
	Deadline   Code = 19 // Deadline has passed
	Snapshot   Code = 20 // a snapshot is damaged, foreign or of another version
	Peer       Code = 21 // a snapshot belongs to another peer or principal

	NotParkable Code = 22 // a server of an earlier era waits for an answer, so the flow cannot stop
	Task        Code = 23 // the task that the call became has ended without a result
	Save        Code = 24 // the host could not keep a snapshot, and nothing more was sent

	Unauthorized Code = 25 // the server wants authorization, and nobody signed in

	Form Code = 26 // a form would mislead the person, asks for a secret or cannot be drawn: Parley refuses it

	Instance Code = 27 // the engine's WebAssembly instance failed, and the call with it; only hosts say so
)

var names = [...]string{
	Options: "unusable options", Order: "call out of order",
	Malformed: "malformed message from the server", ResultType: "unknown resultType", Limit: "limit exceeded",
	Rounds: "too many rounds", Waits: "too many state-only rounds", RPC: "error from the server",
	State: "requestState not accepted", Lost: "no usable answer", LegTimeout: "no answer in time",
	Refused: "question refused", Canceled: "canceled", Capability: "capability not declared",
	InDoubt: "call in doubt", AskTimeout: "question open too long", Budget: "time budget used up",
	Deadline: "deadline passed", Snapshot: "unusable snapshot", Peer: "snapshot of another peer or principal",
	NotParkable: "cannot be parked now", Task: "task ended without a result",
	Save: "the call could not be saved", Unauthorized: "not authorized",
	Form: "form refused by Parley", Instance: "the engine's instance failed",
}

// String is the fixed English name of the code, such as "too many rounds".
func (c Code) String() string {
	if c <= 0 || int(c) >= len(names) || names[c] == "" {
		return "unknown error"
	}
	return names[c]
}

// Error implements error.
func (c Code) Error() string { return "engine: " + c.String() }

// Resumable reports whether a flow that failed with this code keeps what it
// collected and can continue later, because the fault is not in what the server
// said.
func (c Code) Resumable() bool {
	switch c {
	case Rounds, Waits, RPC, State, Lost, LegTimeout, Refused, Canceled,
		InDoubt, AskTimeout, Budget, Deadline, Save, Unauthorized, Instance:
		return true
	}
	return false
}
