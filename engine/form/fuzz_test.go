package form_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/parley-mcp/parley/engine/form"
)

// FuzzForm holds a form to its promises, whatever the schema and the answer:
// nothing panics, defaults are valid answers, Fill is idempotent and changes
// nothing that is there.
func FuzzForm(f *testing.F) {
	f.Add([]byte(sixFields), []byte(sixAnswers), "2")
	f.Add([]byte(sixFields), []byte(`{"name":"","meals":["fish","fish"]}`), "fish, meat")
	f.Add([]byte(sixFields), []byte(` { } `), "")
	f.Add([]byte(schemaOf(`{"type":"string","enum":["a","\ud800"],"enumNames":["A"]}`)), []byte(`{"p":"\ud800"}`), "a")
	f.Add([]byte(schemaOf(`{"type":"string"}`)), []byte("{\"a\xff\":1,\"b\\ud800\":2}"), "\xff")
	for _, property := range []string{
		`{"anyOf":[{"type":"integer","exclusiveMinimum":1},{"type":"null"}],"default":null}`, `{"type":["number","string","null"],"multipleOf":0.5}`, `{"enum":[1,"1",true,null]}`,
		`{"type":"array","items":{"type":"string","minLength":2},"uniqueItems":true,"default":["ab"]}`, `{"$ref":"#/properties/q"},"q":{"allOf":[{"const":"a"}],"readOnly":true}`,
		`{"oneOf":[{"type":"number"},{"type":"integer"},{"const":"x","title":"1"}],"pattern":"^a","examples":[1]}`,
	} {
		f.Add([]byte(schemaOf(property)), []byte(`{"p":1}`), "1\n2")
	}
	f.Add([]byte(schemaOf(`{"type":"array","items":{"anyOf":[{"const":"a,b","title":","}]},"default":["a,b"]}`)), []byte(`{"p":[]}`), ",")
	f.Fuzz(func(t *testing.T, text, content []byte, typed string) {
		s, p := form.Parse(text)
		if p != nil {
			checkProblem(t, *p)
		} else {
			checkForm(t, s, content, typed)
		}
		if strict, bad := form.ParseStrict(text); bad != nil {
			checkProblem(t, *bad)
		} else if p != nil || !reflect.DeepEqual(s, strict) {
			t.Fatalf("%s: the subset is read as %+v, else as %+v, %v", text, strict, s, p)
		} else {
			for _, f := range s.Fields {
				if f.Nullable || f.Kind == form.List || f.Kind == form.Union || f.MultipleOf != "" || f.Unchecked != nil {
					t.Fatalf("%s: %+v is of no subset", text, f)
				}
			}
		}
		for _, property := range []string{`{"type":"string"}`, `{"type":"number"}`, `{"type":"boolean"}`, `{"type":"array","items":{"enum":["a","b"]}}`, `{"type":"array","items":{"type":"number"}}`, `{"type":["string","integer"]}`} {
			f := fieldOf(t, property)
			checkForm(t, form.Schema{Fields: []form.Field{f}}, content, typed)
			if p := f.Check(content); p != nil {
				checkProblem(t, *p)
			} else if !json.Valid(content) {
				t.Fatalf("%s: Check accepted %q", property, content)
			}
		}
	})
}

func checkForm(t *testing.T, s form.Schema, content []byte, typed string) {
	t.Helper()
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Default != "" && f.Check([]byte(f.Default)) != nil {
			t.Fatalf("%+v: the default is no answer", *f)
		}
		value, p := f.Parse(typed)
		switch {
		case p != nil:
			checkProblem(t, *p)
			if value != nil {
				t.Fatalf("%+v: Parse(%q) gives both %s and %v", *f, typed, value, p)
			}
		case value == nil:
			if (strings.Trim(typed, " \t\r\n") != "" || f.Required) && !f.ReadOnly {
				t.Fatalf("%+v: Parse(%q) gives nothing", *f, typed)
			}
		default:
			if p := f.Check(value); p != nil {
				t.Fatalf("%+v: Parse(%q) gives %s: %v", *f, typed, value, p)
			}
		}
	}
	for _, p := range s.Check(s.Fill(nil)) {
		if p.Code != form.Missing {
			t.Fatalf("defaults %s: %v", s.Fill(nil), p)
		}
	}
	before := s.Check(content)
	for _, p := range before {
		checkProblem(t, p)
	}
	filled := s.Fill(content)
	if again := s.Fill(filled); !bytes.Equal(again, filled) {
		t.Fatalf("Fill is not idempotent: %q, then %q", filled, again)
	}
	if len(content) == 0 {
		return
	}
	if len(before) == 1 && before[0].Code == form.Malformed {
		if !bytes.Equal(filled, content) {
			t.Fatalf("Fill made %q of %q", filled, content)
		}
		return
	}
	if !json.Valid(filled) {
		t.Fatalf("Fill made %q", filled)
	}
	brace := bytes.LastIndexByte(content, '}')
	kept := bytes.TrimRight(content[:brace], " \t\r\n")
	if !bytes.HasPrefix(filled, kept) || !bytes.HasSuffix(filled, content[len(kept):]) {
		t.Fatalf("Fill made %q of %q", filled, content)
	}
	// What is still wrong was wrong before, and filling brings no problems.
	after := s.Check(filled)
	for len(after) > 0 {
		if len(before) == 0 {
			t.Fatalf("Fill brought %v", after[0])
		}
		if before[0] == after[0] {
			after = after[1:]
		}
		before = before[1:]
	}
}

