package parley

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/sentence"
)

// Error is how a call fails. errors.Is finds the engine's code in it, such as
// [fault.Rounds], and the cause, such as [context.Canceled] or the error an
// asker returned.
type Error struct {
	Code      fault.Code      // 0 if a typed call was parked: errors.Is(err, ErrPark) is then true
	Detail    string          // what is wrong and where; never requestState or an answer
	Sentence  sentence.Text   // Detail with its template and parameters, for a host that translates; "" where the library's own words are in Detail
	Resumable bool            // the call can be tried again from Snapshot; so it is for a JSON-RPC error, which may be temporary
	InDoubt   bool            // no answer to a tool call came and the tool may have run: resuming needs Resend
	Response  json.RawMessage // the server's JSON-RPC error object, if it sent one; its text is the server's
	Cause     error           // what an asker or the context said, may be nil

	// Snapshot holds everything that was collected, if Resumable:
	// [Session.Resume] continues it. It holds a secret.
	Snapshot []byte
}

// Error implements error. It is for a person and has what the server said, on
// one line, but not what an asker said; see Cause.
func (e *Error) Error() string {
	text := "parley: " + e.Detail
	if e.Code != 0 {
		text = "parley: " + e.Code.String() + ": " + e.Detail
	}
	var said struct{ Message string }
	if json.Unmarshal(e.Response, &said) == nil && said.Message != "" {
		text += ": the server says “" + quoted(said.Message) + "”"
	}
	return text
}

// maxSaid is how much of the server's words an error repeats, in characters.
const maxSaid = 300

// quoted is a server's text on one line, with what a terminal would obey spelled
// out.
func quoted(text string) string {
	text = fmt.Sprintf("%.*q", maxSaid, text)
	return strings.ReplaceAll(text[1:len(text)-1], `\"`, `"`)
}

// Unwrap returns the code and the cause, as far as there are any.
func (e *Error) Unwrap() (all []error) {
	if e.Code != 0 {
		all = append(all, e.Code)
	}
	if e.Cause != nil {
		all = append(all, e.Cause)
	}
	return all
}
