package main_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// TestFull has sessions take all there is: another is refused, with the id of its
// request; a question stays, its answer is taken, and one that ends makes room.
func TestFull(t *testing.T) {
	t.Parallel()
	url := listen(t, "--max-memory", "16", scripted(t, asksOnce))
	c := begin(t, url, `{"elicitation":{}}`)
	asking := events(c.do("POST", call))
	question := asking()
	session := func(kib int) (res *http.Response, text string) {
		res = (&client{t: t, url: url}).do("POST", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25",
			"capabilities":{"experimental":{"x":"`+strings.Repeat("A", kib<<10)+`"}}}}`)
		b, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res, string(b)
	}
	first, _ := session(7 << 10)
	if res, text := session(7 << 10); first.StatusCode != http.StatusOK || res.StatusCode != http.StatusOK {
		t.Fatalf("two long sessions: got %d and %d %.300s", first.StatusCode, res.StatusCode, text)
	}
	res, text := session(4 << 10)
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" || !strings.Contains(text, `"id":7`) || !strings.Contains(text, "as much is held as may be") {
		t.Errorf("one for which there is no room: got %d %.300s", res.StatusCode, text)
	}
	session(1900)
	if status, text := c.text("POST", `{"jsonrpc":"2.0","id":8,"method":"ping","params":{"x":"`+strings.Repeat("A", 200<<10)+`"}}`); status != http.StatusOK ||
		!strings.Contains(text, `"id":8,"error"`) || !strings.Contains(text, "as much is held as may be") {
		t.Errorf("a request for which there is no room: got %d %.300s", status, text)
	}
	answer := `{"jsonrpc":"2.0","id":` + string(message.Get([]byte(question.data), "id")) + `,"result":{"action":"decline"}}`
	if status, text := c.text("POST", answer); status != http.StatusAccepted {
		t.Errorf("the answer: got %d %s, want 202", status, text)
	}
	if got := asking().data; !strings.Contains(got, `"was":"decline"`) {
		t.Errorf("got %s, want the result", got)
	}
	ends := &client{t: t, url: url, headers: map[string]string{"Mcp-Session-Id": first.Header.Get("Mcp-Session-Id")}}
	if status, _ := ends.text("DELETE", ""); status != http.StatusNoContent {
		t.Errorf("ending one: got %d, want 204", status)
	}
	if res, text := session(4 << 10); res.StatusCode != http.StatusOK {
		t.Errorf("once there is room: got %d %.300s, want a session", res.StatusCode, text)
	}
}
