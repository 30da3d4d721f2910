package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
)

// FuzzValid holds the splitter against encoding/json, which we did not write.
func FuzzValid(f *testing.F) {
	for _, seed := range []string{
		``, ` `, `{}`, `[]`, `{"a":1}`, `{"a":1,}`, `[1,]`, `[,1]`, `{"a" : [ 1 , {"b":null} ] } `, `"\ud800"`, `"\uD83D\uDE00"`,
		`"\x"`, `"\u12g4"`, "\"\x01\"", "\"\xff\"", `-0`, `-`, `01`, `1.`, `.5`, `1e`, `1e+`, `1E-05`, `tru`, `truex`, `null`, `1 2`,
		`{"a":1 "b":2}`, `{1:2}`, `{"a"}`, `{"a":}`, `[1}`, `{"a":1]`, `"`, `"\`, `"\u12`, `{`, `[`, "\ufeff{}", `{"a":1}x`, "\v1",
		strings.Repeat("[", 70) + strings.Repeat("]", 70), strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70),
		strings.Repeat("[", 70) + strings.Repeat("]", 69) + "}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want := json.Valid(data)
		if got := rawjson.Valid(data); got != want {
			t.Fatalf("Valid(%q): got %v, want %v", data, got, want)
		}
		if err := rawjson.Strict(data); err == nil && !want {
			t.Fatalf("Strict(%q) accepted what is not JSON", data)
		}
		span, err := rawjson.Value(data)
		if (err == nil) != want {
			t.Fatalf("Value(%q): got error %v, want valid %v", data, err, want)
		}
		if !want {
			if err.Offset < 0 || err.Offset > len(data) {
				t.Fatalf("Value(%q): offset %d is outside the text", data, err.Offset)
			}
			return
		}
		checkWalk(t, span)
	})
}

// checkWalk takes a valid value apart, puts it together again and asks
// encoding/json whether it is still the same.
func checkWalk(t *testing.T, span []byte) {
	t.Helper()
	var again []byte
	switch {
	case rawjson.IsObject(span):
		var m rawjson.Members
		for m.Start(span); m.Next(); {
			again = append(again, ',')
			again = append(again, m.Name...)
			again = append(again, ':')
			again = append(again, m.Value...)
		}
		if m.Err != nil {
			t.Fatalf("Object(%q): %v", span, m.Err)
		}
		again = append(append([]byte("{"), bytes.TrimPrefix(again, []byte(","))...), '}')
	case rawjson.IsArray(span):
		var e rawjson.Elements
		for e.Start(span); e.Next(); {
			again = append(append(again, ','), e.Value...)
		}
		if e.Err != nil {
			t.Fatalf("Array(%q): %v", span, e.Err)
		}
		again = append(append([]byte("["), bytes.TrimPrefix(again, []byte(","))...), ']')
	case rawjson.IsString(span):
		text, ok := rawjson.Unquote(span)
		if !ok {
			return
		}
		var want string
		if err := json.Unmarshal(span, &want); err != nil || text != want {
			t.Fatalf("Unquote(%q): got %q, want %q (%v)", span, text, want, err)
		}
		again = rawjson.AppendQuoted(nil, text)
		own := bytes.Clone(span)
		if inPlace, _ := rawjson.AppendUnquoted(own[:0], own); string(inPlace) != text {
			t.Fatalf("AppendUnquoted in place: got %q, want %q", inPlace, text)
		}
		var back string
		if err := json.Unmarshal(again, &back); err != nil || back != text {
			t.Fatalf("AppendQuoted(%q) = %q, which reads back as %q (%v)", text, again, back, err)
		}
		return
	default:
		return
	}
	var a, b bytes.Buffer
	if json.Compact(&a, span) != nil || json.Compact(&b, again) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Fatalf("walk of %q gave %q", span, again)
	}
}

func TestValidAgreesWithEncodingJSONAtItsDepthLimit(t *testing.T) {
	for _, depth := range []int{63, 64, 65, 128, 129, 9999, 10000, 10001} {
		for _, inner := range []string{"", "1", "{}"} {
			text := []byte(strings.Repeat("[", depth) + inner + strings.Repeat("]", depth))
			if got, want := rawjson.Valid(text), json.Valid(text); got != want {
				t.Errorf("%d levels around %q: got %v, want %v", depth, inner, got, want)
			}
		}
	}
}

