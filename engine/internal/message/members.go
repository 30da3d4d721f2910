package message

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Size is the length of what was read, in bytes.
func (m *Message) Size() int { return m.end - m.start }

// Whole is the text, nil if its body came in slices and it is longer than the limit.
func (m *Message) Whole() []byte { return m.whole }

// IsCut reports whether its body came in slices.
func (m *Message) IsCut() bool { return m.isCut }

// IsCutOff reports whether its body ended in its middle.
func (m *Message) IsCutOff() bool { return m.isCutOff }

// IsBehind reports whether it stands behind text that a person would see, so that it
// may be quoted there.
func (m *Message) IsBehind() bool { return m.behind }

// Has reports whether a member is there. One that is null is not, where absent and
// null mean the same.
func (m *Message) Has(n Name) bool { return m.has>>n&1 == 1 }

// Again reports whether the message has a member of the result more than once.
func (m *Message) Again(n Name) bool { return m.more>>n&1 == 1 }

// AgainFirst is which of the result's two types it has a second time first, 0 if
// neither.
func (m *Message) AgainFirst() Name { return m.again }

// HasOther reports whether the result has a member that is not looked at, or one twice.
func (m *Message) HasOther() bool { return m.other }

// Odd is what is wrong with the names of the result's members, nil if nothing is.
func (m *Message) Odd() *rawjson.Error { return m.odd }

// Kind is the first byte of a member's text, 0 if there is none.
func (m *Message) Kind(n Name) byte {
	if !m.Has(n) {
		return 0
	}
	return m.values[n].kind
}

// Len is the length of a member's text, 0 if there is none.
func (m *Message) Len(n Name) int {
	if !m.Has(n) {
		return 0
	}
	return m.values[n].to - m.values[n].from
}

// Span is where a member stands in the body.
func (m *Message) Span(n Name) (from, to int) { return m.values[n].from, m.values[n].to }

// All is a member's text, however long it is, of a message that is not cut.
func (m *Message) All(n Name) []byte {
	from, to := m.Span(n)
	return m.whole[from-m.start : to-m.start]
}

// Text is a member's text, nil if there is none or if it is longer than the
// limit, however the message came. Of a name that comes twice it is the first.
func (m *Message) Text(n Name) []byte {
	if !m.Has(n) || m.Len(n) > m.limit {
		return nil
	}
	return m.text(n)
}

func (m *Message) text(n Name) []byte {
	from, to := m.Span(n)
	if m.whole != nil {
		return m.whole[from-m.start : to-m.start : to-m.start]
	}
	for o := n; o < count; o = o.parent() {
		for i := range m.kept.texts {
			if t := &m.kept.texts[i]; t.name == o {
				start := m.values[o].from
				return t.text[from-start : to-start : to-start]
			}
		}
	}
	return nil
}

// NoVersion is what is wrong with a message that does not say "jsonrpc":"2.0".
const NoVersion sentence.Text = `"jsonrpc" is not "2.0"`

// HasVersion reports whether the message says "jsonrpc":"2.0".
func (m *Message) HasVersion() bool { return rawjson.Is(m.Text(JSONRPC), "2.0") }

// Err is what is wrong with the envelope, nil if nothing is: one object in UTF-8
// without duplicate names, "jsonrpc":"2.0" or at least an id, and either a method
// (request, notification) or exactly one of result and error (response). asks says
// that it is held to that as if it had a result beside what it has.
func (m *Message) Err(asks bool) *rawjson.Error {
	result, failed := m.Has(Result), m.Has(Error)
	var reason sentence.Text
	switch {
	case !m.utf8.isValid(): // RFC 8259, section 8.1
		reason = "text that is not UTF-8"
	case m.bad != nil:
		return m.bad
	case asks && result:
		reason = "duplicate member name"
	case !m.HasVersion() && !rawjson.IsString(m.Text(ID)) && !rawjson.IsNumber(m.Text(ID)):
		reason = NoVersion
	case m.Has(Method) && (asks || result || failed):
		reason = "a method together with a result or an error"
	case m.Has(Method) && m.Kind(Method) != '"':
		reason = "the method is not a string"
	case (asks || result) && failed:
		reason = "both a result and an error"
	case !m.Has(Method) && !asks && !result && !failed:
		reason = "neither a method, a result nor an error"
	default:
		return nil
	}
	return &rawjson.Error{Offset: -1, Reason: reason}
}

// AsksBeside reports whether questions stand beside, as in proposals from before
// MCP 2026-07-28.
func (m *Message) AsksBeside() bool {
	return m.Has(Requests) || m.Has(RequestsDraft) || m.Has(RequestsDependent)
}

// Unreadable says what came in place of a response.
func (m *Message) Unreadable(bad *rawjson.Error) sentence.Text {
	return sentence.Say("the answer is no JSON-RPC message: {0}", m.What(bad))
}

// What says what came in place of a message.
func (m *Message) What(bad *rawjson.Error) sentence.Text {
	if m.instead != "" {
		return m.instead
	}
	return bad.Sentence()
}

// BrokenID is the id that a response names which is broken, nil if it names none or
// if it may only be cut off or quoted.
func (m *Message) BrokenID() []byte {
	has := m.has | m.broken
	isResponse := has&(1<<Result|1<<Error) != 0 || m.now[1].isOpen && (m.now[1].name == Result || m.now[1].name == Error)
	if m.behind || !isResponse || has>>Method&1 == 1 || has>>ID&1 == 0 || m.values[ID].to-m.values[ID].from > m.limit {
		return nil
	}
	return m.text(ID)
}

// Equal reports whether two messages are the same text. Of those that are too long to
// be kept it is not known.
func (m *Message) Equal(other *Message) bool {
	return m.Size() == other.Size() && m.Size() <= m.limit && string(m.whole) == string(other.whole)
}
