package codec

import "github.com/parley-mcp/parley/rawjson"

// Principal is the text of an authenticated principal for a [Binding]: a JSON
// array of the OAuth client, the issuer and the subject, with null for what the
// server does not know. Give the same parts on every instance and in every
// round, and never the bearer token's text, which changes when it is refreshed.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 5(a).
func Principal(client, issuer, subject *string) *string {
	text := []byte{'['}
	for i, part := range [...]*string{client, issuer, subject} {
		if i > 0 {
			text = append(text, ',')
		}
		if part == nil {
			text = append(text, "null"...)
		} else {
			text = rawjson.AppendQuoted(text, *part)
		}
	}
	s := string(append(text, ']'))
	return &s
}
