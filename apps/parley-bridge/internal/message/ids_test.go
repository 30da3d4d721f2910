package message_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

// TestIDs reads ids out of what cannot be read otherwise.
func TestIDs(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"a request":                    {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "1"},
		"its id last":                  {`{"method":"x","params":{"id":2,"a":["}",{"id":3}]},"jsonrpc":"2.0","id":"\"4\\"}`, `"\"4\\"`},
		"escaped":                      {`{"\u0069d":1,"method":"x"}`, "1"},
		"a notification":               {`{"method":"x","params":{"id":2}}`, ""},
		"a response":                   {`{"id":1,"result":{}} {"id":2,"error":{}} {"id":3,"result":null,"method":"x"}`, "3"},
		"a batch":                      {` [{"id":1,"method":"x"},{"method":"y"},7,[{"id":8}],{"id":-2e1,"method":"z"}]{"id":3,"method":"x"}`, "1 -2e1 3"},
		"cut off in params":            {`{"id":1,"method":"x","params":{"a":"`, "1"},
		"cut off in its method":        {`{"id":1,"method":"x`, "1"},
		"cut off in the id":            {`{"method":"x","id":12`, ""},
		"cut off, perhaps a response":  {`{"id":1,`, ""},
		"cut off, the second":          {`[{"id":1,"method":"x"},{"id":2,"method":"x","params":{`, "1 2"},
		"no JSON within":               {`{"params":{"a":NaN,,'b':undefined},"id":1,"method":7,}`, "1"},
		"ids that are none":            {`{"id":{},"method":"x"}{"id":true,"method":"x"}{"id":01,"method":"x"}{"id":1 2,"method":"x"}{"id":,"method":"x"}`, "null null null null null"},
		"two ids":                      {`{"id":1,"id":2,"method":"x"}`, "null"},
		"an id that is too long":       {`{"id":"` + strings.Repeat("a", 2000) + `","method":"x"}`, "null"},
		"an id that is not UTF-8":      {"{\"id\":\"\xe9\",\"method\":\"x\"}", "null"},
		"brackets that do not match":   {`]}{"id":1,"method":"x"}}}`, "1"},
		"more than a batch has":        {strings.Repeat(`{"id":1,"method":"x"}`, 70), strings.TrimSpace(strings.Repeat("1 ", 64))},
		"names of another letter case": {`{"ID":1,"method":"x"}`, ""},
		"a name with a broken escape":  {`{"id":1,"\ua":`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(bytes.Join(message.IDsOf([]byte(tt.text)), []byte(" "))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// FuzzIDs has the ids of any text make an answer that is JSON, be the same however the
// text is cut, and be those that Parse finds.
func FuzzIDs(f *testing.F) {
	f.Add([]byte(`[{"jsonrpc":"2.0","id":"a\"b","method":"ping"},{"id":2,"method":"x","params":{"id":[3]}}]`), uint(7))
	f.Add([]byte(`{"\u0069d":1,"method":"x","params":{"a":"\\"`), uint(1))
	f.Add([]byte("{\"\x00\\u\":1,\"id\":-0.1e1}]{[{"), uint(3))
	f.Add([]byte("{\"\\ua:\"t\x80i:"), uint(3))
	f.Fuzz(func(t *testing.T, text []byte, cut uint) {
		ids := message.IDsOf(text)
		if answer := message.Refusal(ids, message.Error(message.InvalidRequest, "x", nil)); !rawjson.Valid(answer) {
			t.Fatalf("the answer is %q", answer)
		}
		var parts message.IDs
		for rest := text; len(rest) > 0; {
			n := min(int(cut%13)+1, len(rest))
			parts.Write(rest[:n])
			rest = rest[n:]
		}
		if got := parts.All(); !bytes.Equal(bytes.Join(got, []byte(" ")), bytes.Join(ids, []byte(" "))) {
			t.Fatalf("in parts: got %q, want %q", got, ids)
		}
		messages, err := message.Parse(text)
		if err != nil {
			return
		}
		var want [][]byte
		for _, m := range messages {
			if m.IsRequest() && len(m.ID) <= 1<<10 {
				want = append(want, m.ID)
			}
		}
		for _, id := range want {
			if !bytes.Contains(bytes.Join(ids, []byte(" ")), id) {
				t.Fatalf("got %q, want %q among them", ids, id)
			}
		}
	})
}
