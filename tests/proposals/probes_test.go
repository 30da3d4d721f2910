package proposals_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/proposals"
)

// The eras and dialects in which a server may answer, as a host names them.
var probedSessions = map[string]string{
	"2026-07-28":                 `{"versions":["2026-07-28"]}`,
	"2025-11-25":                 `{"versions":["2025-11-25"]}`,
	"2025-06-18":                 `{"versions":["2025-06-18"]}`,
	"2025-03-26":                 `{"versions":["2025-03-26"]}`,
	"approved":                   `{"versions":["2026-07-28"],"dialect":"SEP-2322"}`,
	"approved within 2025-11-25": `{"versions":["2025-11-25"],"dialect":"SEP-2322"}`,
	"agreed":                     `{"versions":["2026-06-XX","2025-11-25"],"dialect":"SEP-2322"}`,
	"draft":                      `{"dialect":"SEP-2322-draft"}`,
	"draft, camel case":          `{"dialect":"SEP-2322-draft-camel"}`,
	"state":                      `{"dialect":"SEP-1685"}`,
}

// Answers to a tool call that a careless client takes for the result: the rest
// of the response, after its id.
var probes = map[string]string{
	"incomplete":          `"result":{"resultType":"incomplete","content":[]}`,
	"incomplete, draft":   `"result":{"result_type":"incomplete","content":[]}`,
	"unknown type":        `"result":{"resultType":"sealed","content":[]}`,
	"unknown type, draft": `"result":{"result_type":"sealed","content":[]}`,
	"type is no text":     `"result":{"resultType":1,"content":[]}`,
	"type twice":          `"result":{"resultType":"incomplete","content":[],"resultType":"complete"}`,
	"type twice, draft":   `"result":{"result_type":"incomplete","content":[],"result_type":"complete"}`,
	"stray fields":        `"result":{"inputRequests":{"a":{"method":"roots/list"}},"requestState":"s"}`,
	"stray fields, draft": `"result":{"input_requests":{"a":{"method":"roots/list"}},"request_state":"s"}`,
	"stray state":         `"result":{"requestState":"s"}`,
	"stray, SEP-1685":     `"result":{"dependent_requests":[{"method":"roots/list"}]}`,
	"beside":              `"result":{"content":[]},"inputRequests":{"a":{"method":"roots/list"}}`,
	"beside, draft":       `"result":{"content":[]},"input_requests":{"a":{"method":"roots/list"}}`,
	"beside, SEP-1685":    `"result":{"content":[]},"dependent_requests":[{"method":"roots/list"}]`,
	"error beside":        `"result":{"content":[]},"error":{"code":1,"message":"no"}`,
	"error before":        `"error":{"code":1,"message":"no"},"result":{"content":[]}`,
	"two results":         `"result":{"content":[]},"result":{"content":[]}`,
}

// A result that lacks what it must bring is given as it came, and said to lack it.
var lacking = map[string]string{
	"result is a list": `[]`,
	"nothing in it":    `{}`,
}

// probe answers tools/call with a probe, and initialize with whatever version it
// asks for.
func probe(answer string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if m.Method == "initialize" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"probe","version":"1"}}}`, m.ID, m.Params.ProtocolVersion)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer)
	})
}

// probeStages are all probes in all eras and dialects, and last an honest answer
// in each: without it, a client that fails always would do.
func probeStages(t *testing.T) (all []stage) {
	t.Helper()
	for session, shape := range probedSessions {
		put := func(name, answer, want string) {
			http := httptest.NewServer(probe(answer))
			t.Cleanup(http.Close)
			story := &proposals.Story{Session: []byte(shape), Method: "tools/call", Params: `{"name":"t","arguments":{}}`, Answers: []string{}, Result: want}
			all = append(all, stage{session + "/" + name, story, nil, http.URL})
		}
		for name, answer := range probes {
			put(name, answer, "")
		}
		const honest = `{"content":[{"type":"text","text":"Done."}]}`
		put("honest", `"result":`+honest, honest)
		const null = `{"resultType":null,"result_type":null,"content":[{"type":"text","text":"Done."}]}` // as good as none
		put("type is null", `"result":`+null, null)
		for name, result := range lacking {
			put(name, `"result":`+result, result)
		}
	}
	slices.SortFunc(all, func(a, b stage) int { return strings.Compare(a.name, b.name) })
	return all
}

// checkProbe holds a host to an error, to the honest result, or to both where the result lacks something.
func (s stage) checkProbe(t *testing.T, result, problems string) {
	t.Helper()
	if want := s.story.Result; result != want || (problems == "") != (want != "" && !s.lacks()) {
		t.Errorf("got %q and the error %q, want %q", result, problems, want)
	}
}

func (s stage) lacks() bool {
	return slices.Contains(slices.Collect(maps.Values(lacking)), s.story.Result)
}

func TestProbesGo(t *testing.T) { testProbesGo(t, parley.Native{}) }

func TestProbesWazero(t *testing.T) {
	runtime, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close()
	testProbesGo(t, runtime)
}

func testProbesGo(t *testing.T, e parley.Engine) {
	for _, s := range probeStages(t) {
		t.Run(s.name, func(t *testing.T) {
			result, problems := runGo(t, e, s.url, s.story)
			s.checkProbe(t, result, problems)
		})
	}
}

func TestProbesNode(t *testing.T) {
	node := findNode(t)
	all := probeStages(t)
	came := playNode(t, node, all)
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) { s.checkProbe(t, came[i].Result, strings.Join(came[i].Problems, "; ")) })
	}
}

// TestProbesTerminal runs parley for each of them: a success would be a text on
// standard output.
func TestProbesTerminal(t *testing.T) {
	program := buildTerminal(t)
	for _, s := range probeStages(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr := runTerminal(t, program, s, nil, "t", "{}", "--engine", "native") // compiling a module takes 1 s
			want := s.story.Result
			if strings.Contains(want, "Done.") {
				want = "Done."
			}
			if strings.TrimSuffix(stdout, "\n") != want || s.lacks() && !strings.Contains(stderr, "though the tool has run: here it is as JSON") {
				t.Errorf("got %q, want %q: %s", stdout, want, stderr)
			}
		})
	}
}
