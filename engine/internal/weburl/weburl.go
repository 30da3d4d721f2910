// Package weburl decides which urls of a server may be put before a person.
//
// The url goes from here to a consent dialog and then to a browser, and a
// browser repairs what it is given: it drops tabs, takes \ for /, reads
// 0x7f.1 as an address. A dialog that shows one host while the browser opens
// another is a phishing tool, so only spellings that need no repair are
// accepted. Whatever [Check] accepts has the same host in WHATWG's URL parser,
// which all browsers share; or no host at all, because an xn-- label is one
// that IDNA forbids and the parser refuses the url.
package weburl

import "github.com/parley-mcp/parley/sentence"

// Hints are what a host shows or warns about before it opens a url.
//
// Source: MCP 2026-07-28, client/elicitation, Safe URL Handling: clients
// SHOULD highlight the domain and warn on punycode.
type Hints struct {
	Host     string // in lower case and without the port, as WHATWG's URL.hostname: "example.com", "127.0.0.1", "[::1]"
	Loopback bool   // the host is this machine: localhost, 127.0.0.0/8 or [::1]
	Punycode bool   // a label begins with xn--: what a browser shows may look like another name
}

// Check reads an absolute url. The fault is fixed text that says why the url
// must not be opened, and empty if it may.
func Check(url string) (hints Hints, fault sentence.Text) {
	for i := range len(url) {
		if c := url[i]; c <= ' ' || c >= 0x7F || c == '\\' {
			return hints, "the url has a space, a backslash, a control character or one that is not ASCII"
		}
	}
	const https, http = "https://", "http://"
	scheme := https
	if !hasScheme(url, https) {
		scheme = http
		if !hasScheme(url, http) {
			return hints, "the url does not begin with https://"
		}
	}
	host, fault := hostOf(url[len(scheme):])
	if fault != "" {
		return hints, fault
	}
	h, ok := read(host)
	switch {
	case !ok:
		return hints, "the url's host is not a DNS name, an IPv4 address of four plain decimal parts or [::1]"
	case scheme == http && !h.Loopback:
		return hints, "the url is http:// and its host is not this machine"
	}
	return h, ""
}

// hasScheme compares in any letter case. Control characters have been refused,
// so setting 0x20 changes letters only.
func hasScheme(url, scheme string) bool {
	if len(url) < len(scheme) {
		return false
	}
	for i := range len(scheme) {
		if url[i]|0x20 != scheme[i] {
			return false
		}
	}
	return true
}

// hostOf is the host with which a url goes on after its scheme.
func hostOf(rest string) (host string, fault sentence.Text) {
	end, port := 0, -1
	for ; end < len(rest); end++ {
		c := rest[end]
		if c == '/' || c == '?' || c == '#' {
			break
		}
		switch {
		case c == '@':
			return "", "the url has a user name or password before its host"
		case c == ']':
			port = -1 // the colons of an IPv6 address
		case c == ':' && port < 0:
			port = end
		}
	}
	if port < 0 {
		port = end
	} else if !isPort(rest[port+1 : end]) {
		return "", "the url's port is not a number from 0 to 65535"
	}
	if port == 0 {
		return "", "the url has no host"
	}
	return rest[:port], ""
}

// isPort is stricter than WHATWG, which allows no digits at all and any number
// of leading zeros.
func isPort(text string) bool {
	n := 0
	for i := range len(text) {
		c := text[i] - '0'
		if c > 9 {
			return false
		}
		n = n*10 + int(c)
	}
	return n <= 65535 && len(text) >= 1 && len(text) <= 5
}

// DNS, RFC 1035 section 2.3.4, in bytes. A name ends in an empty label there,
// which takes two of its 255 bytes and is not written here: with it, the name
// would be another origin that looks the same.
const (
	maxName  = 253
	maxLabel = 63
)

// read decides about a host that is not empty.
func read(host string) (h Hints, ok bool) {
	// Writing any other IPv6 address as WHATWG does takes a parser and a
	// printer, for hosts that hardly a certificate vouches for and no person
	// can judge.
	if host == "[::1]" {
		return Hints{Host: host, Loopback: true}, true
	}
	host = lower(host)
	label, rest := host, host
	for rest != "" {
		end := 0
		for end < len(rest) && rest[end] != '.' {
			end++
		}
		if label = rest[:end]; !isLabel(label) || end == len(rest)-1 { // a trailing dot is no label
			return h, false
		}
		h.Punycode = h.Punycode || isPunycode(label)
		rest = rest[min(end+1, len(rest)):]
	}
	h.Host = host
	if isNumber(label) {
		h.Loopback = len(host) > 4 && host[:4] == "127."
		return h, isDottedDecimal(host)
	}
	h.Loopback = host == "localhost"
	return h, len(host) <= maxName
}

func isLabel(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	// With nothing after its last hyphen, an xn-- label encodes nothing: before
	// revision 33, UTS #46 turns it into another, plain name.
	return len(text) >= 1 && len(text) <= maxLabel && !(isPunycode(text) && text[len(text)-1] == '-')
}

func isPunycode(label string) bool {
	return len(label) >= 4 && label[:4] == "xn--"
}

func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// isNumber reports whether WHATWG takes a host with this last label for an IPv4
// address, however it is written. It is stricter: 0x may be followed by anything.
//
// Source: WHATWG URL, ends-in-a-number checker.
func isNumber(label string) bool {
	if len(label) >= 2 && label[:2] == "0x" {
		return true
	}
	for i := range len(label) {
		if c := label[i]; c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// isDottedDecimal reports whether a host without empty labels is an IPv4 address
// as WHATWG writes it.
func isDottedDecimal(host string) bool {
	dots, digits, n := 0, 0, 0
	for i := range len(host) {
		c := host[i] - '0'
		switch {
		case host[i] == '.':
			dots++
			digits, n = 0, 0
			continue
		case c > 9, digits > 0 && n == 0: // a leading zero would make it octal
			return false
		}
		digits++
		if n = n*10 + int(c); n > 255 {
			return false
		}
	}
	return dots == 3
}
