package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// drafty is a server of the first draft of SEP-2322, which asks beside the id of a
// response.
func drafty(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID        json.RawMessage
		Method    string
		Responses json.RawMessage `json:"input_responses"`
	}
	if r.Method != http.MethodPost || json.Unmarshal(body, &m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	reply := `"error":{"code":-32601,"message":"no"}`
	switch {
	case r.Header.Get("MCP-Protocol-Version") == "2026-07-28": // which it does not know
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
	case m.Method == "initialize":
		reply = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	case m.Method == "tools/list":
		reply = `"result":{"tools":[]}`
	case m.Method == "tools/call" && strings.Contains(string(m.Responses), "Ada"):
		reply = `"result":{"content":[{"type":"text","text":"Hello Ada."}]}`
	case m.Method == "tools/call":
		reply = `"input_requests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"request_state":"s"`
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,`+reply+`}`)
}

// TestImportedDialect resumes a call at a server of a proposal. Another host began
// the call, and parley imported it. The session has listed the tools before.
func TestImportedDialect(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(drafty))
	t.Cleanup(s.Close)
	park := func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark }
	other, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: s.URL},
		parley.SessionOptions{Dialect: engine.DialectDraft, Askers: parley.Askers{Elicit: park, ElicitURL: park}})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	out, err := other.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"greet"}`), Options: engine.Options{Peer: s.URL}})
	if err != nil || !out.Parked {
		t.Fatalf("the other host: got %v, parked %v", err, out.Parked)
	}
	flags := kept(t)
	imported := exec.Command(editortest.Parley(t), "import", "-", "--state-dir", flags[2])
	imported.Stdin, imported.Env = strings.NewReader(string(out.Snapshot)), append(os.Environ(), "PARLEY_SNAPSHOT_KEY_FILE="+flags[4])
	id, err := imported.Output()
	if err != nil {
		t.Fatal(err)
	}

	e := begin(t, flags...)
	e.must("tools", fmt.Sprintf(`{"server":{"url":%q}}`, s.URL))
	_, back := e.request("resume", fmt.Sprintf(`{"call":%q}`, strings.TrimSpace(string(id))))
	e.answer(e.ask("ask/elicit"), "accept", `,"values":[{"text":"Ada"}]`)
	if o := e.end(back); o.Text != "Hello Ada.\n" {
		t.Errorf("outcome: got %+v", o)
	}
}
