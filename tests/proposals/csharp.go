package proposals

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
)

// CSharp plays a server of the C# SDK as of its commit fb78b764 (May 2026),
// where both sides switch SEP-2322 on by a protocol version of their own within
// initialize. It is written from that commit's page (docs/concepts/mrtr) and the
// code behind it; nothing of the SDK runs here, so this is played, not live.
//
// It has the page's tools, and asks where their code asks: by a result whose
// result_type is "incomplete" where the version was agreed on, and else by
// requests of its own while the call waits.
type CSharp struct {
	// Experimental is the server's ExperimentalProtocolVersion, "" where it has
	// not opted in.
	Experimental string

	mu       sync.Mutex
	made     int                       // sessions, states, tasks and requests, which it numbers
	agreed   map[string]bool           // by session id: speaks the experimental version
	pending  map[string]*csCall        // by requestState: calls that hang in the middle of their code
	waiting  map[string]chan csMessage // by id: the server's own requests
	tasks    map[string]string         // by id: the text of the result
	versions []string                  // what initialize asked for
	faults   []string
}

// csMessage is a JSON-RPC message as far as such a server looks at it.
type csMessage struct {
	ID     json.RawMessage            `json:"id"`
	Method string                     `json:"method"`
	Params map[string]json.RawMessage `json:"params"`
	Result json.RawMessage            `json:"result"`
}

// csCall is one tools/call, over its rounds.
type csCall struct {
	name      string
	arguments map[string]any
	asked     []string // the keys of the round before
	round     int
	state     string                     // that came with this round
	answers   map[string]json.RawMessage // likewise
	isTask    bool
}

// NewCSharp makes a server that has opted in to a version, or, with "", has not.
func NewCSharp(experimental string) *CSharp {
	return &CSharp{Experimental: experimental, agreed: map[string]bool{}, pending: map[string]*csCall{},
		waiting: map[string]chan csMessage{}, tasks: map[string]string{}}
}

// Faults says what the client did that this SDK's server would not have liked.
func (s *CSharp) Faults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

// Versions are those that the client asked for in initialize.
func (s *CSharp) Versions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.versions
}

// ServeHTTP implements [http.Handler].
func (s *CSharp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch v := r.Header.Get("MCP-Protocol-Version"); {
	case v == "", v == "2024-11-05", v == "2025-03-26", v == "2025-06-18", v == "2025-11-25", v == s.Experimental:
	default:
		refuse(w, http.StatusBadRequest, fmt.Sprintf("Bad Request: The MCP-Protocol-Version header value '%s' is not supported.", v))
		return
	}
	session := r.Header.Get("Mcp-Session-Id")
	s.mu.Lock()
	agreed, known := s.agreed[session]
	s.mu.Unlock()
	var m csMessage
	if r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&m) != nil {
		refuse(w, http.StatusBadRequest, "Bad Request: The POST body did not contain a valid JSON-RPC message.")
		return
	}
	switch {
	case m.Method == "initialize":
		s.initialize(w, m)
	case !known:
		refuse(w, http.StatusNotFound, "Session not found")
	case r.Method == http.MethodGet: // the stream beside; nothing comes
		w.Header().Set("Content-Type", "text/event-stream")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusOK)
	case m.Method == "": // the answer to one of its own requests
		s.mu.Lock()
		answer := s.waiting[strings.Trim(string(m.ID), `"`)]
		s.mu.Unlock()
		if answer == nil {
			s.fault("an answer to nothing: %s", m.ID)
		} else {
			answer <- m
		}
		w.WriteHeader(http.StatusAccepted)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		s.serve(r.Context(), w, m, agreed)
	}
}

// refuse answers with an HTTP status and a JSON-RPC error of no request.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32000, "message": message}})
}

// initialize takes the version that was asked for if it is one of the
// protocol's or equal to the experimental one, and else its own latest.
func (s *CSharp) initialize(w http.ResponseWriter, m csMessage) {
	var version string
	json.Unmarshal(m.Params["protocolVersion"], &version)
	s.mu.Lock()
	s.versions = append(s.versions, version)
	s.mu.Unlock()
	switch version {
	case "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25":
	default:
		if s.Experimental == "" || version != s.Experimental {
			version = "2025-11-25"
		}
	}
	session := s.next("session")
	s.mu.Lock()
	s.agreed[session] = version == s.Experimental
	s.mu.Unlock()
	w.Header().Set("Mcp-Session-Id", session)
	w.Header().Set("Content-Type", "text/event-stream")
	send(w, map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": map[string]any{
		"protocolVersion": version, "capabilities": map[string]any{"tools": map[string]any{"listChanged": true}, "tasks": map[string]any{"requests": map[string]any{"tools": map[string]any{"call": map[string]any{}}}}},
		"serverInfo": map[string]any{"name": "CSharp", "version": "1.0.0"}}})
}

