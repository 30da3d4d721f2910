package editortest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// Asking is the URL of a server that asks with a schema before it answers, and then
// says what it was answered.
func Asking(t testing.TB, schema string) string {
	return asking(t, schema, func(http.ResponseWriter, json.RawMessage) bool { return false })
}

// Tools is the URL of a server that lists tools.
func Tools(t testing.TB, tools string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ ID json.RawMessage }
		json.NewDecoder(r.Body).Decode(&request)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[%s]}}`, request.ID, tools)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Moody is the URL of a server that asks before it answers, and then says what it
// was answered, unless its mood has handled that.
func Moody(t testing.TB, mood func(w http.ResponseWriter, id json.RawMessage) (handled bool)) string {
	return asking(t, `{"type":"object","required":["who"],"properties":{"who":{"type":"string","default":"me"},"cents":{"type":"integer"},"how":{"type":"string","enum":["cash","card"]},"tip":{"type":"boolean","default":true}}}`, mood)
}

func asking(t testing.TB, schema string, mood func(w http.ResponseWriter, id json.RawMessage) (handled bool)) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Params struct{ InputResponses json.RawMessage }
		}
		json.NewDecoder(r.Body).Decode(&request)
		result := `"resultType":"input_required","requestState":"s","inputRequests":{"pay":{"method":"elicitation/create","params":{"message":"Pay?","requestedSchema":` + schema + `}}}`
		if answers := request.Params.InputResponses; answers != nil {
			if mood(w, request.ID) {
				return
			}
			text, _ := json.Marshal(string(answers))
			result = `"resultType":"complete","content":[{"type":"text","text":` + string(text) + `}]`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{%s}}`, request.ID, result)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// ForgetfulServer is Moody, and does not know the call any more that it is
// answered, as long as forgetful is true.
func ForgetfulServer(t testing.TB) (url string, forgetful *atomic.Bool) {
	forgetful = new(atomic.Bool)
	forgetful.Store(true)
	return Moody(t, func(w http.ResponseWriter, id json.RawMessage) bool {
		if forgetful.Load() {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"what call?"}}`, id)
		}
		return forgetful.Load()
	}), forgetful
}
