package gosdk

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// request is what the three methods with rounds have in common.
type request struct {
	method, target string
	arguments      []byte
	state          string // "" for none
	answers        mcp.InputResponseMap
	declared       *mcp.ClientCapabilities

	// with returns a copy with another state and other answers. What was
	// received stays as it is: middleware further out may still look at it.
	with func(state *string, answers mcp.InputResponseMap) mcp.Request
}

// readRequest returns nil for every other method.
func readRequest(method string, req mcp.Request) *request {
	switch req := req.(type) {
	case *mcp.CallToolRequest:
		p := req.Params
		r := &request{method: method, target: p.Name, arguments: p.Arguments, state: p.RequestState, answers: p.InputResponses}
		r.declared = req.ClientCapabilities()
		r.with = func(state *string, answers mcp.InputResponseMap) mcp.Request {
			opened := *p
			opened.RequestState, opened.InputResponses = value(state), answers
			return &mcp.CallToolRequest{Session: req.Session, Params: &opened, Extra: req.Extra}
		}
		return r
	case *mcp.GetPromptRequest:
		p := req.Params
		r := &request{method: method, target: p.Name, state: p.RequestState, answers: p.InputResponses}
		if p.Arguments != nil {
			r.arguments, _ = json.Marshal(p.Arguments) // a map of strings
		}
		r.declared = req.ClientCapabilities()
		r.with = func(state *string, answers mcp.InputResponseMap) mcp.Request {
			opened := *p
			opened.RequestState, opened.InputResponses = value(state), answers
			return &mcp.GetPromptRequest{Session: req.Session, Params: &opened, Extra: req.Extra}
		}
		return r
	case *mcp.ReadResourceRequest:
		p := req.Params
		r := &request{method: method, target: p.URI, state: p.RequestState, answers: p.InputResponses}
		r.declared = req.ClientCapabilities()
		r.with = func(state *string, answers mcp.InputResponseMap) mcp.Request {
			opened := *p
			opened.RequestState, opened.InputResponses = value(state), answers
			return &mcp.ReadResourceRequest{Session: req.Session, Params: &opened, Extra: req.Extra}
		}
		return r
	}
	return nil
}

func value(state *string) string {
	if state == nil {
		return ""
	}
	return *state
}

// result is what the results of the three methods have in common.
type result struct {
	questions mcp.InputRequestMap
	state     string

	// with returns a copy with a token for the state. A handler may return the
	// same result to many.
	with func(token string) mcp.Result
}

// readResult returns nil for everything else.
func readResult(res mcp.Result) *result {
	switch res := res.(type) {
	case *mcp.CallToolResult:
		if res != nil {
			return &result{res.InputRequests, res.RequestState, func(token string) mcp.Result {
				sealed := *res
				sealed.RequestState = token
				return &sealed
			}}
		}
	case *mcp.GetPromptResult:
		if res != nil {
			return &result{res.InputRequests, res.RequestState, func(token string) mcp.Result {
				sealed := *res
				sealed.RequestState = token
				return &sealed
			}}
		}
	case *mcp.ReadResourceResult:
		if res != nil {
			return &result{res.InputRequests, res.RequestState, func(token string) mcp.Result {
				sealed := *res
				sealed.RequestState = token
				return &sealed
			}}
		}
	}
	return nil
}

// readQuestions spells questions as the SDK will send them, sorted by key.
func readQuestions(all mcp.InputRequestMap) ([]codec.Question, error) {
	text, err := json.Marshal(all)
	if err != nil {
		return nil, unusableQuestion
	}
	var entries map[string]struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, unusableQuestion
	}
	questions := make([]codec.Question, 0, len(entries))
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		questions = append(questions, codec.Question{Key: key, Method: entries[key].Method, Params: entries[key].Params})
	}
	return questions, nil
}

var unusableQuestion = &codec.Error{Code: refusal.Result, Minting: true, Detail: "a question that is not JSON, or nil"}

func sortedKeys(answers mcp.InputResponseMap) []string { return slices.Sorted(maps.Keys(answers)) }

// protocolVersion is the first revision with rounds.
const protocolVersion = "2026-07-28"

// legacy reports whether the SDK asks the client by requests of its own. A
// session without initialize is of a revision that has none.
func legacy(req mcp.Request) bool {
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok || session == nil {
		return false
	}
	p := session.InitializeParams()
	return p != nil && p.ProtocolVersion < protocolVersion
}