// serve answers one request, on its own stream.
func (s *CSharp) serve(ctx context.Context, w http.ResponseWriter, m csMessage, agreed bool) {
	reply := func(result map[string]any) {
		send(w, map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	}
	var task string
	json.Unmarshal(m.Params["taskId"], &task)
	s.mu.Lock()
	text := s.tasks[task]
	s.mu.Unlock()
	switch {
	case m.Method == "tasks/get" && text != "":
		reply(taskOf(task, "completed"))
		return
	case m.Method == "tasks/result" && text != "":
		reply(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}, "_meta": map[string]any{"io.modelcontextprotocol/related-task": map[string]any{"taskId": task}}})
		return
	case m.Method != "tools/call":
		send(w, map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32601, "message": "Method '" + m.Method + "' is not available."}})
		return
	}
	call, problem := s.take(m.Params, agreed)
	for problem == "" {
		out := call.run()
		if out.text != "" && !out.makesTask {
			reply(map[string]any{"content": []any{map[string]any{"type": "text", "text": out.text}}})
			return
		}
		if out.makesTask {
			id := s.next("task")
			s.mu.Lock()
			s.tasks[id] = out.text
			s.mu.Unlock()
			reply(map[string]any{"task": taskOf(id, "working")})
			return
		}
		call.round, call.asked = call.round+1, nil
		for _, q := range out.asks {
			call.asked = append(call.asked, q.key)
		}
		if agreed {
			reply(s.incomplete(call, out))
			return
		}
		if len(out.asks) == 0 {
			problem = "A tool handler returned an incomplete result without input requests, and the client does not support MRTR."
			break
		}
		call.state, call.answers = out.state, map[string]json.RawMessage{}
		for _, q := range out.asks {
			if call.answers[q.key] = s.ask(ctx, w, q); call.answers[q.key] == nil {
				return
			}
		}
	}
	send(w, map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32602, "message": problem}})
}

func taskOf(id, status string) map[string]any {
	return map[string]any{"taskId": id, "status": status, "createdAt": "2026-05-19T14:31:52Z", "lastUpdatedAt": "2026-05-19T14:31:52Z", "ttl": 60000, "pollInterval": 100}
}

// incomplete is the result that asks. A call whose code hangs has a state that
// the server made; the others' states are their own.
func (s *CSharp) incomplete(call *csCall, out csOutcome) map[string]any {
	result := map[string]any{"result_type": "incomplete"}
	if len(out.asks) > 0 {
		requests := map[string]any{}
		for _, q := range out.asks {
			requests[q.key] = map[string]any{"method": q.method, "params": q.params}
		}
		result["inputRequests"] = requests
	}
	state := out.state
	if state == "" {
		state = s.next("continuation")
	}
	result["requestState"] = state
	s.mu.Lock()
	s.pending[state] = call
	s.mu.Unlock()
	return result
}

// ask sends a request of the server's own on the call's stream, and waits.
func (s *CSharp) ask(ctx context.Context, w http.ResponseWriter, q csAsk) json.RawMessage {
	id := s.next("request")
	answer := make(chan csMessage, 1)
	s.mu.Lock()
	s.waiting[id] = answer
	s.mu.Unlock()
	send(w, map[string]any{"jsonrpc": "2.0", "id": id, "method": q.method, "params": q.params})
	select {
	case m := <-answer:
		if m.Result == nil {
			s.fault("the answer to %s is an error", q.method)
		}
		return m.Result
	case <-ctx.Done():
		return nil
	}
}

// take reads a call, or the retry of one, which repeats the params and adds
// what was asked for and the state, and no more.
func (s *CSharp) take(params map[string]json.RawMessage, agreed bool) (call *csCall, problem string) {
	var name, state string
	arguments, answers := map[string]any{}, map[string]json.RawMessage{}
	json.Unmarshal(params["name"], &name)
	json.Unmarshal(params["arguments"], &arguments)
	if params["requestState"] == nil {
		if params["inputResponses"] != nil {
			s.fault("inputResponses without a requestState")
		}
		return &csCall{name: name, arguments: arguments, isTask: params["task"] != nil}, ""
	}
	json.Unmarshal(params["requestState"], &state)
	json.Unmarshal(params["inputResponses"], &answers)
	s.mu.Lock()
	call = s.pending[state]
	delete(s.pending, state)
	s.mu.Unlock()
	if call == nil || !agreed {
		s.fault("a state that is not expected: %q", state)
		return nil, "unknown requestState"
	}
	if name != call.name || !reflect.DeepEqual(arguments, call.arguments) || (params["task"] != nil) != call.isTask {
		s.fault("the retry of %s is another call", call.name)
	}
	if len(answers) != len(call.asked) || (params["inputResponses"] != nil) != (len(call.asked) > 0) {
		s.fault("%d inputResponses, want %d", len(answers), len(call.asked))
	}
	for _, key := range call.asked {
		if answers[key] == nil {
			return nil, "Missing input response for key '" + key + "'."
		}
	}
	call.state, call.answers = state, answers
	return call, ""
}

func (s *CSharp) next(kind string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	return fmt.Sprintf("%s-%d", kind, s.made)
}

func (s *CSharp) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// send writes one event, as ASP.NET Core's server-sent events are.
func send(w http.ResponseWriter, message any) {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(w, "event: message\ndata: %s\n\n", text)
	http.NewResponseController(w).Flush()
}
