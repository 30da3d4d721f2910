package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// maxReason bounds, in bytes, what a host's own words add to a detail.
const maxReason = 200

// entryDetail names an entry of inputRequests by its key.
func entryDetail(key, text string) string {
	return "inputRequests[" + string(rawjson.AppendQuoted(nil, key)) + "]: " + text
}

// unreadable is what of the server's is no JSON, or too much of it.
func unreadable(what string, err *rawjson.Error) *Error {
	code := fault.Malformed
	if err.IsLimit() {
		code = fault.Limit
	}
	return &Error{code, what + ": " + err.Error()}
}

// tooLong says that something is beyond one of [Limits], which is named as the
// options of every host name it.
func tooLong(what string, has, most int, limit string) string {
	return what + " has " + rawjson.Itoa(has) + " bytes, and limits." + limit + " allows " + rawjson.Itoa(most)
}

// maxShown bounds, in bytes, what of a server's value is shown.
const maxShown = 60

// shown is a value of the server's for a detail: quoted as JSON, cut to a
// bounded length.
func shown(token []byte) string {
	if len(token) <= maxShown {
		return string(token)
	}
	cut := maxShown
	for cut > 0 && token[cut]&0xC0 == 0x80 { // not inside a character
		cut--
	}
	return string(token[:cut]) + "…"
}

// reason appends a host's words to a detail, cut to a bounded length.
func reason(detail, words string) string {
	if words == "" {
		return detail
	}
	if len(words) > maxReason {
		cut := maxReason
		for cut > 0 && words[cut]&0xC0 == 0x80 { // not inside a character
			cut--
		}
		words = words[:cut] + "…"
	}
	return detail + ": " + words
}
