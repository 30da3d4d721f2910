package codec

import (
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/rawjson"
)

// Outbound seals the state of a result before it is sent. result is JSON text;
// it is returned as it is unless it is an InputRequiredResult with questions or
// a state, and then with a sealed requestState. x is what [Guard.Inbound]
// returned for the request, nil included.
//
// On an error the result must not be sent; [Error.Response] is the client's
// answer.
func (g *Guard) Outbound(x *Exchange, result []byte) (sealed []byte, err error) {
	if x == nil {
		return result, nil
	}
	r, err := readResult(result)
	if err != nil {
		return nil, err
	}
	if !r.inputRequired {
		return result, nil
	}
	token, err := g.Seal(x, r.state, r.questions)
	if err != nil {
		return nil, err
	}
	if token == nil {
		return result, nil
	}
	return r.rewrite(result, *token), nil
}

// result is a result, split.
type result struct {
	inputRequired bool
	state         *string
	questions     []Question
}

func readResult(text []byte) (*result, error) {
	r := new(result)
	var state, requests []byte
	var names rawjson.Names
	var m rawjson.Members
	for m.Start(text); m.Next(); {
		if names.Add(m.Name) != nil {
			return nil, unusable("a result with a member twice, too many or not Unicode")
		}
		switch {
		case m.Is("resultType"):
			r.inputRequired = rawjson.Is(m.Value, "input_required")
		case m.Is("requestState"):
			state = m.Value
		case m.Is("inputRequests"):
			requests = m.Value
		}
	}
	if m.Err != nil {
		return nil, unusable("a result that is not a JSON object")
	}
	if !r.inputRequired {
		return r, nil
	}
	if state != nil && string(state) != "null" {
		text, ok := rawjson.Unquote(state)
		if !ok {
			return nil, unusable("a requestState that is not a string of Unicode text")
		}
		r.state = &text
	}
	if requests != nil && string(requests) != "null" {
		return r, r.readQuestions(requests)
	}
	return r, nil
}

func (r *result) readQuestions(requests []byte) error {
	var m rawjson.Members
	for m.Start(requests); m.Next(); {
		key, ok := rawjson.Unquote(m.Name)
		if !ok {
			return unusable("inputRequests with a key that is not Unicode text")
		}
		q := Question{Key: key}
		var entry rawjson.Members
		for entry.Start(m.Value); entry.Next(); {
			switch {
			case entry.Is("method"):
				if q.Method, ok = rawjson.Unquote(entry.Value); !ok {
					return unusable("inputRequests with a method that is not a string")
				}
			case entry.Is("params"):
				q.Params = entry.Value
			}
		}
		if entry.Err != nil {
			return unusable("inputRequests with an entry that is not an object")
		}
		r.questions = append(r.questions, q)
	}
	if m.Err != nil {
		return unusable("inputRequests that are not an object")
	}
	return nil
}

// rewrite is the result with this requestState.
func (r *result) rewrite(text []byte, token string) []byte {
	out := append(make([]byte, 0, len(text)+len(token)+32), '{')
	found := false
	var m rawjson.Members
	for m.Start(text); m.Next(); {
		if m.Is("requestState") {
			out = appendMember(out, 1, m.Name, rawjson.AppendQuoted(nil, token))
			found = true
			continue
		}
		out = appendMember(out, 1, m.Name, m.Value)
	}
	if !found {
		out = appendMember(out, 1, []byte(`"requestState"`), rawjson.AppendQuoted(nil, token))
	}
	return append(out, '}')
}

func unusable(detail string) error {
	return &Error{Code: refusal.Result, Minting: true, Detail: detail}
}
