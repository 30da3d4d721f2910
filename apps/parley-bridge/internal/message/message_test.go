package message_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// What a client may have around its messages is what a server may have.
func TestParse(t *testing.T) {
	const (
		ping  = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		told  = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		reply = `{"jsonrpc":"2.0","id":"a","result":{}}`
	)
	tests := map[string]struct {
		text string
		want string // methods, or "reply"
		err  string
	}{
		"alone":                   {ping, "ping", ""},
		"a byte order mark":       {"\ufeff" + ping + "\r", "ping", ""},
		"control characters":      {"\x00\f" + ping + "\x00", "ping", ""},
		"nothing":                 {" \r\n\x00", "", ""},
		"a batch":                 {"[" + ping + ",\n" + told + "," + reply + "]", "ping notifications/initialized reply", ""},
		"one after the other":     {ping + told + "\n" + reply, "ping notifications/initialized reply", ""},
		"text behind":             {ping + "; done", "ping", ""},
		"text before":             {"sending " + ping, "", "it stands behind other text at byte 8"},
		"text before a reply":     {"sending " + reply, "reply", ""},
		"no message in a batch":   {"[" + ping + `,{"id":1}]`, "", "neither a method, a result nor an error"},
		"an empty batch":          {"[]", "", "expected an object at byte 0"},
		"UTF-16":                  {"\xff\xfe{\x00}\x00", "", "it begins with a UTF-16 byte order mark"},
		"not UTF-8":               {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"` + "\xe9" + `"}}`, "", "not UTF-8"},
		"not a number":            {`{"jsonrpc":"2.0","id":NaN,"method":"ping"}`, "", "not NaN"},
		"a member twice":          {`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "", "duplicate member name"},
		"an id that is an object": {`{"jsonrpc":"2.0","id":{},"method":"ping"}` + ping, "null:-32600 ping", ""},
		"params that are a list":  {`{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}` + ping, "1:-32602 ping", ""},
		"of a notification":       {`{"jsonrpc":"2.0","method":"x","params":[]}`, "", "params is not an object"},
		"an id of a reply":        {`{"jsonrpc":"2.0","id":{},"result":{}}`, "", "id is neither a string nor a number"},
		"a reply without an id":   {`{"jsonrpc":"2.0","result":{}}`, "", "a response has no id"},
		"too many":                {strings.Repeat(told, 65), "", "more than 64 messages"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			messages, err := message.Parse([]byte(tt.text))
			var got []string
			for _, m := range messages {
				if m.Flaw != nil {
					m.Method = string(m.ID) + ":" + string(message.Get(m.Flaw, "code"))
				}
				if m.Method == "" {
					m.Method = "reply"
				}
				got = append(got, m.Method)
			}
			said := ""
			if err != nil {
				said = err.Error()
			}
			if got := strings.Join(got, " "); got != tt.want || !strings.Contains(said, tt.err) || (err != nil) != (tt.err != "") {
				t.Errorf("got %s, %v, want %s, %s", got, err, tt.want, tt.err)
			}
		})
	}
}
