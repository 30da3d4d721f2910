//go:build unix

package main_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	desk "github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// proposal is how a server asks that follows one: members of the response, and
// what a retry that answers it has, in its params or beside them.
type proposal struct {
	version string // of initialize, "" where there is none
	asks    string // members of the response to a call
	inside  bool   // the retry's answers are in its params
	answers string // the retry's member
}

const whoForm = `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`

var proposals = map[engine.Dialect]proposal{
	engine.DialectApproved:   {"", `"result":{"resultType":"incomplete","inputRequests":{"who":` + whoForm + `},"requestState":"s"}`, true, "inputResponses"},
	engine.DialectAgreed:     {"2026-06-XX", `"result":{"result_type":"input_required","inputRequests":{"who":` + whoForm + `},"requestState":"s"}`, true, "inputResponses"},
	engine.DialectDraft:      {"2025-11-25", `"input_requests":{"who":` + whoForm + `},"request_state":"s"`, false, "input_responses"},
	engine.DialectDraftCamel: {"2025-11-25", `"inputRequests":{"who":` + whoForm + `},"requestState":"s"`, false, "inputResponses"},
	engine.DialectState:      {"2025-11-25", `"dependent_requests":{"state":"s","requests":[` + whoForm + `]}`, false, "dependent_responses"},
}

// ServeHTTP asks who it is, and says so. Whoever initializes in another version than
// the proposal's gets that, as servers do.
func (p proposal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
		Params map[string]json.RawMessage
	}
	var beside map[string]json.RawMessage
	if r.Method != http.MethodPost || json.Unmarshal(body, &m) != nil || json.Unmarshal(body, &beside) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answers := beside[p.answers]
	if p.inside {
		answers = m.Params[p.answers]
	}
	reply := p.asks
	switch {
	case p.version != "" && m.Method == "initialize":
		reply = `"result":{"protocolVersion":"` + p.version + `","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	case m.Method != "tools/call":
		reply = `"error":{"code":-32601,"message":"no"}`
	case strings.Contains(string(answers), "Ada"):
		reply = `"result":{"content":[{"type":"text","text":"Hello Ada."}]}`
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,`+reply+`}`)
}

// parkedElsewhere is a call that another host has parked at a server's question.
func parkedElsewhere(t *testing.T, url string, d engine.Dialect) string {
	t.Helper()
	opts := parley.SessionOptions{Dialect: d, Askers: parley.Askers{
		Elicit:    func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark },
		ElicitURL: func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark },
	}}
	if d == engine.DialectAgreed {
		opts.Dialect, opts.Versions = engine.DialectApproved, []string{"2026-06-XX"}
	}
	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: url}, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"greet"}`), Options: engine.Options{Peer: url}})
	if err != nil || !out.Parked {
		t.Fatalf("the other host: got %v, parked %v", err, out.Parked)
	}
	return string(out.Snapshot)
}

// TestHandOverDialect takes calls over that are at servers of a proposal. Only their
// snapshots tell which.
func TestHandOverDialect(t *testing.T) {
	t.Parallel()
	ada := `{"answers":[{"key":"who","action":"accept","content":{"name":"Ada"}},{"key":"0","action":"accept","content":{"name":"Ada"}}]}`
	for d, p := range proposals {
		t.Run(string(d), func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(p)
			t.Cleanup(s.Close)
			snapshot, dir := parkedElsewhere(t, s.URL, d), t.TempDir()
			var flags []string
			if d == engine.DialectAgreed {
				got := run(t, snapshot, "import", "-", "--state-dir", dir)
				got.check(t, 3, "")
				got.says(t, "standard input cannot be imported: the call goes on in a protocol version that client and server agreed on, and a snapshot does not say which: "+
					"name it and the dialect SEP-2322 to the session (--dialect and --protocol-version)")
				checkEmpty(t, dir)
				flags = []string{"--dialect", "SEP-2322", "--protocol-version", "2026-06-XX"}
			}
			id := imported(t, snapshot, append([]string{"-", "--state-dir", dir}, flags...)...)
			run(t, "", "resume", id, "--state-dir", dir, "--script", file(t, ada)).check(t, 0, "Hello Ada.\n")
			checkEmpty(t, dir)
		})
	}
}

// TestStartOverInAnotherVersion resumes a call that began in a proposal, at a server
// that now speaks the current version: the answers are filled in again.
func TestStartOverInAnotherVersion(t *testing.T) {
	t.Parallel()
	peer := newPeer(current)
	now := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return peer }, &mcp.StreamableHTTPOptions{Stateless: true})
	var moved atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if moved.Load() {
			now.ServeHTTP(w, r)
		} else {
			proposals[engine.DialectDraft].ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	dir, answers := t.TempDir(), file(t, `{"answers":[{"key":"who","action":"accept","content":{"name":"Ada"}},`+answersForGreet[len(`{"answers":[`):])
	id := imported(t, parkedElsewhere(t, s.URL, engine.DialectDraft), "-", "--state-dir", dir)
	moved.Store(true)
	got := run(t, "", "resume", id, "--state-dir", dir, "--script", answers)
	got.check(t, 3, "")
	got.says(t, "parley: the server now speaks a version in which the call cannot go on; start over",
		"parked as "+id+": start it over, with what was answered filled in, by  parley resume "+id+" --again")
	run(t, "", "resume", id, "--again", "--state-dir", dir, "--script", answers).check(t, 0, "Hello Ada of Oslo.\n")
	checkEmpty(t, dir)
}

// TestResumeUntold resumes a call that is in the store without what its server
// speaks, as an earlier parley imported it.
func TestResumeUntold(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(proposals[engine.DialectAgreed])
	t.Cleanup(s.Close)
	dir := t.TempDir()
	calls, err := saved.Open(t.Context(), "file:"+dir, store.Sealing{Box: &seal.KeyFileBox{Name: dir + "/snapshot.key", Create: true}})
	if err != nil {
		t.Fatal(err)
	}
	id, err := saved.Put(t.Context(), calls, saved.Entry{Server: desk.Server{URL: s.URL, Label: "the desk"}, Snapshot: []byte(parkedElsewhere(t, s.URL, engine.DialectAgreed))})
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, "", "resume", id, "--state-dir", dir)
	got.check(t, 3, "")
	got.says(t, "call "+id+" cannot be resumed: the call goes on in a protocol version that client and server agreed on",
		"name it and the dialect SEP-2322 to the session. Export it, and import it with --dialect and --protocol-version")
	if got := stored(t, dir); !slices.Equal(got, []string{id}) {
		t.Errorf("stored: got %q, want %q", got, id)
	}
}
