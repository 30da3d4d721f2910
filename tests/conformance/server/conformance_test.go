package conformance_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/tests/conformance/server"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// TestFixtures plays every fixture to its end, bare and behind a middleware
// that changes every requestState.
func TestFixtures(t *testing.T) {
	type legs = []mcp.InputResponseMap
	no := &mcp.ElicitResult{Action: "decline"}
	home := &mcp.Root{URI: "file:///home/ada"}
	tests := map[string]struct {
		fixture string
		answers legs // one map a leg; states are echoed
		want    []string
	}{
		"elicitation":     {"elicitation", legs{nil, {"user_name": accept("name", "Ada")}}, []string{"? user_name", "Hello, Ada!"}},
		"first leg":       {"elicitation", legs{{"user_name": accept("name", "Ada"), "other": accept("x", "y")}}, []string{"Hello, Ada!"}},
		"other key":       {"elicitation", legs{nil, {"name": accept("name", "Ada")}}, []string{"? user_name", "? user_name"}},
		"other kind":      {"elicitation", legs{nil, {"user_name": says("Ada")}}, []string{"? user_name", "? user_name"}},
		"other type":      {"elicitation", legs{nil, {"user_name": accept("name", 7)}}, []string{"? user_name", "? user_name"}},
		"declined":        {"elicitation", legs{nil, {"user_name": no}}, []string{"? user_name", "Hello, whoever you are!"}},
		"sampling":        {"sampling", legs{nil, {"capital_question": says("Paris.")}}, []string{"? capital_question", "Paris."}},
		"sampled nothing": {"sampling", legs{nil, {"capital_question": says("")}}, []string{"? capital_question", "? capital_question"}},
		"roots":           {"list_roots", legs{nil, {"client_roots": lists(home)}}, []string{"? client_roots", "1 root(s): file:///home/ada"}},
		"no roots":        {"list_roots", legs{nil, {"client_roots": lists()}}, []string{"? client_roots", "0 root(s): "}},
		"null for a root": {"list_roots", legs{nil, {"client_roots": lists(nil)}}, []string{"? client_roots", "? client_roots"}},
		"state":           {"request_state", legs{nil, {"confirm": accept("ok", true)}}, []string{"? confirm", "state-ok, and confirmed"}},
		"not confirmed":   {"request_state", legs{nil, {"confirm": accept("ok", false)}}, []string{"? confirm", "state-ok, and not confirmed"}},
		"refused":         {"tampered_state", legs{nil, {"confirm": no}}, []string{"? confirm", "state-ok, and not confirmed"}},
		"no state":        {"request_state", legs{{"confirm": accept("ok", true)}}, []string{"? confirm"}},
		"at once": {"multiple_inputs", legs{nil, {"user_name": accept("name", "Ada"), "greeting": says("Hi"), "client_roots": lists(home)}},
			[]string{"? client_roots greeting user_name", "Hi (to Ada, with 1 root(s))"}},
		"in part": {"multiple_inputs", legs{nil, {"user_name": accept("name", "Ada"), "greeting": says("Hi")}},
			[]string{"? client_roots greeting user_name", "? client_roots greeting user_name"}},
		"two rounds": {"multi_round", legs{nil, {"step1": accept("name", "Ada")}, {"step2": accept("color", "red")}},
			[]string{"? step1", "? step2", "Ada likes red."}},
		"second again": {"multi_round", legs{nil, {"step1": accept("name", "Ada")}, {}, {"step2": accept("color", "red")}},
			[]string{"? step1", "? step2", "? step2", "Ada likes red."}},
		"second declined": {"multi_round", legs{nil, {"step1": accept("name", "Ada")}, {"step2": no}},
			[]string{"? step1", "? step2", "Ada likes some colour."}},
		"capabilities": {"capabilities", legs{nil, {"user_name": accept("name", "Ada")}}, []string{"? client_roots greeting user_name", "1 answer(s)"}},
		"prompt":       {"prompt", legs{nil, {"user_context": accept("context", "tea")}}, []string{"? user_context", "Context: tea"}},
	}
	servers := map[string][]mcp.Middleware{"bare": nil, "wrapped": {wrap}}
	for server, middleware := range servers {
		session := connect(t, everything(), middleware...)
		for name, tt := range tests {
			t.Run(server+" "+name, func(t *testing.T) {
				var state string
				for i, answers := range tt.answers {
					got, next, err := call(t, session, tt.fixture, answers, state)
					if err != nil || got != tt.want[i] {
						t.Fatalf("leg %d: got %q, %v, want %q", i+1, got, err, tt.want[i])
					}
					state = next
				}
			})
		}
	}
}

