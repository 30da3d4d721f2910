// Package tasktest has a server of MCP 2025-11-25 whose tools run as tasks, or not.
package tasktest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Server has a tool each for what tools say of tasks: must, may and never.
type Server struct {
	URL string

	mu    sync.Mutex
	calls []string
}

// Calls are the names of the tools that were called, with "as a task" behind those
// that were called as one.
func (s *Server) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

const tools = `{"tools":[
	{"name":"must","inputSchema":{"type":"object","properties":{}},"execution":{"taskSupport":"required"}},
	{"name":"may","inputSchema":{"type":"object","properties":{}},"execution":{"taskSupport":"optional"}},
	{"name":"never","inputSchema":{"type":"object","properties":{}}}]}`

// Serve runs one until the test ends. declared are its capabilities for tasks, JSON
// text.
func Serve(t testing.TB, declared string) *Server {
	t.Helper()
	s := new(Server)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name string
				Task json.RawMessage
			}
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if version := r.Header.Get("MCP-Protocol-Version"); version != "" && version != "2025-11-25" {
			http.Error(w, "Bad Request: Unsupported protocol version", http.StatusBadRequest)
			return
		}
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		const task = `"taskId":"t","status":%q,"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null,"pollInterval":100`
		answer := `"error":{"code":-32601,"message":"Method not found"}`
		switch m.Method {
		case "initialize":
			answer = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":` + declared + `},"serverInfo":{"name":"tasks","version":"1"}}`
		case "tools/list":
			answer = `"result":` + tools
		case "tools/call":
			s.mu.Lock()
			defer s.mu.Unlock()
			answer = `"result":{"content":[{"type":"text","text":"ran at once"}]}`
			if m.Params.Task != nil {
				m.Params.Name += " as a task"
				answer = fmt.Sprintf(`"result":{"task":{`+task+`}}`, "working")
			}
			s.calls = append(s.calls, m.Params.Name)
		case "tasks/get":
			answer = fmt.Sprintf(`"result":{`+task+`}`, "completed")
		case "tasks/result":
			answer = `"result":{"content":[{"type":"text","text":"ran as a task"}]}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer)
	}))
	t.Cleanup(web.Close)
	s.URL = web.URL
	return s
}

// Declared are the capabilities of a server that runs tools as tasks.
const Declared = `{"requests":{"tools":{"call":{}}}}`