func checkProblem(t *testing.T, p form.Problem) {
	t.Helper()
	if p.Code == 0 || p.Message == "" || len(p.Message) > 200 || len(p.Property) > maxName || !utf8.ValidString(p.Error()) {
		t.Fatalf("no good problem: %+v", p)
	}
}

// FuzzNumber compares numbers with math/big.
func FuzzNumber(f *testing.F) {
	for _, n := range []string{"0", "-0", "0.0e9", "1", "1.0", "1e3", "1000", "10e-1", "0.1", "0.10", "1.23e-5", "9007199254740993", "9007199254740992", "9.007199254740993e15", "-1.5", "-1.50", "1e400", "-1e-400", "123.456e2", "100", "99.999"} {
		for _, m := range []string{"0", "1", "-1.5", "1e-3", "9007199254740992", "12345.6"} {
			f.Add(n, m)
		}
	}
	f.Fuzz(func(t *testing.T, x, y string) {
		a, b := rational(x), rational(y)
		if a == nil || b == nil {
			return
		}
		number, integer := form.Field{Kind: form.Number}, form.Field{Kind: form.Integer}
		if p := number.Check([]byte(x)); p != nil {
			t.Fatalf("%s: %v", x, p)
		}
		if got, want := integer.Check([]byte(x)) == nil, a.IsInt(); got != want {
			t.Fatalf("%s is an integer: got %v, want %v", x, got, want)
		}
		number.Minimum = y
		if got, want := number.Check([]byte(x)) == nil, a.Cmp(b) >= 0; got != want {
			t.Fatalf("%s >= %s: got %v, want %v", x, y, got, want)
		}
		number.Minimum, number.Maximum = "", y
		if got, want := number.Check([]byte(x)) == nil, a.Cmp(b) <= 0; got != want {
			t.Fatalf("%s <= %s: got %v, want %v", x, y, got, want)
		}
		s, p := form.Parse([]byte(schemaOf(`{"type":"string","minLength":` + x + `}`)))
		if isCount := a.IsInt() && a.Sign() >= 0; (p == nil) != isCount {
			t.Fatalf("%s as a count: got %v", x, p)
		}
		if p == nil && a.Cmp(big.NewRat(1e9, 1)) < 0 && big.NewRat(int64(s.Fields[0].MinLength), 1).Cmp(a) != 0 {
			t.Fatalf("%s as a count: got %d", x, s.Fields[0].MinLength)
		}
	})
}

// rational is the value of a JSON number that math/big can hold, or nil.
func rational(s string) *big.Rat {
	_, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	if !json.Valid([]byte(s)) || strings.Trim(s, "+-.0123456789eE") != "" || len(strings.TrimLeft(exponent, "+-0")) > 4 || len(s) > 1000 {
		return nil
	}
	r, _ := new(big.Rat).SetString(s)
	return r
}

// rfc3339 is the shape of a date-time in upper case, with the offsets RFC 3339
// allows.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// FuzzFormats holds the formats against the standard library, as far as it
// knows them.
func FuzzFormats(f *testing.F) {
	for _, s := range []string{
		"2026-03-31", "2024-02-29", "2026-03-31T09:30:00Z", "2026-03-31T09:30:00.25+05:30", "1998-12-31T23:59:60Z", "0000-01-01T0:00:00Z", "2026-03-31T09:30:00,5Z", "2026-03-31T09:30:00+24:00", "a@b.c", "a.b+c@d-e.f",
		"https://user@example.com:80/a?b#c", "http://[::1]:8080/", "mailto:a@b", "urn:a:b", "http://a/%20", "x://", "x:////", "http://[", "http://a[b]/", "http://a:b/", "http0:0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		has := func(format form.Format) bool {
			f := form.Field{Kind: form.String, Format: format}
			return f.Check(quote(s)) == nil
		}
		if _, err := time.Parse("2006-01-02", s); has(form.Date) != (err == nil) {
			t.Errorf("%q as a date: got %v, time says %v", s, has(form.Date), err)
		}
		upper := strings.ToUpper(s)
		if leap := len(s) > 19 && s[17:19] == "60"; !leap {
			// Parse takes one digit for the hour, a comma and any offset.
			_, err := time.Parse(time.RFC3339, upper)
			if want := err == nil && rfc3339.MatchString(upper); has(form.DateTime) != want {
				t.Errorf("%q as a date-time: got %v, want %v (time says %v)", s, has(form.DateTime), want, err)
			}
		} else if has(form.DateTime) {
			minute := upper[:17] + "59" + upper[19:]
			if at, err := time.Parse(time.RFC3339, minute); err != nil || at.UTC().Format("15:04:05") != "23:59:59" || at.UTC().AddDate(0, 0, 1).Day() != 1 {
				t.Errorf("%q as a date-time with a leap second: %v", s, err)
			}
		}
		if has(form.Email) {
			if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
				t.Errorf("%q as an email: net/mail says %v, %v", s, a, err)
			}
		}
		if has(form.URI) {
			u, err := url.Parse(s)
			switch {
			case err != nil && strings.ContainsAny(s, "[]%:"): // what net/url says of ports, brackets and hosts with % is its own
			case err != nil || u.Scheme == "" || (u.Scheme == "http" || u.Scheme == "https") && u.Host == "":
				t.Errorf("%q as a URI: net/url says %+v, %v", s, u, err)
			}
		}
	})
}
