package message

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Size is the length of what was read, in bytes.
func (m *Message) Size() int { return m.size }

// Whole is the text, nil if it came in slices and is longer than the limit.
func (m *Message) Whole() []byte { return m.whole }

// IsCut reports whether the text came in slices.
func (m *Message) IsCut() bool { return m.isCut }

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

// Span is where a member stands in the text.
func (m *Message) Span(n Name) (from, to int) { return m.values[n].from, m.values[n].to }

// Text is a member's text, nil if there is none or if it is longer than the
// limit, however the message came. Of a name that comes twice it is the first.
func (m *Message) Text(n Name) []byte {
	if !m.Has(n) || m.Len(n) > m.limit {
		return nil
	}
	from, to := m.Span(n)
	if m.whole != nil {
		return m.whole[from:to:to]
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
	what := bad.Sentence()
	switch m.first {
	case 0:
		what = "it is empty"
	case '<':
		what = "it looks like HTML"
	case 0xEF:
		what = "it begins with a byte order mark"
	}
	return sentence.Say("the answer is no JSON-RPC message: {0}", what)
}
