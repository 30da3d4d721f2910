package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// resultKind is what a result is.
type resultKind uint8

const (
	resultFinal   resultKind = iota // what came of the call
	resultRound                     // an InputRequiredResult
	resultNewTask                   // the call has become a task
	resultOfTask                    // how a task stands, or that it has the answers
	resultBare                      // no object
	resultTooNew                    // its resultType is of a later era than its server
	resultUnknown                   // its resultType is not known
)

// result takes the result of a leg.
func (f *Flow) result(m *message.Message) {
	resultType, bad := f.resultType(m)
	if bad != nil {
		f.failWith(bad)
		return
	}
	switch f.kindOf(m, resultType) {
	case resultFinal:
		f.finalResult(m)
	case resultRound:
		f.roundResult(m)
	case resultNewTask:
		f.newTask(m)
	case resultOfTask:
		f.taskResult(m)
	case resultBare:
		f.bareResult(m)
	case resultTooNew:
		f.tooNew(resultType)
	case resultUnknown:
		f.fail(fault.ResultType, sentence.Say(`resultType {0} is neither "complete" nor "input_required"`, shown(resultType)))
	}
}

// kindOf decides what a result is.
func (f *Flow) kindOf(m *message.Message, resultType []byte) resultKind {
	kind, isTyped := f.kindOfType(resultType), f.dialect.TypesResults()
	switch {
	case m.Kind(message.Result) != '{':
		return resultBare
	case kind != resultRound && f.nestedTask(m) != nil:
		return resultNewTask
	case !isTyped && (kind == resultRound || kind == resultUnknown && f.endsCall()):
		return resultTooNew
	case f.task != nil && (kind == resultFinal || kind == resultNewTask || !isTyped): // some say "task" on tasks/get
		return resultOfTask
	}
	return kind
}

// kindOfType is what a result is by its resultType: absent or "complete" is final,
// even with questions in it; "input_required" is a round; any other value was not
// negotiated and MUST be considered invalid.
//
// Source: MCP 2026-07-28, basic/index, ResultType.
func (f *Flow) kindOfType(resultType []byte) resultKind {
	switch {
	case resultType == nil, rawjson.Is(resultType, "complete"):
		return resultFinal
	case rawjson.Is(resultType, "input_required"):
		return resultRound
	case rawjson.Is(resultType, "task") && f.dialect == drafts.MRTR && (f.can.Tasks || f.task != nil):
		return resultNewTask
	}
	return resultUnknown
}

// resultType is the resultType of a result, nil if it has none, or what is wrong
// with it.
func (f *Flow) resultType(m *message.Message) (resultType []byte, bad *Error) {
	resultType, flaw := f.dialect.ResultType(m)
	switch {
	case flaw != "":
		return nil, newError(fault.Malformed, flaw)
	case resultType == nil && f.endsCall():
		return nil, f.untyped(m)
	}
	return resultType, nil
}

// untyped says what is wrong with a result without resultType, nil if it is final: it
// may be of a dialect that the host did not name. What is absent where there are questions
// instead of what the method brings is no result of it.
func (f *Flow) untyped(m *message.Message) *Error {
	other, brings := drafts.OtherType(m), message.Brings(f.method)
	switch {
	case other != nil && !rawjson.Is(other, "complete"):
		return newError(fault.ResultType, sentence.Say("result_type {0} is not spoken here", shown(other)))
	case other == nil && drafts.HasQuestions(m) && !m.Has(brings) && mayLoop(f.method):
		return newError(fault.Malformed, sentence.About("the result has no resultType and no {0}, but asks", brings.String()))
	}
	return nil
}

// endsCall reports whether a result of the leg at hand would be that of the call,
// rather than of a poll or an update of its task.
func (f *Flow) endsCall() bool { return f.task == nil || f.task.fetch && !f.task.updating }

// refuseOdd fails the flow if names in a result cannot be read as they must, and reports
// whether it did.
func (f *Flow) refuseOdd(m *message.Message) bool {
	bad := m.Odd()
	if bad != nil {
		f.failWith(unreadable("the result", bad))
	}
	return bad != nil
}

// bareResult takes a result that is no object. It can ask nothing.
func (f *Flow) bareResult(m *message.Message) {
	switch {
	case f.endsCall():
		f.finish(m, message.Result, f.looped || f.seeded)
	case f.task.updating: // which is acknowledged by any result
		f.taskUpdated()
	default:
		f.malformed("the result is not an object")
	}
}

// tooNew refuses a result of a type that a server of an earlier era cannot have
// negotiated: to take it for the result would tell a person that the call is done.
func (f *Flow) tooNew(resultType []byte) {
	if rawjson.Is(resultType, "input_required") {
		f.malformed("input_required from a server of an era without it")
		return
	}
	f.fail(fault.ResultType, sentence.Say("resultType {0} from a server of an era without it", shown(resultType)))
}

// roundResult takes an InputRequiredResult.
func (f *Flow) roundResult(m *message.Message) {
	if size := m.Len(message.Result); size > f.opts.Limits.Response {
		f.fail(fault.Limit, tooLong("the result", size, f.opts.Limits.Response, "response"))
		return
	}
	switch {
	case f.refuseOdd(m):
	case !mayLoop(f.method), !f.taskMayAsk():
		f.malformed("input_required on a method that may not ask")
	default:
		f.openRound(m.Text(message.InputRequests), m.Text(message.RequestState))
	}
}

// finalResult takes what came of the call. It is opaque but for its type: well-formed
// is enough, so that the odd result of a tool that has run is not lost.
func (f *Flow) finalResult(m *message.Message) {
	if f.dialect == drafts.MRTR && (m.Has(message.InputRequests) || m.Has(message.RequestState)) {
		f.note(audit.StrayFields)
	}
	f.finish(m, message.Result, f.looped || f.seeded)
}

// finish ends the flow with a result, which it names or shows.
func (f *Flow) finish(m *message.Message, n message.Name, noStore bool) {
	f.status = over
	f.note(audit.Done)
	member := message.Brings(f.method)
	done := Done{NoStore: noStore, Lacks: lacks(member, m, n)}
	switch {
	case done.Lacks == "" && m.Kind(n) != '{': // nothing was to be said
		done.Result = []byte("{}")
	case m.IsCut():
		done.From, done.To = m.Span(n)
	default:
		done.Result = m.All(n)
	}
	if member.IsList() {
		done.Next = m.Cursor(f.IsOfEarlierEra())
	}
	f.do(done)
}

// lacks says that a result does not have the array that its method must bring, "" if
// it has that or need not. A list that is absent is empty, and structuredContent does
// for content.
func lacks(member message.Name, m *message.Message, n message.Name) sentence.Text {
	structured := message.StructuredContent
	if n == message.TaskResult {
		member, structured = message.TaskContent, message.TaskStructuredContent
	}
	switch kind, result := m.Kind(member), m.Kind(n); {
	case member == 0 && (result == 'n' || message.IsEmptyArray(m.Text(n))):
		return ""
	case result != '{':
		return "the result is not an object"
	case member == 0, kind == '[', kind == 0 && (member.IsList() || member.String() == "content" && m.Has(structured)):
		return ""
	}
	return sentence.About("the result has no list of {0}", member.String())
}

// mayLoop lists the methods that servers may answer with input_required; they
// MUST NOT on any other. Source: basic/patterns/mrtr, Supported Requests.
func mayLoop(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}
