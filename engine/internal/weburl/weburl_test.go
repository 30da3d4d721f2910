package weburl_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/internal/weburl"
)

func TestCheckAccepts(t *testing.T) {
	label63 := strings.Repeat("a", 63)
	name253 := strings.Join([]string{label63, label63, label63, strings.Repeat("b", 61)}, ".")
	tests := map[string]struct {
		url  string
		want weburl.Hints
	}{
		"the specification's example": {"https://mcp.example.com/ui/set_api_key", weburl.Hints{Host: "mcp.example.com"}},
		"host alone":                  {"https://example.com", weburl.Hints{Host: "example.com"}},
		"query after the host":        {"https://example.com?a=b", weburl.Hints{Host: "example.com"}},
		"fragment after the host":     {"https://example.com#top", weburl.Hints{Host: "example.com"}},
		"port":                        {"https://example.com:8443/", weburl.Hints{Host: "example.com"}},
		"port zero":                   {"https://example.com:0/", weburl.Hints{Host: "example.com"}},
		"largest port":                {"https://example.com:65535", weburl.Hints{Host: "example.com"}},
		"port with a leading zero":    {"https://example.com:00443/", weburl.Hints{Host: "example.com"}},
		"scheme in capitals":          {"HTTPS://example.com/", weburl.Hints{Host: "example.com"}},
		"host in capitals":            {"https://Example.COM/Path", weburl.Hints{Host: "example.com"}},
		"at sign in the path":         {"https://example.com/@user", weburl.Hints{Host: "example.com"}},
		"at sign in the query":        {"https://example.com?u=a@b", weburl.Hints{Host: "example.com"}},
		"colon in the path":           {"https://example.com/a:b", weburl.Hints{Host: "example.com"}},
		"odd but harmless query":      {`https://example.com/?q=100%&f[a]=<"b">|{c}^'`, weburl.Hints{Host: "example.com"}},
		"underscore":                  {"https://_dmarc.example.com/", weburl.Hints{Host: "_dmarc.example.com"}},
		"hyphens":                     {"https://-a-.r3---b.example/", weburl.Hints{Host: "-a-.r3---b.example"}},
		"one label":                   {"https://intranet/", weburl.Hints{Host: "intranet"}},
		"label that begins with 0":    {"https://0example/", weburl.Hints{Host: "0example"}},
		"longest label":               {"https://" + label63 + ".com/", weburl.Hints{Host: label63 + ".com"}},
		"longest name":                {"https://" + name253 + "/", weburl.Hints{Host: name253}},
		"IPv4":                        {"https://192.0.2.1/", weburl.Hints{Host: "192.0.2.1"}},
		"IPv4 of zeros":               {"https://0.0.0.0/", weburl.Hints{Host: "0.0.0.0"}},
		"numbers before a name":       {"https://127.0.0.1.example.com/", weburl.Hints{Host: "127.0.0.1.example.com"}},
		"loopback name":               {"http://localhost:3000/cb", weburl.Hints{Host: "localhost", Loopback: true}},
		"loopback name in capitals":   {"HTTP://LocalHost/", weburl.Hints{Host: "localhost", Loopback: true}},
		"loopback over https":         {"https://localhost/", weburl.Hints{Host: "localhost", Loopback: true}},
		"loopback address":            {"http://127.0.0.1:8080/", weburl.Hints{Host: "127.0.0.1", Loopback: true}},
		"last loopback address":       {"http://127.255.255.255/", weburl.Hints{Host: "127.255.255.255", Loopback: true}},
		"loopback IPv6":               {"http://[::1]/", weburl.Hints{Host: "[::1]", Loopback: true}},
		"loopback IPv6 with a port":   {"http://[::1]:3000/", weburl.Hints{Host: "[::1]", Loopback: true}},
		"below localhost":             {"https://app.localhost/", weburl.Hints{Host: "app.localhost"}},
		"punycode":                    {"https://xn--e1afmkfd.example/", weburl.Hints{Host: "xn--e1afmkfd.example", Punycode: true}},
		"punycode in the last label":  {"https://example.xn--p1ai/", weburl.Hints{Host: "example.xn--p1ai", Punycode: true}},
		"punycode in capitals":        {"https://XN--E1AFMKFD.example/", weburl.Hints{Host: "xn--e1afmkfd.example", Punycode: true}},
		"xn without hyphens":          {"https://xn-a.example/", weburl.Hints{Host: "xn-a.example"}},
		"xn-- inside a label":         {"https://axn--b.example/", weburl.Hints{Host: "axn--b.example"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, fault := weburl.Check(tt.url)
			if got != tt.want || fault != "" {
				t.Errorf("Check(%q): got %+v %q, want %+v", tt.url, got, fault, tt.want)
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	const (
		character = "the url has a space, a backslash, a control character or one that is not ASCII"
		scheme    = "the url does not begin with https://"
		user      = "the url has a user name or password before its host"
		port      = "the url's port is not a number from 0 to 65535"
		noHost    = "the url has no host"
		host      = "the url's host is not a DNS name, an IPv4 address of four plain decimal parts or [::1]"
		plain     = "the url is http:// and its host is not this machine"
	)
	tests := map[string]struct{ url, want string }{
		"space inside":             {"https://example.com/a b", character},
		"space before":             {" https://example.com/", character},
		"line feed inside":         {"https://exa\nmple.com/", character},
		"tab in the scheme":        {"ht\ttps://example.com/", character},
		"null":                     {"https://example.com/\x00", character},
		"delete":                   {"https://example.com/\x7f", character},
		"backslash for a slash":    {`https:\\example.com/`, character},
		"backslash after a host":   {`https://example.com\@evil.example/`, character},
		"backslash in the query":   {`https://example.com/?a=\b`, character},
		"letter of another script": {"https://exаmple.com/", character},
		"fullwidth letters":        {"https://ｅxample.com/", character},
		"ideographic full stop":    {"https://example。com/", character},
		"accent in the path":       {"https://example.com/é", character},
		"not UTF-8":                {"https://example.com/\xff", character},

		"empty":                   {"", scheme},
		"javascript":              {"javascript:alert(1)", scheme},
		"javascript with slashes": {"javascript://example.com/%0Aalert(1)", scheme},
		"data":                    {"data:text/html,hi", scheme},
		"file":                    {"file:///etc/passwd", scheme},
		"ftp":                     {"ftp://example.com/", scheme},
		"websocket":               {"wss://example.com/", scheme},
		"blob":                    {"blob:https://example.com/1", scheme},
		"view-source":             {"view-source:https://example.com/", scheme},
		"relative":                {"/path", scheme},
		"scheme-relative":         {"//example.com/", scheme},
		"scheme alone":            {"https:", scheme},
		"no slash":                {"https:example.com", scheme},
		"one slash":               {"https:/example.com", scheme},
		"long s in the scheme":    {"httpſ://example.com/", character},

		"nothing after the slashes": {"https://", noHost},
		"three slashes":             {"https:///example.com/", noHost},
		"query for a host":          {"https://?example.com", noHost},
		"fragment for a host":       {"https://#example.com", noHost},
		"port without a host":       {"https://:443/", noHost},

		"user":                   {"https://user@example.com/", user},
		"user and password":      {"https://user:secret@example.com/", user},
		"host for a user":        {"https://trusted.example@evil.example/", user},
		"host and port for both": {"https://trusted.example:443@evil.example/", user},
		"empty user":             {"https://@example.com/", user},
		"two at signs":           {"https://a@b@example.com/", user},

		"no digits in the port":    {"https://example.com:/", port},
		"letters in the port":      {"https://example.com:http/", port},
		"sign in the port":         {"https://example.com:+443/", port},
		"port too large":           {"https://example.com:65536/", port},
		"port that wraps":          {"https://example.com:4294967739/", port},
		"port with too many zeros": {"https://example.com:000443/", port},
		"two ports":                {"https://example.com:1:2/", port},
		"letter after an address":  {"https://[::1]:a/", port},

		"percent in the host":          {"https://ex%61mple.com/", host},
		"encoded slash in the host":    {"https://example.com%2f.evil.example/", host},
		"encoded null in the host":     {"https://example.com%00.evil.example/", host},
		"brackets in the host":         {"https://exa[mple.com/", host},
		"angle brackets in the host":   {"https://<b>.example/", host},
		"caret in the host":            {"https://a^b.example/", host},
		"star in the host":             {"https://*.example.com/", host},
		"comma in the host":            {"https://a,b.example/", host},
		"semicolon in the host":        {"https://example.com;evil.example/", host},
		"trailing dot":                 {"https://example.com./", host},
		"leading dot":                  {"https://.example.com/", host},
		"two dots":                     {"https://example..com/", host},
		"dot alone":                    {"https://./", host},
		"label too long":               {"https://" + strings.Repeat("a", 64) + ".com/", host},
		"name too long":                {"https://" + strings.Repeat("a.", 126) + "ab/", host},
		"IPv4 of two parts":            {"https://127.1/", host},
		"IPv4 of three parts":          {"https://127.0.1/", host},
		"IPv4 of five parts":           {"https://1.2.3.4.5/", host},
		"IPv4 of one part":             {"https://2130706433/", host},
		"IPv4 in hexadecimal":          {"https://0x7f000001/", host},
		"IPv4 of hexadecimal parts":    {"https://0x7f.0x0.0x0.0x1/", host},
		"IPv4 with one hexadecimal":    {"https://127.0.0.0x1/", host},
		"IPv4 with 0x alone":           {"https://127.0.0.0x/", host},
		"IPv4 in capital hexadecimal":  {"https://127.0.0.0X1/", host},
		"IPv4 with an octal part":      {"https://0177.0.0.1/", host},
		"IPv4 with an octal last part": {"https://127.0.0.01/", host},
		"IPv4 with two zeros":          {"https://127.0.0.00/", host},
		"IPv4 part too large":          {"https://127.0.0.256/", host},
		"IPv4 with a trailing dot":     {"https://127.0.0.1./", host},
		"IPv4 with two trailing dots":  {"https://127.0.0.1../", host},
		"name with a numeric end":      {"https://example.123/", host},
		"name with a hexadecimal end":  {"https://example.0xff/", host},
		"other IPv6":                   {"https://[2001:db8::1]/", host},
		"loopback IPv6 in full":        {"https://[0:0:0:0:0:0:0:1]/", host},
		"IPv4 in IPv6":                 {"https://[::ffff:127.0.0.1]/", host},
		"IPv6 with a zone":             {"https://[fe80::1%25eth0]/", host},
		"IPv6 without a bracket":       {"https://[::1/", port},
		"text after IPv6":              {"https://[::1]x/", host},
		"text before IPv6":             {"https://x[::1]/", host},
		"brackets of nothing":          {"https://[]/", host},
		"xn-- alone":                   {"https://xn--/", host},
		"xn-- that encodes nothing":    {"https://xn--example-.com/", host},
		"XN-- that encodes nothing":    {"https://a.XN--b-/", host},

		"http":                           {"http://example.com/", plain},
		"http to an address":             {"http://192.0.2.1/", plain},
		"http to what starts like it":    {"http://127.0.0.1.example.com/", plain},
		"http to another 127":            {"http://127.example.com/", plain},
		"http to a name that ends in it": {"http://notlocalhost/", plain},
		"http below localhost":           {"http://app.localhost/", plain},
		"http to all interfaces":         {"http://0.0.0.0/", plain},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, fault := weburl.Check(tt.url)
			if fault.String() != tt.want || got != (weburl.Hints{}) {
				t.Errorf("Check(%q): got %+v %q, want %q", tt.url, got, fault, tt.want)
			}
		})
	}
}

// FuzzCheck holds accepted urls against net/url, which reads them by RFC 3986.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/", "HTTPS://Example.com:443/a?b#c", "http://127.0.0.1:1", "http://[::1]:1/", "https://xn--p1ai", "https://[::1]:",
		"https://user@example.com", "https://0x7f.1", "https://a..b", "https://a.", "https://:1", "https:/a", "https://a\\b", "https://[]:1]:2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hints, fault := weburl.Check(text)
		if fault != "" {
			if hints != (weburl.Hints{}) {
				t.Fatalf("Check(%q): got %+v with fault %q", text, hints, fault)
			}
			return
		}
		checkHints(t, text, hints)
		_, rest, _ := strings.Cut(text, "://")
		if end := strings.IndexAny(rest, "/?#"); end >= 0 {
			rest = rest[:end] // net/url has rules for what follows that browsers do not have
		}
		u, err := url.Parse("https://" + rest)
		if err != nil {
			t.Fatalf("Check(%q) accepted what net/url does not: %v", text, err)
		}
		host := strings.ToLower(u.Hostname())
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if host != hints.Host || u.User != nil {
			t.Fatalf("Check(%q): got host %q, net/url has %q and user %v", text, hints.Host, host, u.User)
		}
	})
}

// checkHints derives the hints of an accepted url from its host alone.
func checkHints(t *testing.T, text string, got weburl.Hints) {
	t.Helper()
	octets := strings.Split(got.Host, ".")
	want := weburl.Hints{
		Host:     got.Host,
		Loopback: got.Host == "localhost" || got.Host == "[::1]" || len(octets) == 4 && octets[0] == "127" && strings.Trim(octets[3], "0123456789") == "",
		Punycode: strings.Contains("."+got.Host, ".xn--"),
	}
	if got != want || got.Host == "" {
		t.Fatalf("Check(%q): got %+v, want %+v", text, got, want)
	}
	if !got.Loopback && !strings.EqualFold(text[:8], "https://") {
		t.Fatalf("Check(%q) accepted an unprotected url", text)
	}
}
