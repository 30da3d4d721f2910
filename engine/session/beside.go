package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/internal/message"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/internal/writer"
	"github.com/parley-mcp/parley/rawjson"
)

// besideNames are the members by which a proposal's responses ask in place of
// a result and its retries answer beside their params; "" where it has none.
type besideNames struct {
	requests, requestState message.Name // 0 where it has none
	responses, state       string
}

// besideOf returns the names of a dialect.
func besideOf(dialect engine.Dialect) (b besideNames) {
	switch dialect {
	case engine.DialectDraft:
		return besideNames{message.RequestsDraft, message.BesideStateDraft, `,"input_responses":{`, `,"request_state":`}
	case engine.DialectDraftCamel:
		return besideNames{message.Requests, message.BesideState, `,"inputResponses":{`, `,"requestState":`}
	case engine.DialectState:
		b.requests = message.RequestsDependent
	}
	return b
}

// asks reports whether a message asks in place of a result.
func (b *besideNames) asks(in *message.Message) bool {
	return b.requests != 0 && (in.Has(b.requests) || b.requestState != 0 && in.Has(b.requestState))
}

// incomplete is what a response asks in place of a result.
func (r *request) incomplete(in *message.Message) *relay.Incomplete {
	b := besideOf(r.dialect())
	for _, n := range [...]message.Name{b.requests, b.requestState} {
		if n != 0 && in.Has(n) && in.Text(n) == nil {
			return &relay.Incomplete{TooLong: in.Len(n)}
		}
	}
	if r.dialect() == engine.DialectState {
		return dependents(in.Text(b.requests))
	}
	return &relay.Incomplete{InputRequests: in.Text(b.requests), RequestState: in.Text(b.requestState)}
}

// lift takes answers and requestState out of a leg's params, and returns them
// as the members that go beside. It fails where they are not what a round of
// the dialect left.
func lift(params []byte, dialect engine.Dialect) (kept, beside []byte, ok bool) {
	var responses, state []byte
	t := &text{writer.With('{', len(params))}
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		switch {
		case m.Is("inputResponses"):
			responses = m.Value
		case m.Is("requestState"):
			state = m.Value
		default:
			t.Member(m.Name, m.Value)
		}
	}
	t.Put("}")
	b := &text{}
	ok = responses == nil || rawjson.IsObject(responses)
	switch {
	case responses == nil && state == nil, !ok:
	case dialect == engine.DialectState:
		ok = b.dependents(responses, state)
	default:
		names := besideOf(dialect)
		names.append(b, responses, state)
	}
	return t.Dst, b.Dst, ok
}

// append appends answers, each as {"result":…}, and state as the members of
// the drafts of SEP-2322.
func (b *besideNames) append(t *text, responses, state []byte) {
	if responses != nil {
		t.Put(b.responses)
		var m rawjson.Members
		for m.Start(responses); m.Next(); {
			t.Member(m.Name, []byte(`{"result":`))
			t.Raw(m.Value)
			t.Put("}")
		}
		t.Put("}")
	}
	if state != nil {
		t.Put(b.state)
		t.Raw(state)
	}
}

// isSilent reports whether a leg is the message by which the drafts of
// SEP-2322 answer a task: it has no method, and no response comes.
func (r *request) isSilent() bool {
	return r.kind == leg && r.method == "tasks/input_response" && besideOf(r.dialect()).responses != ""
}

// silentBody is that message.
func (s *Session) silentBody(r *request, beside []byte) []byte {
	t := &text{}
	t.Put(`{"jsonrpc":"2.0","id":`)
	envelope.PutID(&t.JSON, r.id, s.opts.StringIDs)
	t.Raw(beside)
	t.Put(`,"_meta":`)
	t.Raw(rawjson.Member(r.params, "_meta"))
	t.Put("}")
	return t.Dst
}

// acknowledge takes it that a message arrived to which no response comes.
func (s *Session) acknowledge(r *request) {
	s.deliver(r, message.Read([]byte(`{"jsonrpc":"2.0","result":{}}`), s.most))
}
