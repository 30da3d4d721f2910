package message_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/rawjson"

	"github.com/parley-mcp/parley/engine"
)

// said is everything that can be known of a body.
func said(body *message.Body) string {
	var b strings.Builder
	fmt.Fprint(&b, body.IsNoisy(), body.IsBlank(), body.IsText(), string(body.Object()))
	for _, m := range body.Found() {
		fmt.Fprint(&b, "\n", m.Size(), m.Err(false), m.Err(true), m.Odd(), m.AgainFirst(), m.Unreadable(&rawjson.Error{}), m.IsBehind(), string(m.BrokenID()))
		for n := message.JSONRPC; n <= message.TaskResultType; n++ {
			if m.Has(n) {
				from, to := m.Span(n)
				fmt.Fprintf(&b, "\n%d %s %d %d %c %v %s", n, n, from, to, m.Kind(n), m.Again(n), m.Text(n))
			}
		}
	}
	return b.String()
}

func sliced(text []byte, limit int, isLine bool, at ...int) *message.Body {
	b := &message.Body{}
	b.Reset(limit, isLine)
	from := 0
	for _, to := range at {
		slice := bytes.Clone(text[from:to])
		b.Add(slice)
		clear(slice) // nothing may point into it
		from = to
	}
	b.Close(text[from:])
	return b
}

// bodies are what servers say in all scripts.
func bodies(t testing.TB) (list [][]byte) {
	for _, dir := range []string{"flows", "sessions"} {
		paths, err := filepath.Glob("../../testdata/" + dir + "/*.txt")
		if err != nil || len(paths) == 0 {
			t.Fatalf("no scripts: %v", err)
		}
		for _, path := range paths {
			script, err := enginetest.ReadScript(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, block := range script.Blocks {
				_, text, _ := strings.Cut(enginetest.Expand(block.Call), " ")
				if ev, bad := wire.Text.DecodeEvent([]byte(text)); bad == nil {
					if r, ok := ev.(engine.Response); ok {
						list = append(list, r.Body)
					}
				}
				if ev, bad := wire.Text.DecodeSessionEvent([]byte(text)); bad == nil {
					if m, ok := ev.(session.Message); ok {
						list = append(list, m.Body)
					}
				}
			}
		}
	}
	if len(list) < 500 {
		t.Fatalf("only %d texts", len(list))
	}
	return list
}

var hostile = []string{
	"", " ", "\n\t{}", "{}", "[]", "[1]", "null", "<html>", "\xef\xbb\xbf{}", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"1.0","id":1,"result":{}}`,
	`{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{},"id":[}`, `{"jsonrpc":"2.0","\u0069d":1,"id":2,"result":{}}`,
	`{"jsonrpc":"2.0","id":1,"res\u0075lt":{"resultTyp\u0065":"\u0063omplete"}}`, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"a","result_type":"b","result_type":"c","resultType":"d"}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2,"\ud800":3,"result":{"resultType":"x","resultType":"y","a":[{"resultType":"z"}]},"result":{"resultType":"w"}}}`,
	`{"jsonrpc":"2.0","\ud800":1,"id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{}} x`, `{"jsonrpc":"2.0","id":1,"result":{}`, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}",
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"é\":\"世界\xf0\x9f\x98\x80\"}}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xf0\x9f\x98", "{\"a\":\"\xed\xa0\x80\"", "{{\"\xff",
	`{"jsonrpc":"2.0","method":"","params":[]}`, `{"jsonrpc":"2.0","method":"a","result":1}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000},"result":{"error":{"code":1}}}`,
	`{"jsonrpc":"2.0","id":1,"inputRequests":{},"requestState":"s"}`, `{"jsonrpc":"2.0","id":1.5e+3,"result":{"ttlMs":1e3,"task":{"taskId":"t"},"tools":[{},[{}]],"_meta":{}}}`,
	"\ufeff" + answer + "\x00\r\n" + notification, "50%\r{ { \r" + asks + " x\n" + answer, "a {\n\"b\" {\n" + answer, "\x1b[0m{ \x1b[1" + answer + "{", "[" + answer + "," + answer + "]",
	`{"jsonrpc":"2.0","id":1,"result":{"content":[` + strings.Repeat(`{"t":"\\\\"},`, 20) + `1],"resultType":"complete"}}`,
}

