package roots

import "github.com/parley-mcp/parley/sentence"

const scheme = "file://"

// checkURI reads file://host/path, where no host is this machine (RFC 8089). The
// fault is a template for the place.
//
// Source: MCP 2026-07-28, client/roots: uri MUST be a file:// URI, and clients
// MUST validate all root URIs to prevent path traversal.
func checkURI(uri string) (fault sentence.Text) {
	if len(uri) < len(scheme) || uri[:len(scheme)] != scheme {
		return "{0} does not begin with file://"
	}
	path := false        // a slash has come
	length, dots := 0, 0 // of the segment, with escapes decoded
	for i := len(scheme); i < len(uri); i++ {
		c := uri[i]
		switch {
		case c <= ' ' || c >= 0x7F || c == '\\' || c == '?' || c == '#':
			// ? and # end the path for a reader: from c#/src on, that hands out a
			// parent that nobody agreed to.
			return "{0} has a character that must be percent-encoded"
		case !path && (c == ':' || c == '@' || c == '%'):
			// A host is another machine, or wsl.localhost and the like. What cannot
			// be one is most often a path that lacks its first slash.
			return "{0} has a host that is not a name; file:/// means no host"
		case c == '%':
			var ok bool
			if c, ok = unescape(uri[i+1:]); !ok {
				return "{0} has a percent sign without two hexadecimal digits"
			}
			if c == 0 { // many systems would cut the path short there
				return "{0} has an encoded null character"
			}
			i += 2
		}
		switch c {
		case '/', '\\': // an encoded one ends a segment on some systems
			if dots == 2 && length == 2 {
				return climbs
			}
			path = true
			length, dots = 0, 0
			continue
		case '.':
			dots++
		}
		length++
	}
	if !path {
		return "{0} has no path"
	}
	if dots == 2 && length == 2 {
		return climbs
	}
	return ""
}

const climbs sentence.Text = "{0} has a .. segment"

// unescape decodes what follows a percent sign.
func unescape(text string) (b byte, ok bool) {
	for i := range 2 {
		if i >= len(text) {
			return 0, false
		}
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		b = b<<4 | c
	}
	return b, true
}