// TestForeignState shows why the tampered-state scenario needs a middleware: a
// fixture by itself starts over.
func TestForeignState(t *testing.T) {
	for _, fixture := range []string{"request_state", "tampered_state", "multi_round"} {
		_, state, err := call(t, connect(t, everything(), wrap), fixture, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		answers := mcp.InputResponseMap{"confirm": accept("ok", true)}
		_, _, err = call(t, connect(t, everything(), wrap), fixture, answers, state+"-TAMPERED")
		if e := new(jsonrpc.Error); !errors.As(err, &e) || e.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s, wrapped: got error %v, want code %d", fixture, err, jsonrpc.CodeInvalidParams)
		}
		got, _, err := call(t, connect(t, everything()), fixture, answers, "asked-TAMPERED")
		if err != nil || !strings.HasPrefix(got, "? ") {
			t.Errorf("%s, bare: got %q, %v, want questions", fixture, got, err)
		}
	}
}

// TestRounds pins which fixtures have a requestState of their own, and that it
// moves on.
func TestRounds(t *testing.T) {
	session := connect(t, everything())
	for fixture, want := range map[string]bool{
		"elicitation": false, "sampling": false, "list_roots": false, "capabilities": false, "prompt": false,
		"request_state": true, "multiple_inputs": true, "multi_round": true, "tampered_state": true,
	} {
		if _, state, err := call(t, session, fixture, nil, ""); err != nil || (state != "") != want {
			t.Errorf("%s: got state %q, %v, want one: %v", fixture, state, err, want)
		}
	}
	_, first, _ := call(t, session, "multi_round", nil, "")
	_, second, err := call(t, session, "multi_round", mcp.InputResponseMap{"step1": accept("name", "Ada")}, first)
	if err != nil || first == second {
		t.Errorf("second state: got %q, %v, want another than %q", second, err, first)
	}
}

func TestUndeclared(t *testing.T) {
	urlOnly := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}}
	sampling := &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}
	tests := map[string]struct {
		declared *mcp.ClientCapabilities
		fixture  string
		want     string // the questions, or the data of error -32021
	}{
		"no form":           {sampling, "elicitation", `{"requiredCapabilities":{"elicitation":{}}}`},
		"pages only":        {urlOnly, "elicitation", `{"requiredCapabilities":{"elicitation":{}}}`},
		"no form, prompt":   {sampling, "prompt", `{"requiredCapabilities":{"elicitation":{}}}`},
		"no model":          {urlOnly, "sampling", `{"requiredCapabilities":{"sampling":{}}}`},
		"no roots":          {sampling, "list_roots", `{"requiredCapabilities":{"roots":{}}}`},
		"two of three":      {sampling, "multiple_inputs", `{"requiredCapabilities":{"elicitation":{},"roots":{}}}`},
		"asks what it may":  {sampling, "capabilities", "? greeting"},
		"has nobody to ask": {urlOnly, "capabilities", "The client declares nothing to ask it with."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, _, err := call(t, connect(t, tt.declared), tt.fixture, nil, "")
			if e := new(jsonrpc.Error); errors.As(err, &e) && e.Code == mcp.CodeMissingRequiredClientCapabilities {
				got = string(e.Data)
			} else if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestHandler calls the fixtures where the suite does: beside the stories.
func TestHandler(t *testing.T) {
	handler := conformance.Handler(stories.Options{})
	session := dial(t, everything(), handler)
	if got, _, err := call(t, session, "elicitation", nil, ""); err != nil || got != "? user_name" {
		t.Errorf("fixture: got %q, %v, want the question user_name", got, err)
	}
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_weather", Arguments: map[string]any{"location": "Oslo"}})
	if err != nil || asks(res.InputRequests) != "? units" {
		t.Errorf("story: got %+v, %v, want the question units", res, err)
	}

	req := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader("{}"))
	req.Header.Set("Origin", "https://evil.example")
	rec := httptest.NewRecorder()
	handler.ServeHTTP(rec, req)
	if rec.Code != http.StatusForbidden {
		t.Errorf("web page: got %d, want %d", rec.Code, http.StatusForbidden)
	}
}
