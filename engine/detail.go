package engine

import (
	"strconv"

	"github.com/parley-mcp/parley/rawjson"
)

// maxReason bounds, in bytes, what a host's own words add to a detail.
const maxReason = 200

func legDetail(leg int, text string) string {
	return "leg " + strconv.Itoa(leg) + ": " + text
}

// entryDetail names an entry of inputRequests by its key.
func entryDetail(leg int, key, text string) string {
	return legDetail(leg, "inputRequests["+string(rawjson.AppendQuoted(nil, key))+"]: "+text)
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