// Whatever byte stands anywhere in a string, long or short.
func TestStringBytes(t *testing.T) {
	for c := range 256 {
		for before := range 80 {
			text := []byte(`"` + strings.Repeat("a", before) + string([]byte{byte(c)}) + strings.Repeat("b", 80-before) + `"`)
			if got, want := rawjson.Valid(text), json.Valid(text); got != want {
				t.Fatalf("%q: got %v, want %v", text, got, want)
			}
		}
	}
}

func TestStrict(t *testing.T) {
	many := func(last string) string {
		var b strings.Builder
		b.WriteString("{")
		for i := range 40 {
			b.WriteString(strconv.Quote("name"+strconv.Itoa(i)) + ":1,")
		}
		return b.String() + last + ":1}"
	}
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	tests := map[string]struct {
		text   string
		want   string // reason, "" if accepted
		offset int
	}{
		"scalar":                        {`1`, "", 0},
		"case makes another name":       {`{"a":1,"A":2}`, "", 0},
		"same name in two objects":      {`[{"a":1},{"a":1}]`, "", 0},
		"duplicate":                     {`{"a":1,"a":2}`, "duplicate member name", 7},
		"duplicate by escape":           {`{"a":1,"\u0061":2}`, "duplicate member name", 7},
		"duplicate deep inside":         {`{"x":[{"a":1,"b":2,"a":3}]}`, "duplicate member name", 19},
		"duplicate among eight":         {`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"8":1}`, "duplicate member name", 49},
		"duplicate of first among many": {many(`"name0"`), "duplicate member name", 0},
		"duplicate of last among many":  {many(`"name39"`), "duplicate member name", 0},
		"many different":                {many(`"name40"`), "", 0},
		"empty names twice":             {`{"":1,"":2}`, "duplicate member name", 6},
		"64 levels":                     {deep(64), "", 0},
		"65 levels":                     {deep(65), "nested deeper than 64 levels", 5 * 64},
		"bad UTF-8 in a value":          {"{\"a\":\"\xff\"}", "text that is not UTF-8", 6},
		"overlong UTF-8":                {"\"\xc0\x80\"", "text that is not UTF-8", 1},
		"surrogate bytes":               {"\"\xed\xa0\x80\"", "text that is not UTF-8", 1},
		"lone surrogate in a name":      {`{"\ud800":1}`, "a member name is not Unicode text", 1},
		"lone surrogate in a value":     {`{"a":"\ud800"}`, "", 0},
		"trailing text":                 {`{} x`, "text after the JSON value", 3},
		"missing comma":                 {`{"a":1 "b":1}`, "expected a comma or the end of the value", 7},
		"nothing":                       {``, "unexpected end of JSON", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := rawjson.Strict([]byte(tt.text))
			got := ""
			if err != nil {
				got = err.Reason.String()
			}
			if got != tt.want {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			if err != nil && tt.offset != 0 && err.Offset != tt.offset {
				t.Errorf("offset: got %d, want %d", err.Offset, tt.offset)
			}
		})
	}
}

