package form_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

func TestFormats(t *testing.T) {
	label := strings.Repeat("x", 63)
	tests := map[form.Format]struct{ good, bad []string }{
		form.Email: {
			good: []string{
				"name@example.com", "first.last+tag@sub.example.co.uk", "a@b", "root@localhost", "!#$%&'*+/=?^_`{|}~-@example.com", "1@2.3",
				"x@" + label + ".com", "x@xn--bcher-kva.example", "x@a-b.c",
			},
			bad: []string{
				"", "@", "a@", "@b", "name", "a b@c.d", "a@b c", "a@@b", "a@b@c", "a@b..c", "a@.b", "a@b.", ".a@b", "a.@b", "a..b@c", "a@-b", "a@b-", "a@b-.c", "a@b.-c",
				"x@" + label + "y.com", "a@b_c", "a@{b", "a@b[", "é@example.com", "a@bücher.example", `"a b"@example.com`, "a@[127.0.0.1]", "a@b\n", "Name <a@b>", "a@b,c@d",
			},
		},
		form.URI: {
			good: []string{
				"https://example.com", "HTTPS://EXAMPLE.COM/a?b#c", "http://user:pw@example.com:8080/", "http://[2001:db8::7]/c=GB?one", "http://a/%7Efoo", "ftp://h/",
				"mailto:a@b.c", "urn:isbn:0451450523", "tel:+1-816-555-1212", "file:///etc/passwd", "x:y", "a+b-c.1:z", "data:text/plain,hi", "news:comp.infosystems", "httpx:y", "https://example.com/@a/@b", "https://example.com/~user", "https://a?@b@c", "http2://", "https://a?x=1/2?3",
			},
			bad: []string{
				"", ":", "example.com", "//example.com", "/path", "#x", "x:", "http:", "http://", "https:///x", "http://?x", "http://#x", "http://:80", "http://a@", "http://a@/b", "http://a@:80", "http://a@b@c", "http://[::1", "http://::1]", "http://a[b]", "http://a]", "mailto:a]", "http:example.com", "1x:y", "-x:y", "x y:z", "é:x", "bar,baz:foo",
				"https://example.com/a b", "https://example.com/é", "https://example.com/<", "https://example.com/\"", "https://example.com/\\", "https://example.com/^",
				"https://example.com/`", "https://example.com/{}", "https://example.com/|", "https://example.com/[x]", "https://example.com/%", "https://example.com/%4", "https://example.com/%4g", "https://example.com/%g4", "https://example.com/@[x]",
				"https://example.com/#a#b", "https://example.com/#[", "https://example.com/?[", "mailto:[a]", "x://a@b@c", "https://example.com/\x00", "https://example.com/\x7f", " https://example.com",
			},
		},
		form.Date: {
			good: []string{"2026-03-31", "2024-02-29", "2000-02-29", "0000-02-29", "0001-01-01", "9999-12-31", "2026-04-30", "2026-08-31", "2026-07-31"},
			bad: []string{
				"", "2026-02-29", "1900-02-29", "2100-02-29", "2026-04-31", "2026-06-31", "2026-09-31", "2026-11-31", "2026-01-32", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-01", "26-01-01",
				"2026/01/01", "2026-01-01T", "2026-01-01 ", " 2026-01-01", "+026-01-01", "2026-01-1", "02026-01-01", "31.03.2026", "２０２６-01-01",
			},
		},
		form.DateTime: {
			good: []string{
				"2026-03-31T09:30:00Z", "2026-03-31t09:30:00z", "2026-03-31T09:30:00.5Z", "2026-03-31T09:30:00.123456789012345Z", "2026-03-31T23:59:59+23:59", "2026-03-31T00:00:00-00:00",
				"1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1937-01-01T12:00:27.87+00:20",
				"1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00", "1998-12-31T15:59:60.123-08:00", "2016-06-30T23:59:60Z", "2017-01-01T08:59:60+09:00", "2015-07-01T00:59:60+01:00",
			},
			bad: []string{
				"", "2026-03-31", "2026-03-31T09:30:00", "2026-03-31 09:30:00Z", "2026-03-31T09:30Z", "2026-03-31T9:30:00Z", "2026-03-31T24:00:00Z", "2026-03-31T09:60:00Z", "2026-03-31T09:30:61Z",
				"2026-02-30T09:30:00Z", "2026-03-31T09:30:00.Z", "2026-03-31T09:30:00.5", "2026-03-31T09:30:00,5Z", "2026-03-31T09:30:00+1:00", "2026-03-31T09:30:00+24:00", "2026-03-31T09:30:00+00:60", "2026-03-31T09:30:00+0000",
				"2026-03-31T09:30:00+00", "2026-03-31T09:30:00ZZ", "2026-03-31T09:30:00+00:00x", "2026-03-31T09:30:00 UTC+0", "2026-03-31T09:30:00Z ", "2026-03-31T09:30:00UTC", "2026-03-31T09-30-00Z", "2026-03-31X09:30:00Z",
				"1998-12-31T23:58:60Z", "1998-12-31T22:59:60Z", "2026-03-31T23:59:60Z", "1998-12-30T23:59:60Z", "1998-12-31T23:59:60+01:00", "2015-03-01T00:59:60+01:00", "2015-07-01T12:00:60Z", "1998-12-31T23:59:60-01:00",
			},
		},
	}
	for format, tt := range tests {
		t.Run(string(format), func(t *testing.T) {
			f := fieldOf(t, `{"type":"string","format":"`+string(format)+`"}`)
			for _, s := range tt.good {
				if p := f.Check(quote(s)); p != nil {
					t.Errorf("%q: refused: %v", s, p)
				}
			}
			for _, s := range tt.bad {
				if p := f.Check(quote(s)); p == nil || p.Code != form.BadFormat {
					t.Errorf("%q: got %v, want BadFormat", s, p)
				}
			}
			example := f.Check([]byte(`"?"`)).Message.String()
			if p := f.Check(quote(example[strings.LastIndex(example, " ")+1:])); p != nil {
				t.Errorf("the message %q gives an example that is refused", example)
			}
		})
	}
}

func TestFormatOfEscapedText(t *testing.T) {
	f := fieldOf(t, `{"type":"string","format":"uri"}`)
	if p := f.Check([]byte(`"https:\/\/example.com\/\u0061"`)); p != nil {
		t.Error(p)
	}
}
