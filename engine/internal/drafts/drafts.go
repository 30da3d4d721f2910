// Package drafts has the forms of proposals from before MCP 2026-07-28. It translates
// what a server says into the approved form, and what the client says out of it, at a
// session's door: calls know the approved form alone.
//
//	dialect         what the server says                         what the client says
//	Approved        resultType "incomplete"                      -
//	Agreed          the same; result_type for resultType         -
//	Draft           input_requests and request_state beside      input_responses, each {"result":…}, and request_state
//	                the id; a task's status with a capital       beside params; answers to a task without a method
//	DraftCamel      inputRequests and requestState beside the    inputResponses and requestState, the same way
//	                id; a task's status with a capital
//	SEP1685         dependent_requests beside the id; a state    dependent_responses beside params; the state beside
//	                beside the id of a request                   the answer to a request
//
// Long results stay as they came: no message is written anew. A reader finds the
// members of all dialects ([message.Name]), and this package says which of them count.
// What is no matter of one message is a property of a [Dialect], such as where a task
// asks.
package drafts

// Dialect is how a server asks, one of those of engine.Dialect.
type Dialect int8

// The dialects. The first two are the protocol's own, with nothing to translate.
const (
	MRTR           Dialect = iota // MCP 2026-07-28
	ServerRequests                // MCP 2025-11-25 and earlier
	Approved                      // SEP-2322 as approved
	Draft                         // SEP-2322 as first drafted
	DraftCamel                    // the same in camel case
	SEP1685                       // SEP-1685 as revised
	Agreed                        // Approved in a session of an earlier era, as the C# SDK did
	Unknown
)

var names = [...]string{
	MRTR: "", ServerRequests: "2025-11-25", Approved: "SEP-2322", Draft: "SEP-2322-draft", DraftCamel: "SEP-2322-draft-camel", SEP1685: "SEP-1685", Agreed: "SEP-2322-agreed",
}

// Named is the dialect that engine.Dialect spells so, [Unknown] if none is.
func Named(name string) Dialect {
	for d := range names {
		if names[d] == name {
			return Dialect(d)
		}
	}
	return Unknown
}

// Name is how engine.Dialect spells a dialect that is known.
func (d Dialect) Name() string { return names[d] }

// AsksBeside reports whether responses may ask beside a result instead of in it.
func (d Dialect) AsksBeside() bool { return d >= Draft && d <= SEP1685 }

// SendsRequests reports whether the server asks by requests of its own.
func (d Dialect) SendsRequests() bool { return d == ServerRequests || d == SEP1685 || d == Agreed }

// TypesResults reports whether results say by resultType what they are.
func (d Dialect) TypesResults() bool { return d == MRTR || d.IsApproved() }

// IsApproved reports whether the server asks as SEP-2322 was approved. Its tasks are
// nested as of 2025-11-25, and any tool call may become one.
func (d Dialect) IsApproved() bool { return d == Approved || d == Agreed }

// TasksAsk reports whether the answer to tasks/result may ask.
func (d Dialect) TasksAsk() bool { return d.isDraft() || d.IsApproved() }

func (d Dialect) isDraft() bool { return d == Draft || d == DraftCamel }
