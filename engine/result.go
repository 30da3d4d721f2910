package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// result decides what a result is, by resultType alone: absent or "complete"
// is final, whatever else it carries; "input_required" is a round; any other
// value was not negotiated and MUST be considered invalid.
//
// Source: MCP 2026-07-28, basic/index, ResultType.
func (f *Flow) result(span []byte) {
	if !rawjson.IsObject(span) {
		f.malformed("the result is not an object")
		return
	}
	var resultType, draftType []byte
	var round roundFields
	var names rawjson.Names
	var dup *rawjson.Error
	var m rawjson.Members
	for m.Start(span); m.Next(); {
		if err := names.Add(m.Name); err != nil && dup == nil {
			dup = err
		}
		switch {
		case m.Is("resultType"):
			if resultType != nil {
				f.malformed("the result has two members named resultType")
				return
			}
			resultType = m.Value
		case m.Is("result_type"): // as a draft spelled it
			draftType = m.Value
		case m.Is("inputRequests"):
			round.inputRequests = m.Value
		case m.Is("requestState"):
			round.requestState = m.Value
		}
	}
	if resultType == nil && draftType != nil && !rawjson.Is(draftType, "complete") && f.task == nil {
		f.fail(fault.ResultType, "result_type "+shown(draftType)+" is not spoken here")
		return
	}
	asks, isTask := rawjson.Is(resultType, "input_required"), rawjson.Is(resultType, "task")
	if f.dialect == approved {
		asks = asks || rawjson.Is(resultType, "incomplete")
		isTask = false
	}
	var nested []byte
	if f.task == nil && f.method == "tools/call" && f.nestsTasks() && !asks {
		nested = rawjson.Member(span, "task")
	}
	switch {
	case rawjson.IsObject(nested):
		if dup != nil {
			f.failWith(unreadable("the result", dup))
			return
		}
		f.openTask(nested)
	case asks && !f.dialect.typesResults():
		f.malformed("input_required from a server of an era without it")
	case resultType != nil && !rawjson.Is(resultType, "complete") && !f.dialect.typesResults() && (f.task == nil || f.task.fetch && !f.task.updating):
		// Nothing was negotiated that has other types: to take it for the result
		// would tell a person that the call is done.
		f.fail(fault.ResultType, "resultType "+shown(resultType)+" from a server of an era without it")
	case f.task != nil && (resultType == nil || rawjson.Is(resultType, "complete") || isTask || !f.dialect.typesResults()): // some say "task" on tasks/get
		if dup != nil {
			f.failWith(unreadable("the result", dup))
			return
		}
		f.taskResult(span)
	case isTask && f.can.Tasks && f.task == nil && f.dialect == mrtr:
		if dup != nil {
			f.failWith(unreadable("the result", dup))
			return
		}
		f.openTask(span)
	case resultType == nil, rawjson.Is(resultType, "complete"):
		// The rest of the result is opaque: well-formed is enough, so that
		// the odd result of a tool that has run is not lost.
		if f.dialect == mrtr && (round.inputRequests != nil || round.requestState != nil) {
			f.note(audit.StrayFields)
		}
		f.status = over
		f.note(audit.Done)
		f.do(Done{Result: span, NoStore: f.looped || f.seeded})
	case !asks:
		f.fail(fault.ResultType, "resultType "+shown(resultType)+` is neither "complete" nor "input_required"`)
	case len(span) > f.opts.Limits.Response:
		f.fail(fault.Limit, tooLong("the result", len(span), f.opts.Limits.Response, "response"))
	case dup != nil:
		f.failWith(unreadable("the result", dup))
	case !mayLoop(f.method) || f.task != nil && !(f.dialect == approved && f.task.fetch && !f.task.updating):
		f.malformed("input_required on a method that may not ask")
	default:
		if f.task != nil {
			f.task.fetch = false
		}
		f.openRound(round)
	}
}

// mayLoop lists the methods that servers may answer with input_required; they
// MUST NOT on any other. Source: basic/patterns/mrtr, Supported Requests.
func mayLoop(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}
