package codec

import (
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/canon"
	"github.com/parley-mcp/parley/rawjson"
)

// request is a request's params, split.
type request struct {
	binding   Binding
	state     []byte // the token of requestState; nil if absent or null
	responses []byte // inputResponses, if it is an object
	keys      []string
}

// maxQuoted is how long a token of [MaxToken] characters can be as JSON, with
// each of them as \u0000. What is longer is refused before it is unquoted.
const maxQuoted = len(`"`) + MaxToken*len(`\u0000`) + len(`"`)

// guarded are the members of params a Guard reads. A parser behind it that
// ignores letter case must not find another value than the Guard did.
var (
	guarded = [...]string{"requestState", "inputResponses", "name", "uri", "arguments"}
	lower   = [...]string{"requeststate", "inputresponses", "name", "uri", "arguments"}
)

// readRequest splits the params of one of the three methods. What a Guard
// cannot be sure of fails: members given twice, and ones that only differ in
// letter case from one it reads.
func readRequest(method string, params []byte, principal *string) (*request, error) {
	r := &request{binding: Binding{Method: method, Principal: principal}}
	var names rawjson.Names
	var target []byte
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		if names.Add(m.Name) != nil {
			return nil, &Error{Code: refusal.Malformed, Detail: "params with a member twice, too many or not Unicode"}
		}
		at := indexGuarded(m.Name)
		switch {
		case at < 0:
			continue
		case !m.Is(guarded[at]):
			return nil, &Error{Code: refusal.Malformed, Detail: "params with a member that could be taken for " + guarded[at]}
		}
		switch guarded[at] {
		case "requestState":
			if string(m.Value) == "null" {
				continue
			}
			if !rawjson.IsString(m.Value) {
				return nil, &Error{Code: refusal.Malformed, Detail: "requestState is not a string"}
			}
			if len(m.Value) > maxQuoted {
				return nil, &Error{Code: refusal.TooLarge}
			}
			r.state = m.Value
		case "inputResponses":
			if rawjson.IsObject(m.Value) {
				r.responses = m.Value
			}
		case "arguments":
			r.binding.Arguments = m.Value
		case "name":
			if method != methodResource {
				target = m.Value
			}
		case "uri":
			if method == methodResource {
				target = m.Value
			}
		}
	}
	if m.Err != nil {
		return nil, &Error{Code: refusal.Malformed, Detail: "params that are not a JSON object"}
	}
	text, ok := rawjson.Unquote(target)
	if !ok && r.state != nil {
		return nil, &Error{Code: refusal.Malformed, Detail: "a state without the name or uri it belongs to"}
	}
	r.binding.Target = text
	return r, r.readKeys()
}

func (r *request) readKeys() error {
	if r.responses == nil {
		return nil
	}
	var names rawjson.Names
	var m rawjson.Members
	for m.Start(r.responses); m.Next(); {
		if names.Add(m.Name) != nil {
			return &Error{Code: refusal.Malformed, Detail: "inputResponses with a key twice, too many or not Unicode"}
		}
		key, _ := rawjson.Unquote(m.Name)
		r.keys = append(r.keys, key)
	}
	return nil
}

// token is the requestState's text.
func (r *request) token() *string {
	if r.state == nil {
		return nil
	}
	text, ok := rawjson.Unquote(r.state)
	if !ok { // a lone surrogate: no token, and refused as such
		text = "\xff"
	}
	return &text
}

// indexGuarded finds the member a Guard reads whose name equals this token under
// case folding, or -1.
func indexGuarded(token []byte) int {
	name, ok := canon.Text(token)
	if !ok || len(name) > 2*len("inputResponses") { // folding makes no name half as long
		return -1
	}
	var room [2 * len("inputResponses")]byte
	folded := canon.AppendLower(room[:0], name)
	for i, want := range guarded {
		if len(folded) == len(want) && string(folded) == lower[i] {
			return i
		}
	}
	return -1
}

// Inbound opens the state of a request before the server sees it. params is
// JSON text, as received; principal is nil only without authentication.
//
// The params returned hold the handler's own state, or none where it set none,
// and only answers that may be used. They are params itself where nothing
// changes. Requests of other methods pass untouched, with a nil Exchange.
//
// params is kept by the Exchange and must not change before [Guard.Outbound].
// On an error the request must not be processed; [Error.Response] is the
// client's answer.
func (g *Guard) Inbound(method string, params []byte, principal *string) (opened []byte, x *Exchange, err error) {
	if !supports(method) {
		return params, nil, nil
	}
	r, err := readRequest(method, params, principal)
	if err != nil {
		return nil, nil, err
	}
	state, x, err := g.Open(r.binding, r.token(), r.keys)
	if err != nil {
		return nil, nil, err
	}
	if r.state == nil && len(x.Answers) == len(r.keys) {
		return params, x, nil
	}
	return r.rewrite(params, state, x), x, nil
}

// rewrite is params with another state and without the answers x does not
// mention.
func (r *request) rewrite(params []byte, state *string, x *Exchange) []byte {
	out := append(make([]byte, 0, len(params)), '{')
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		switch {
		case m.Is("requestState"):
			if state != nil {
				out = appendMember(out, 1, m.Name, rawjson.AppendQuoted(nil, *state))
			}
		case m.Is("inputResponses") && r.responses != nil && len(x.Answers) < len(r.keys):
			if len(x.Answers) > 0 {
				out = appendMember(out, 1, m.Name, r.answers(x))
			}
		default:
			out = appendMember(out, 1, m.Name, m.Value)
		}
	}
	return append(out, '}')
}

// answers is inputResponses with the answers that may be used.
func (r *request) answers(x *Exchange) []byte {
	out := append(make([]byte, 0, len(r.responses)), '{')
	var m rawjson.Members
	next := 0 // of x.Answers, which are in the order received
	for m.Start(r.responses); m.Next(); {
		if next < len(x.Answers) && m.Is(x.Answers[next].Key) {
			out = appendMember(out, 1, m.Name, m.Value)
			next++
		}
	}
	return append(out, '}')
}
