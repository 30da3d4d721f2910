package drafts

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// ResultType is the resultType of a result in the words of MCP 2026-07-28, nil if it
// has none, or what is wrong with it.
func (d Dialect) ResultType(m *message.Message) (resultType []byte, flaw sentence.Text) {
	if n := m.AgainFirst(); n != 0 {
		return nil, sentence.About("the result has two members named {0}", n.String())
	}
	resultType = word(m, message.ResultType)
	if other := OtherType(m); d == Agreed && other != nil {
		if resultType != nil && string(resultType) != string(other) {
			return nil, "resultType and result_type of the result are not the same"
		}
		resultType = other
	}
	if d.IsApproved() && rawjson.Is(resultType, "incomplete") {
		resultType = []byte(`"input_required"`)
	}
	return resultType, ""
}

// OtherType is the result_type of a result, nil if it has none.
func OtherType(m *message.Message) []byte { return word(m, message.ResultTypeDraft) }

// word is the text of a member that is a word. One that is too long to be kept
// is none that is known.
func word(m *message.Message, n message.Name) []byte {
	if m.Has(n) && m.Text(n) == nil {
		return []byte("…")
	}
	return m.Text(n)
}

// HasQuestions reports whether a result has members with which it asks in any dialect.
func HasQuestions(m *message.Message) bool {
	return m.Has(message.InputRequests) || m.Has(message.RequestState) ||
		m.Has(message.InputRequestsDraft) || m.Has(message.RequestStateDraft) || m.Has(message.DependentRequests)
}

// Status is a task's status as MCP spells it: the drafts have a capital, as in Working.
func (d Dialect) Status(token []byte) []byte {
	if d.isDraft() && len(token) > 1 && token[1] >= 'A' && token[1] <= 'Z' {
		token = append([]byte(nil), token...)
		token[1] += 'a' - 'A'
	}
	return token
}

// beside are the members with which a response asks in place of a result, 0 where the
// dialect has none.
func (d Dialect) beside() (requests, state message.Name) {
	switch d {
	case Draft:
		return message.RequestsDraft, message.BesideStateDraft
	case DraftCamel:
		return message.Requests, message.BesideState
	case SEP1685:
		return message.RequestsDependent, 0
	}
	return 0, 0
}

// Asks reports whether a message asks in place of a result.
func (d Dialect) Asks(m *message.Message) bool {
	requests, state := d.beside()
	return requests != 0 && m.Has(requests) || state != 0 && m.Has(state)
}

// Round is what such a message asks.
func (d Dialect) Round(m *message.Message) *relay.Incomplete {
	requests, state := d.beside()
	for _, n := range [...]message.Name{requests, state} {
		if n != 0 && m.Has(n) && m.Text(n) == nil {
			return &relay.Incomplete{TooLong: m.Len(n)}
		}
	}
	if d == SEP1685 {
		return dependents(m.Text(requests))
	}
	return &relay.Incomplete{InputRequests: m.Text(requests), RequestState: m.Text(state)}
}
