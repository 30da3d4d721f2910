package main_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// TestSessions has no more sessions than may be, and those end that nobody uses.
func TestSessions(t *testing.T) {
	server := scripted(t, func(message.Message, http.ResponseWriter, *http.Request) string { return `{"resultType":"complete"}` })
	url := listen(t, "--max-sessions", "1", "--idle", "1s", server)
	const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-01-01","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	first := begin(t, url, "{}")
	stream := first.do("GET", "")
	for stream.StatusCode == http.StatusNotFound { // a slow machine: it has ended already
		first = begin(t, url, "{}")
		stream = first.do("GET", "")
	}
	other := &client{t: t, url: url}
	if status, _ := other.text("POST", initialize); status != http.StatusServiceUnavailable {
		t.Errorf("one too many: got %d, want 503", status)
	}
	time.Sleep(1500 * time.Millisecond) // longer than it may idle, if nobody listened
	if status, _ := first.text("POST", ping); status != http.StatusOK {
		t.Errorf("with an open stream: got %d, want 200", status)
	}
	stream.Body.Close()
	for late := time.Now().Add(2 * time.Minute); ; time.Sleep(1200 * time.Millisecond) {
		if status, _ := first.text("POST", ping); status == http.StatusNotFound {
			break
		}
		if time.Now().After(late) {
			t.Fatal("a session that nobody uses does not end")
		}
	}
	_, text := other.text("POST", initialize)
	if got, want := message.Text([]byte(text), "result", "protocolVersion"), "2025-11-25"; got != want {
		t.Errorf("version for a client of another one: got %q, want %q", got, want)
	}
}
