package message_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/internal/message"
)

const (
	answer       = `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`
	asks         = `{"jsonrpc":"2.0","id":8,"method":"ping"}`
	notification = `{"jsonrpc":"2.0","method":"a"}`
)

// What counts of a body: the texts of its messages.
func TestBody(t *testing.T) {
	tests := map[string]struct {
		body string
		want string // with a space between
	}{
		"alone":                     {answer, answer},
		"white space":               {" \t\r\n" + asks + "\r\n", asks},
		"control characters":        {"\x00\f\v\x7f" + asks + "\x00\x1a", asks},
		"byte order mark":           {"\ufeff" + asks, asks},
		"two of them":               {"\ufeff" + asks + "\ufeff\n\ufeff" + answer, asks + " " + answer},
		"other spaces":              {"\u0085\u00a0" + asks + "\u0085", asks},
		"lines":                     {asks + "\n" + notification + "\r\n\r\n" + answer, asks + " " + notification + " " + answer},
		"nothing between":           {notification + asks + answer, notification + " " + asks + " " + answer},
		"a batch":                   {"[" + asks + ",\n" + answer + "]", asks + " " + answer},
		"a batch of batches":        {"[[" + asks + "],[" + answer + "]]", asks + " " + answer},
		"a batch that is cut":       {"[" + asks + "," + answer[:30], asks},
		"colours":                   {"\x1b[1;32m" + asks + "\x1b[0m\x1b[K", asks},
		"a window's title":          {"\x1b]0;a title\x07" + asks + "\x1b]0;b\x1b\\", asks},
		"other escapes":             {"\x1b7" + asks + "\x1b8", asks},
		"text before a response":    {"Loading... " + answer + "\n", answer},
		"text before a request":     {"Loading... " + asks, ""},
		"a line before a response":  {"Loading...\n" + answer, answer},
		"a line before a request":   {"Loading...\n" + asks, ""},
		"quoted":                    {"got " + answer + " and more", ""},
		"quoted twice":              {"got " + answer + answer, ""},
		"quoted among others":       {"got " + answer + " for " + answer, ""},
		"quoted in a line":          {"got " + answer + ".\n" + answer, answer},
		"text behind":               {asks + "</html>", asks},
		"text between":              {asks + " and " + answer, asks + " " + answer},
		"an object before":          {`{"level":30}` + answer, answer},
		"an object before requests": {`{"level":30}` + asks, ""},
		"an object behind":          {asks + `{"level":30}`, asks},
		"inside of an object":       {`{"message":` + answer + "}", ""},
		"inside of a string":        {`"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}"`, ""},
		"behind a fault":            {`{"a":NaN,"b":` + answer + "}\n" + answer, ""},
		"behind a name twice":       {`{"a":1,"a":2}` + answer, ""},
		"behind one with a fault":   {answer + `{"a":NaN}` + answer, answer},
		"a brace":                   {"{ " + answer, answer},
		"braces":                    {"{{{}{ x{1}\n" + answer, answer},
		"other languages' objects":  {"{a: 1} {'a': 1} " + answer, answer},
		"not UTF-8":                 {"D\xe9marrage\n" + answer, answer},
		"not UTF-8 inside":          {`{"jsonrpc":"2.0","id":7,"result":"` + "\xe9" + `"}`, ""},
		"an event stream":           {"event: message\ndata: " + asks + "\n\ndata: " + answer + "\n\n", answer},
		"UTF-16":                    {"\xff\xfe{\x00\"\x00}\x00", ""},
		"nothing":                   {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, m := range sliced([]byte(tt.body), 1<<20, false).Found() {
				if m.Err(false) == nil {
					got = append(got, string(m.Whole()))
				}
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Of what a program writes, a line break begins a new line.
func TestBodyOfLines(t *testing.T) {
	for body, want := range map[string]int{"50%\r" + asks: 1, "50%\n" + asks: 1, "50%\r100% " + asks: 0, "50%\r100%\r" + asks + asks: 2} {
		got := 0
		for _, m := range sliced([]byte(body), 1<<20, true).Found() {
			if m.Err(false) == nil {
				got++
			}
		}
		if got != want {
			t.Errorf("%q: got %d messages, want %d", body, got, want)
		}
	}
}

// What came in place of a message is named.
func TestUnreadable(t *testing.T) {
	for body, want := range map[string]string{
		"":                            "it is empty",
		" \n\x00\ufeff":               "it is empty",
		"[]":                          "expected an object at byte 0",
		"<!doctype html>":             "it looks like HTML",
		"\xff\xfe{\x00":               "it begins with a UTF-16 byte order mark, and must be UTF-8",
		"\xfe\xff\x00{":               "it begins with a UTF-16 byte order mark, and must be UTF-8",
		"\xff\xfe\x00\x00{\x00\x00":   "it begins with a UTF-32 byte order mark, and must be UTF-8",
		"\x00\x00\xfe\xff\x00\x00{":   "it begins with a UTF-32 byte order mark, and must be UTF-8",
		"data: {\"a\":\ndata: 1}\n\n": "it is an event stream, but its Content-Type does not say so",
		": ok\n\nid: 1\ndata: x\n\n":  "it is an event stream, but its Content-Type does not say so",
		"retry: 5\n\n":                "it is an event stream, but its Content-Type does not say so",
		"not found":                   "expected an object at byte 0",
		" 42":                         "expected an object at byte 1",
		`{"error":"not found"}<html>`: `"jsonrpc" is not "2.0"`,
		"{\"a\":\"\xe9\"}":            "text that is not UTF-8",
		`{"a":NaN}`:                   "expected a JSON value, not NaN or Infinity, at byte 5",
		"see " + asks:                 "it stands behind other text at byte 4",
	} {
		m := sliced([]byte(body), 1<<20, false).Answer()
		if got := m.Unreadable(m.Err(false)).String(); got != "the answer is no JSON-RPC message: "+want {
			t.Errorf("%q: got %s, want %s", body, got, want)
		}
	}
}

// More objects than a body may have are not looked at.
func TestManyObjects(t *testing.T) {
	body := strings.Repeat("{}", 1023) + answer + answer
	b := sliced([]byte(body), 1<<20, false, 1000, 2040)
	if found := b.Found(); len(found) != 1 || found[0].Err(false) == nil {
		t.Errorf("got %d messages, and the first is quoted", len(found))
	}
	body = strings.Repeat(notification, 2000)
	if found := sliced([]byte(body), 1<<20, false).Found(); len(found) != 1024 {
		t.Errorf("got %d messages", len(found))
	}
}

// FuzzAround: whatever stands around a response, it is the same response, if there is
// no object in it and, where text stands before, none behind. Nothing else is found.
func FuzzAround(f *testing.F) {
	for _, seed := range []string{"", "\ufeff", "Loading... ", "50%\r", "\x1b[32m", "\x1b]0;", "data: ", ")]}'\n", "[\"a\",", "\xff\xfe", "D\xe9marrage\n", "\x00\x00", "<br>\n"} {
		f.Add([]byte(seed), []byte("\r\n"), uint(3))
		f.Add([]byte(" "), []byte(seed), uint(60))
	}
	f.Fuzz(func(t *testing.T, before, behind []byte, cut uint) {
		before, behind = bytes.ReplaceAll(before, []byte("{"), nil), bytes.ReplaceAll(behind, []byte("{"), nil)
		if len(bytes.Trim(before, " \n")) > 0 && len(behind) > 0 {
			behind = append([]byte("\n"), behind...)
		}
		body := bytes.Join([][]byte{before, []byte(answer), behind}, nil)
		for _, isLine := range []bool{true, false} {
			found := sliced(body, 1<<20, isLine, int(cut%uint(len(body)+1))).Found()
			if len(found) != 1 || found[0].Err(false) != nil || string(found[0].Whole()) != answer {
				t.Fatalf("%q: got %d, %v", body, len(found), found[0].Err(false))
			}
			if from, to := found[0].Span(message.Result); string(body[from:to]) != `{"content":[]}` {
				t.Fatalf("%q: the result is from %d to %d", body, from, to)
			}
		}
	})
}
