package editortest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// hostile has what a terminal or a reader would take for something else than
// text.
const hostile = "\x1b]0;pwned\x07\x1b[31mred\x1b[2J\u009b5n\u202eexe.gpj\u2066\u200b\r\x00%s\x7f"

// Evil is a hostile text with a name to tell where it came from.
func Evil(name string) string { return name + hostile }

// Seen is how Evil shows on one line.
func Seen(name string) string {
	return name + "␛]0;pwned␇␛[31mred␛[2J<U+009B>5n<U+202E>exe.gpj<U+2066><U+200B>␍␀%s␡"
}

// HostileServer is the URL of a server that asks one question, whose every
// string is hostile but for a default of two lines, and then has a hostile
// result.
func HostileServer(t testing.TB) string {
	t.Helper()
	text := func(name string) string {
		raw, _ := json.Marshal(Evil(name))
		return string(raw)
	}
	question := fmt.Sprintf(`{"resultType":"input_required","requestState":%s,"inputRequests":{%s:{"method":"elicitation/create","params":{"message":%s,
		"requestedSchema":{"type":"object","properties":{
			"first":{"type":"string","title":%s,"description":%s,"default":%s},
			"pick":{"type":"string","oneOf":[{"const":%s,"title":%s},{"const":%s,"title":%s}]},
			"long":{"type":"string","default":"one\ntwo"}
		},"required":["pick"]}}}}}`, text("state"), text("key"), text("message"), text("title"), text("about"), text("default"),
		text("value1"), text("one"), text("value2"), text("one"))
	result := fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":%s}]}`, text("result"))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		json.Unmarshal(body, &request)
		answer := question
		switch {
		case request.Method == "tools/list":
			answer = fmt.Sprintf(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":%s,"inputSchema":{"type":"object"}}]}`, text("tool"))
		case strings.Contains(string(body), `"inputResponses"`):
			answer = result
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
