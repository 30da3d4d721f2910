package session

import (
	"github.com/parley-mcp/parley/internal/message"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// maxState is how long a state of SEP-1685 may be that a request of the server
// carries, in bytes.
const maxState = 256 << 10

// isState reports whether a value can be a state of SEP-1685: a string, or an
// object in the schema that it proposes.
func isState(value []byte) bool { return rawjson.IsString(value) || rawjson.IsObject(value) }

// takeState keeps the state beside the id of a request, or says what is wrong
// with it.
//
// Source: SEP-1685 as revised, Schema Changes.
func (q *asked) takeState(has bool, in *message.Message) (fault sentence.Text) {
	kind := in.Kind(message.State)
	switch {
	case !has || kind == 0:
	case kind != '"' && kind != '{':
		return "state is neither a string nor an object"
	case in.Len(message.State) > maxState:
		return "state is too long"
	default:
		q.state = clone(in.Text(message.State))
	}
	return ""
}

// dependents reads dependent_requests as SEP-1685 has it,
//
//	{"state":…,"requests":[{"state":…,"params":{…}},…]}
//
// where a state is shared, or of one request, or absent. The requests have no
// keys, so their places are the keys; one without a method is an elicitation.
//
// What the states say is kept as the requestState of a round, which is opaque
// to everyone but [text.dependents]: an array of the shared one and then that
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
	asks, states text
	n            int
	stateful     bool
}

// take keeps the state of an object and returns the value of one other member,
// nil where it has none. All but the state goes to rest, if there is one.
func (d *dependentRound) take(object []byte, name string, rest *text) (value []byte) {
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

// dependents adds the member dependent_responses: the answers in the order of
// the requests, each state as it came and where it came. It fails if state is
// not what [dependents] made.
func (t *text) dependents(responses, state []byte) bool {
	states := []byte("[]")
	ok := true
	if state != nil {
		if states, ok = nil, rawjson.IsString(state); ok {
			states, ok = rawjson.AppendUnquoted(nil, state)
		}
	}
	var e rawjson.Elements
	e.Start(states)
	t.Put(`,"dependent_responses":{`)
	t.nextState(&e)
	t.Put(`"responses":[`)
	if responses != nil {
		var m rawjson.Members
		for m.Start(responses); m.Next(); {
			t.Comma()
			t.Put("{")
			t.nextState(&e)
			t.Put(`"result":`)
			t.Raw(m.Value)
			t.Put("}")
		}
	}
	t.Put("]}")
	return ok && e.Err == nil
}

// nextState adds the next of the states, unless there is none.
func (t *text) nextState(e *rawjson.Elements) {
	if e.Next() && isState(e.Value) {
		t.Put(`"state":`)
		t.Raw(e.Value)
		t.Put(",")
	}
}
