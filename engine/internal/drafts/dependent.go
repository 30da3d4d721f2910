package drafts

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// maxState is how long a state of SEP-1685 may be that a request of the server
// carries, in bytes.
const maxState = 256 << 10

// isState reports whether a value can be a state of SEP-1685: a string, or an
// object in the schema that it proposes.
func isState(value []byte) bool { return rawjson.IsString(value) || rawjson.IsObject(value) }

// State is a copy of the state beside the id of a request of the server, nil if it has
// none, or what is wrong with it.
//
// Source: SEP-1685 as revised, Schema Changes.
func State(m *message.Message) (state []byte, flaw sentence.Text) {
	kind := m.Kind(message.State)
	switch {
	case kind == 0:
		return nil, ""
	case kind != '"' && kind != '{':
		return nil, "state is neither a string nor an object"
	case m.Len(message.State) > maxState:
		return nil, "state is too long"
	}
	return append([]byte(nil), m.Text(message.State)...), ""
}

// PutState adds that state to the answer, unless it is nil.
func PutState(j *rawjson.Writer, state []byte) {
	if state != nil {
		j.Put(`,"state":`)
		j.Raw(state)
	}
}

// dependents reads dependent_requests as SEP-1685 has it,
//
//	{"state":…,"requests":[{"state":…,"params":{…}},…]}
//
// where a state is shared, or of one request, or absent. The requests have no
// keys, so their places are the keys; one without a method is an elicitation.
//
// What the states say is kept as the requestState of a round, which is opaque
// to everyone but [putDependents]: an array of the shared one and then that
// of each request, null where there is none.
func dependents(object []byte) *relay.Incomplete {
	d := dependentRound{}
	d.asks.Put("{")
	d.states.Put("[")
	list := []byte("[]")
	if !rawjson.IsObject(object) {
		d.in.Fault = "dependent_requests is not an object"
	} else if requests := d.take(object, "requests", nil); requests != nil {
		list = requests
	}
	if !rawjson.IsArray(list) {
		d.in.Fault = "dependent_requests.requests is not an array"
		list = nil
	}
	var e rawjson.Elements
	for e.Start(list); e.Next() && d.in.Fault == ""; {
		d.add(e.Value)
	}
	d.asks.Put("}")
	d.states.Put("]")
	d.in.InputRequests = d.asks.Dst
	if d.stateful {
		d.in.RequestState = rawjson.AppendQuoted(nil, d.states.Dst)
	}
	return &d.in
}

// dependentRound is a round in the making.
type dependentRound struct {
	in           relay.Incomplete
	asks, states rawjson.Writer
	n            int
	stateful     bool
}

// take keeps the state of an object and returns the value of one other member,
// nil where it has none. All but the state goes to rest, if there is one.
func (d *dependentRound) take(object []byte, name string, rest *rawjson.Writer) (value []byte) {
	var state []byte
	var names rawjson.Names
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if names.Add(m.Name) != nil {
			d.in.Fault = "an object of dependent_requests has a member twice, or too many"
		}
		if string(m.Value) == "null" { // as good as absent
			continue
		}
		if m.Is(name) {
			value = m.Value
		}
		if m.Is("state") {
			state = m.Value
		} else if rest != nil {
			rest.Member(m.Name, m.Value)
		}
	}
	d.states.Comma()
	switch {
	case state == nil:
		d.states.Put("null")
	case !isState(state):
		d.in.Fault = "a state of dependent_requests is neither a string nor an object"
	default:
		d.states.Raw(state)
		d.stateful = true
	}
	return value
}

// add adds a request under its place. The state is cut out: nobody looks at
// it.
func (d *dependentRound) add(request []byte) {
	d.asks.Comma()
	d.asks.Put(`"` + rawjson.Itoa(d.n) + `":`)
	d.n++
	if !rawjson.IsObject(request) {
		d.asks.Raw(request) // the flow says what is wrong with it
		return
	}
	d.asks.Put("{")
	if d.take(request, "method", &d.asks) == nil {
		d.asks.Begin(`"method":"elicitation/create"`)
	}
	d.asks.Put("}")
}

// putDependents adds the member dependent_responses: the answers in the order of
// the requests, each state as it came and where it came. It fails if state is
// not what [dependents] made.
func putDependents(j *rawjson.Writer, responses, state []byte) bool {
	states := []byte("[]")
	ok := true
	if state != nil {
		if states, ok = nil, rawjson.IsString(state); ok {
			states, ok = rawjson.AppendUnquoted(nil, state)
		}
	}
	var e rawjson.Elements
	e.Start(states)
	j.Put(`,"dependent_responses":{`)
	putNextState(j, &e)
	j.Put(`"responses":[`)
	if responses != nil {
		var m rawjson.Members
		for m.Start(responses); m.Next(); {
			j.Comma()
			j.Put("{")
			putNextState(j, &e)
			j.Put(`"result":`)
			j.Raw(m.Value)
			j.Put("}")
		}
	}
	j.Put("]}")
	return ok && e.Err == nil
}

// putNextState adds the next of the states, unless there is none.
func putNextState(j *rawjson.Writer, e *rawjson.Elements) {
	if e.Next() && isState(e.Value) {
		j.Put(`"state":`)
		j.Raw(e.Value)
		j.Put(",")
	}
}
