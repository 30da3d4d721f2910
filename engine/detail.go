package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// maxReason bounds, in bytes, what a host's words add to a detail, with what a
// server says in them.
const maxReason = 2400

// entryDetail names an entry of inputRequests by its key.
func entryDetail(key string, text sentence.Text) sentence.Text {
	return sentence.Say("inputRequests[{0}]: {1}", sentence.Value(string(rawjson.AppendQuoted(nil, key))), text)
}

// unreadable is what of the server's is no JSON, or too much of it.
func unreadable(what sentence.Text, err *rawjson.Error) *Error {
	code := fault.Malformed
	if err.IsLimit() {
		code = fault.Limit
	}
	return newError(code, sentence.Join(what, err.Sentence()))
}

// tooLong says that something is beyond one of [Limits], which is named as the
// options of every host name it.
func tooLong(what sentence.Text, has, most int, limit string) sentence.Text {
	return sentence.Say("{0} has {1} bytes, and limits.{2} allows {3}", what, number(has), sentence.Value(limit), number(most))
}

func number(n int) sentence.Text { return sentence.Value(rawjson.Itoa(n)) }

func count(template sentence.Text, n int) sentence.Text { return sentence.Say(template, number(n)) }

// maxShown bounds, in bytes, what of a server's value is shown.
const maxShown = 60

// shown is a value of the server's for a detail: quoted as JSON, cut to a
// bounded length.
func shown(token []byte) sentence.Text {
	if len(token) <= maxShown {
		return sentence.Value(string(token))
	}
	cut := maxShown
	for cut > 0 && token[cut]&0xC0 == 0x80 { // not inside a character
		cut--
	}
	return sentence.Value(string(token[:cut]) + "…")
}

// reason appends a host's words to a detail, cut to a bounded length.
func reason(detail, words sentence.Text) sentence.Text {
	if words == "" {
		return detail
	}
	if english := words.String(); len(english) > maxReason {
		cut := maxReason
		for cut > 0 && english[cut]&0xC0 == 0x80 { // not inside a character
			cut--
		}
		words = sentence.Value(english[:cut] + "…")
	}
	return sentence.Join(detail, words)
}