// A body in slices is the body in one piece, wherever it is cut and however little of
// it may be kept.
func TestSlices(t *testing.T) {
	list := bodies(t)
	for _, text := range hostile {
		list = append(list, []byte(text))
	}
	for i, text := range list {
		for _, limit := range []int{1 << 20, 7} {
			isLine := i%2 == 0
			want := said(sliced(text, limit, isLine))
			check := func(at ...int) {
				t.Helper()
				if got := said(sliced(text, limit, isLine, at...)); got != want {
					t.Fatalf("%.2000q cut at %d, limit %d:\ngot  %s\nwant %s", text, at, limit, got, want)
				}
			}
			size := len(text)
			if size > 3000 {
				check(size/3, size/2)
				size = 300
			}
			step := 1 + size/40
			for i := limit % step; i <= size; i += step {
				check(i)
			}
			bytes := make([]int, size)
			for i := range bytes {
				bytes[i] = i
			}
			check(bytes...)
		}
	}
}

// FuzzMessage: as TestSlices, with any text, cut at any two places. What is a message
// is well-formed to rawjson.
func FuzzMessage(f *testing.F) {
	for i, text := range hostile {
		f.Add([]byte(text), uint(3*i), uint(i), uint8(i*i))
	}
	f.Fuzz(func(t *testing.T, text []byte, i, k uint, limit uint8) {
		a := int(i % uint(len(text)+1))
		b := a + int(k%uint(len(text)-a+1))
		isLine := limit&1 == 0
		whole := sliced(text, int(limit), isLine)
		want := said(whole)
		if got := said(sliced(text, int(limit), isLine, a, b)); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		for _, m := range whole.Found() {
			if m.Err(false) != nil {
				continue
			}
			if !rawjson.Valid(m.Whole()) || !utf8.Valid(m.Whole()) {
				t.Fatal("it takes what is no JSON")
			}
			if got := rawjson.Member(m.Whole(), "id"); len(got) <= int(limit) && !bytes.Equal(got, m.Text(message.ID)) {
				t.Fatalf("the id is %s, not %s", got, m.Text(message.ID))
			}
		}
	})
}

// What is kept of a long message in slices is what is looked at.
func TestKeepsLittle(t *testing.T) {
	const limit = 1000
	long := strings.Repeat(`\\\"`, 1<<20)
	text := []byte(`{"jsonrpc":"2.0","id":7,"result":{"content":["` + long + `"],"resultType":"complete","structuredContent":"` + long + `","ttlMs":5}}`)
	var at []int
	for i := 4097; i < len(text); i += 4097 {
		at = append(at, i)
	}
	m := sliced(text, limit, false, at...).Answer()
	if err := m.Err(false); err != nil || m.Whole() != nil || m.Text(message.Result) != nil || m.Text(message.Content) != nil {
		t.Errorf("got %v, and more than the limit", err)
	}
	if string(m.Text(message.ResultType)) != `"complete"` || string(m.Text(message.TTLMs)) != "5" || string(m.Text(message.ID)) != "7" {
		t.Errorf("got %s, %s, %s", m.Text(message.ResultType), m.Text(message.TTLMs), m.Text(message.ID))
	}
	if from, to := m.Span(message.Result); string(text[from:from+10]) != `{"content"` || string(text[to-10:]) != `"ttlMs":5}}` {
		t.Errorf("the result is from %d to %d of %d", from, to, len(text))
	}
	if got := testing.AllocsPerRun(3, func() { sliced(text, limit, false, at...) }); got > float64(2*len(at)+20) { // one is the test's copy
		t.Errorf("%v allocations for %d slices", got, len(at))
	}
}