func TestIs(t *testing.T) {
	tests := map[string]struct {
		token, name string
		want        bool
	}{
		"same":            {`"method"`, "method", true},
		"escaped":         {`"\u006dethod"`, "method", true},
		"other case":      {`"Method"`, "method", false},
		"prefix":          {`"method2"`, "method", false},
		"no string":       {`12`, "12", false},
		"lone surrogate":  {`"\ud800"`, "\ufffd", false},
		"surrogate pair":  {`"\ud83d\ude00"`, "😀", true},
		"escaped solidus": {`"a\/b"`, "a/b", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := rawjson.Is([]byte(tt.token), tt.name); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// FuzzIs holds the shortcuts of Is against the plain way.
func FuzzIs(f *testing.F) {
	for _, seed := range []string{`"a"`, `""`, `"\u0061bc"`, `"ab\n"`, `"\\"`, `"é"`, `"\u00e9"`, `"\ud800"`, `"method"`} {
		for _, name := range []string{"a", "", "abc", "ab\n", `\`, `\\`, "é", "method"} {
			f.Add(seed, name)
		}
	}
	f.Fuzz(func(t *testing.T, token, name string) {
		if !rawjson.Valid([]byte(token)) || token[0] != '"' || token[len(token)-1] != '"' {
			return
		}
		text, ok := rawjson.Unquote([]byte(token))
		if !utf8.ValidString(token) {
			return // only text can be a name
		}
		if got, want := rawjson.Is([]byte(token), name), ok && text == name; got != want {
			t.Fatalf("Is(%q, %q): got %v, want %v", token, name, got, want)
		}
	})
}

func TestBytesThatAreNotUTF8SurviveQuoting(t *testing.T) {
	text := []byte("a\xff\xed\xa0\x80\"\\\x00z")
	quoted := rawjson.AppendQuoted(nil, text)
	if !rawjson.Valid(quoted) {
		t.Fatalf("not a JSON string: %q", quoted)
	}
	if got, ok := rawjson.AppendUnquoted(nil, quoted); !ok || !bytes.Equal(got, text) {
		t.Errorf("got %q, want %q", got, text)
	}
}

func FuzzInt(f *testing.F) {
	for _, seed := range []string{"0", "-0", "7", "-32602", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "1.0", "1e3", "-", "", "99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !rawjson.Valid([]byte(text)) || strings.TrimSpace(text) != text {
			return
		}
		want, err := strconv.ParseInt(text, 10, 64)
		if got, ok := rawjson.Int([]byte(text)); ok != (err == nil) || ok && got != want {
			t.Fatalf("Int(%q): got %d %v, want %d (%v)", text, got, ok, want, err)
		}
	})
}

func TestHostileNestingCostsNoStack(t *testing.T) {
	text := bytes.Repeat([]byte("["), 8<<20)
	if rawjson.Valid(text) {
		t.Error("accepted 8 Mi open brackets")
	}
}

// A flood of member names ends at the bound, and costs little until then.
func TestManyNames(t *testing.T) {
	object := func(n int) []byte {
		b := []byte{'{'}
		for i := range n {
			b = append(strconv.AppendInt(append(b, '"'), int64(i), 36), `":0,`...)
		}
		b[len(b)-1] = '}'
		return b
	}
	if err := rawjson.Strict(object(rawjson.MaxNames)); err != nil {
		t.Errorf("%d names: %v", rawjson.MaxNames, err)
	}
	if err := rawjson.Strict(object(rawjson.MaxNames + 1)); err == nil || !err.IsLimit() {
		t.Errorf("%d names: got %v", rawjson.MaxNames+1, err)
	}
	if err := rawjson.Strict(object(1_000_000)); err == nil {
		t.Error("a million names were accepted")
	}
}

// So does a flood of values.
func TestManyValues(t *testing.T) {
	array := func(n int) []byte { return []byte("[" + strings.Repeat("[],", n-2) + "0]") }
	if err := rawjson.Strict(array(rawjson.MaxValues)); err != nil {
		t.Errorf("%d values: %v", rawjson.MaxValues, err)
	}
	if err := rawjson.Strict(array(rawjson.MaxValues + 1)); err == nil || !err.IsLimit() {
		t.Errorf("%d values: got %v", rawjson.MaxValues+1, err)
	}
}

func BenchmarkValid(b *testing.B) {
	text := []byte(`{"content":[` + strings.Repeat(`{"type":"text","text":"some longer text of an ordinary answer","n":12.5},`, 1000) + `null]}`)
	b.Run("rawjson", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			rawjson.Valid(text)
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			json.Valid(text)
		}
	})
}

// What has passed Strict is walked alike, checked again or not; whatever else is
// given ends.
func FuzzStartChecked(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1,"b":[{"c":"]}\"\\"},null]}`, "{\"a\" : -1.5e3 ,\n\"\\u0062\":{\"d\":[[]]}}", `{"a`, `{"a":"\`, `{"a":]`, `{"a":,"b":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var checked, again rawjson.Members
		checked.StartChecked(data)
		if rawjson.Strict(data) != nil {
			for checked.Next() {
				if len(checked.Value) == 0 {
					t.Fatalf("%q: a member without a value", data)
				}
			}
			return
		}
		for again.Start(data); again.Next(); {
			if !checked.Next() || string(checked.Name) != string(again.Name) || string(checked.Value) != string(again.Value) {
				t.Fatalf("%s: got %s:%s, want %s:%s", data, checked.Name, checked.Value, again.Name, again.Value)
			}
		}
		if checked.Next() {
			t.Fatalf("%s: one more member, %s", data, checked.Name)
		}
	})
}
