package drafts

import (
	"github.com/parley-mcp/parley/rawjson"
)

// Lift takes answers and requestState out of a leg's params, and returns them
// as the members that go beside, each after a comma. It fails where they are not what
// a round of the dialect left.
func (d Dialect) Lift(params []byte) (kept, beside []byte, ok bool) {
	var responses, state []byte
	rest := rawjson.NewWriter('{', len(params))
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		switch {
		case m.Is("inputResponses"):
			responses = m.Value
		case m.Is("requestState"):
			state = m.Value
		default:
			rest.Member(m.Name, m.Value)
		}
	}
	rest.Put("}")
	var j rawjson.Writer
	ok = responses == nil || rawjson.IsObject(responses)
	switch {
	case responses == nil && state == nil, !ok:
	case d == SEP1685:
		ok = putDependents(&j, responses, state)
	case d == DraftCamel:
		putBeside(&j, `,"inputResponses":{`, responses, `,"requestState":`, state)
	default:
		putBeside(&j, `,"input_responses":{`, responses, `,"request_state":`, state)
	}
	return rest.Dst, j.Dst, ok
}

// putBeside adds answers, each as {"result":…}, and state.
func putBeside(j *rawjson.Writer, responsesName string, responses []byte, stateName string, state []byte) {
	if responses != nil {
		j.Put(responsesName)
		var m rawjson.Members
		for m.Start(responses); m.Next(); {
			j.Member(m.Name, []byte(`{"result":`))
			j.Raw(m.Value)
			j.Put("}")
		}
		j.Put("}")
	}
	if state != nil {
		j.Put(stateName)
		j.Raw(state)
	}
}

// IsSilent reports whether a leg is the message by which the drafts of SEP-2322
// answer a task: it has no method, and no response comes.
func (d Dialect) IsSilent(method string) bool { return d.isDraft() && method == "tasks/input_response" }

// PutSilent ends that message, which has its id: what [Dialect.Lift] made of a leg's
// params, and their _meta.
func PutSilent(j *rawjson.Writer, beside, params []byte) {
	j.Raw(beside)
	j.Put(`,"_meta":`)
	j.Raw(rawjson.Member(params, "_meta"))
	j.Put("}")
}
