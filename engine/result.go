package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// result decides what a result is, by resultType alone: absent or "complete"
// is final, whatever else it carries; "input_required" is a round; any other
// value was not negotiated and MUST be considered invalid. What is absent where
// there are questions instead of what the method brings is no result of it.
//
// Source: MCP 2026-07-28, basic/index, ResultType.
func (f *Flow) result(m *message.Message) {
	if m.Kind(message.Result) != '{' {
		switch {
		case f.task == nil || f.task.fetch && !f.task.updating: // it can ask nothing: it is what came of the call
			f.finish(m, message.Result, f.looped || f.seeded)
		case f.task.updating: // which is acknowledged by any result
			f.taskUpdated()
		default:
			f.malformed("the result is not an object")
		}
		return
	}
	if n := m.AgainFirst(); n != 0 {
		f.malformed(sentence.About("the result has two members named {0}", n.String()))
		return
	}
	resultType, draftType := token(m, message.ResultType), token(m, message.ResultTypeDraft)
	asksUntyped := m.Has(message.InputRequests) || m.Has(message.RequestState) ||
		m.Has(message.InputRequestsDraft) || m.Has(message.RequestStateDraft) || m.Has(message.DependentRequests)
	whole, dup := message.Brings(f.method), m.Odd()
	if f.dialect == agreed && draftType != nil {
		if resultType != nil && !same(resultType, draftType) {
			f.malformed("resultType and result_type of the result are not the same")
			return
		}
		resultType = draftType
	}
	final := f.task == nil || f.task.fetch && !f.task.updating // not of a poll or an update
	if resultType == nil && draftType != nil && !rawjson.Is(draftType, "complete") && final {
		f.fail(fault.ResultType, sentence.Say("result_type {0} is not spoken here", shown(draftType)))
		return
	}
	if resultType == nil && draftType == nil && final && asksUntyped && !m.Has(whole) && mayLoop(f.method) {
		f.malformed(sentence.About("the result has no resultType and no {0}, but asks", whole.String()))
		return
	}
	asks, isTask := rawjson.Is(resultType, "input_required"), rawjson.Is(resultType, "task")
	if f.dialect.isApproved() {
		asks = asks || rawjson.Is(resultType, "incomplete")
		isTask = false
	}
	var nested []byte
	if f.task == nil && f.method == "tools/call" && f.nestsTasks() && !asks {
		nested = m.Text(message.Task)
	}
	switch {
	case rawjson.IsObject(nested):
		if dup != nil {
			f.failWith(unreadable("the result", dup))
			return
		}
		f.openTask(m, nested)
	case asks && !f.dialect.typesResults():
		f.malformed("input_required from a server of an era without it")
	case resultType != nil && !rawjson.Is(resultType, "complete") && !f.dialect.typesResults() && final:
		// Nothing was negotiated that has other types: to take it for the result
		// would tell a person that the call is done.
		f.fail(fault.ResultType, sentence.Say("resultType {0} from a server of an era without it", shown(resultType)))
	case f.task != nil && (resultType == nil || rawjson.Is(resultType, "complete") || isTask || !f.dialect.typesResults()): // some say "task" on tasks/get
		if dup != nil {
			f.failWith(unreadable("the result", dup))
			return
		}
		f.taskResult(m)
	case isTask && f.can.Tasks && f.task == nil && f.dialect == mrtr:
		if dup != nil {
			f.failWith(unreadable("the result", dup))
			return
		}
		f.openTask(m, nil)
	case resultType == nil, rawjson.Is(resultType, "complete"):
		// The rest of the result is opaque: well-formed is enough, so that
		// the odd result of a tool that has run is not lost.
		if f.dialect == mrtr && (m.Has(message.InputRequests) || m.Has(message.RequestState)) {
			f.note(audit.StrayFields)
		}
		f.finish(m, message.Result, f.looped || f.seeded)
	case !asks:
		f.fail(fault.ResultType, sentence.Say(`resultType {0} is neither "complete" nor "input_required"`, shown(resultType)))
	case m.Len(message.Result) > f.opts.Limits.Response:
		f.fail(fault.Limit, tooLong("the result", m.Len(message.Result), f.opts.Limits.Response, "response"))
	case dup != nil:
		f.failWith(unreadable("the result", dup))
	case !mayLoop(f.method) || f.task != nil && !(f.dialect.isApproved() && f.task.fetch && !f.task.updating):
		f.malformed("input_required on a method that may not ask")
	default:
		if f.task != nil {
			f.task.fetch = false
		}
		f.openRound(roundFields{m.Text(message.InputRequests), m.Text(message.RequestState)})
	}
}

// token is the text of a member that is a word. One that is too long to be kept
// is none that is known.
func token(m *message.Message, n message.Name) []byte {
	if m.Has(n) && m.Text(n) == nil {
		return []byte("…")
	}
	return m.Text(n)
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
