// Package refusal names why a state is refused, or why none can be made: the
// codes of a [github.com/parley-mcp/parley/codec.Error]. They are for the
// server's log. A client is told the same whatever the cause.
//
//	if errors.Is(err, refusal.Expired) {
//		expired.Add(1)
//	}
package refusal

import "strconv"

// Code classifies every failure of package codec. Values are part of the wasm
// ABI: append only, never renumber. A Code is itself an error, so that
// errors.Is(err, refusal.Expired) works.
type Code int32

const (
	Malformed   Code = 1  // no token of this form, or a request whose state cannot be told apart
	TooLarge    Code = 2  // token or plaintext over the cap
	UnknownKey  Code = 3  // sealed with a key that is not in the ring
	Forged      Code = 4  // does not authenticate
	Clock       Code = 5  // the host's clock cannot be right
	NotYetValid Code = 6  // minted in the future
	Expired     Code = 7  // came back too late
	FlowAge     Code = 8  // the flow it belongs to is too old
	Target      Code = 9  // minted for another audience, method, tool, prompt or resource
	Arguments   Code = 10 // minted for other arguments
	Principal   Code = 11 // minted for another principal
	Rounds      Code = 12 // too many rounds
	Replayed    Code = 13 // used before, and may be used once
	ReplayStore Code = 14 // the replay store failed or is full
	Key         Code = 15 // an unusable key, key ring or key file
	Options     Code = 16 // unusable options
	Rand        Code = 17 // the source of randomness failed
	Result      Code = 18 // a result of the server that cannot be sealed
)

var codeText = [...]string{
	Malformed:   "malformed",
	TooLarge:    "too large",
	UnknownKey:  "unknown key",
	Forged:      "forged",
	Clock:       "clock",
	NotYetValid: "not yet valid",
	Expired:     "expired",
	FlowAge:     "flow age",
	Target:      "target",
	Arguments:   "arguments",
	Principal:   "principal",
	Rounds:      "rounds",
	Replayed:    "replayed",
	ReplayStore: "replay store",
	Key:         "unusable key",
	Options:     "unusable options",
	Rand:        "no randomness",
	Result:      "unusable result",
}

// Error is the reason in a word or two, as a server's log should name it.
func (c Code) Error() string {
	if c > 0 && int(c) < len(codeText) {
		return codeText[c]
	}
	return "code " + strconv.Itoa(int(c))
}
